import assert from "node:assert/strict";
import { CoverageMap, type HttpResponse } from "../../mod.ts";
import { checkThresholds } from "../../src/map/thresholds.ts";
import type { Report } from "../../src/report/report.ts";
import { thresholdLines } from "../../src/report/wording/verdict_text.ts";
import { inFolder } from "../in_folder.ts";
import { judgeConditions, listDecreases } from "../../src/run/fail_on.ts";

const DESCRIPTION = `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /books:
    get:
      responses:
        "200":
          description: Books
          content:
            application/json:
              schema:
                type: object
                properties:
                  title:
                    type: string
                    maxLength: 5
                  pages:
                    minimum: 1
`;

async function record(response: HttpResponse): Promise<CoverageMap> {
  const map = await inFolder(
    { "openapi.yaml": DESCRIPTION },
    (folder) => CoverageMap.fromPath(`${folder}/openapi.yaml`),
  );
  map.record({ method: "GET", url: "/books" }, { status_code: 200, ...response });
  return map;
}

const BROKEN = { headers: { "content-type": "application/json" }, body: '{"title":"Too long"}' };

Deno.test("every report shows how many response keywords were seen, and lists violations", async () => {
  const map = await record(BROKEN);
  const text = map.generateReport({ format: "text" });
  assert.match(text, /^Returned {4}4 of 5 response keywords seen \(80%\), 1 violated$/m);
  assert.match(
    text,
    /1 response with 200 had a body of application\/json that breaks\s+properties/,
  );
  const markdown = map.generateReport({ format: "markdown" });
  assert.match(markdown, /^Responses: 4 of 5 response keywords seen \(80%\), 1 violated\.$/m);
  assert.match(markdown, /\*\*Responses that violate their schema: 1\*\*/);
  const junit = map.generateReport({
    format: "junit",
    thresholds: { responseKeywords: 90 },
    failOnFindings: ["response_violates_schema"],
  });
  assert.match(junit, /<testcase name="response_keywords"[^]*response keywords: 80% is below 90%/);
  assert.match(junit, /<testcase name="response_violates_schema"[^]*<failure/);
  const sarif = JSON.parse(map.generateReport({ format: "sarif" }));
  const [result] = sarif.runs[0].results;
  assert.equal(result.ruleId, "response_violates_schema");
  assert.equal(result.locations[0].physicalLocation.region.startLine, 16);
  const page = map.generateReport({ format: "html" });
  assert.ok(page.includes("<td>80%</td><td>4 of 5 seen, 1 violated</td>"));
});

Deno.test("without response bodies, nothing is measured, which fails a threshold above 0", async () => {
  const map = await record({});
  const { summary } = map.report();
  const short = checkThresholds(summary, { base: 1, responseKeywords: 50 })
    .filter(({ dimension }) => dimension === "response_keywords");
  assert.deepEqual(thresholdLines(short), [
    "response keywords: not measured (the traffic has no response bodies), so the threshold of 50% is not met",
  ]);
  assert.deepEqual(checkThresholds(summary, { base: 0, responseKeywords: 0 }), []);
  // JavaScript callers can make a typo that no type refuses.
  const typo = { base: 0, response_keywords: 50 };
  assert.throws(
    () => checkThresholds(summary, typo),
    /^RangeError: Unknown threshold "response_keywords"\. Choose base, .*, values, tcl\.$/,
  );
});

Deno.test("response keywords have only their own threshold, and can be compared", async () => {
  const report = (await record(BROKEN)).report();
  assert.ok(
    checkThresholds(report.summary, { base: 100 }).every(({ dimension }) =>
      dimension !== "response_keywords"
    ),
  );
  assert.deepEqual(checkThresholds(report.summary, { responseKeywords: 90 }), [
    { dimension: "response_keywords", actual: 80, minimum: 90 },
  ]);
  const now = (await record({ ...BROKEN, body: "{}" })).report();
  const compared = { ...now, comparison: {} } as unknown as Report;
  assert.deepEqual(listDecreases(compared, report as never, "response-keywords"), [
    "response keywords: 20% is below the baseline's 80%",
  ]);
});

Deno.test("--fail-on lists findings about responses", async () => {
  const report = (await record(BROKEN)).report();
  const [failed] = judgeConditions([{ kind: "response_violates_schema" }], { report });
  assert.deepEqual(failed?.reasons, [
    "GET /books: 1 response with 200 had a body of application/json that breaks properties/title/maxLength.",
  ]);
  const [all, other] = judgeConditions([{ kind: "all" }, { kind: "undocumented_media_type" }], {
    report,
  });
  assert.equal(all?.reasons.length, 1);
  assert.deepEqual(other?.reasons, []);
});
