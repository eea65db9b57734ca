import assert from "node:assert/strict";
import type { Report, ReportVerdict } from "../../src/report/report.ts";
import { writeJson } from "../in_folder.ts";
import { fails, succeeds } from "../command_end.ts";
import { schemaProblems } from "../report/report_schema.ts";
import { runCovtool } from "./fake_host.ts";
import { inShop, reportShop as run } from "./shop_files.ts";

const FORMATS = "--format text --format json=a.json --format markdown=a.md --format html=a.html";

const read = Deno.readTextFileSync;

Deno.test("reports of a failed run begin with the verdict: each requirement and its result", () =>
  inShop(async () => {
    const { out } = await fails(run(
      `--fail-under 50 --fail-under-responses 90 --min-tcl 2 ${FORMATS} ` +
        "--fail-on keyword_not_enforced,server_error,no-traffic",
    ));
    const report = JSON.parse(read("a.json")) as Report;
    assert.deepEqual(schemaProblems(report), []);
    const { verdict } = report;
    assert.equal(verdict?.passed, false);
    assert.deepEqual(
      verdict?.gates.map((gate) => [gate.passed, gate.name, gate.asks, gate.found]),
      [
        [true, "operations", "at least 50%", "50% (1 of 2)"],
        [false, "parameters", "at least 50%", "33.3% (1 of 3)"],
        [true, "keywords", "at least 50%", "60% (3 of 5)"],
        [false, "responses", "at least 90%", "33.3% (1 of 3)"],
        [false, "tcl", "at least 2", "1"],
        [false, "keyword_not_enforced", "no rules not enforced", "1 rule not enforced"],
        [true, "server_error", "no server errors", "none"],
        [true, "no-traffic", "matching requests", "2 matching requests"],
      ],
    );
    assert.deepEqual(Object.keys(report).slice(3, 6), ["generated_at", "verdict", "schema"]);
    assert.match(
      out,
      /\n\nFailed: 4 of 8 requirements not met\n {2}✗ Parameters: 33\.3% \(1 of 3\), at least 50% req/,
    );
    assert.match(out, /\n {2}✗ 1 rule not enforced found, none allowed\n {2}✓ Operations: 50%/);
    assert.match(out, /\n {2}✓ No server errors found\n {2}✓ 2 matching requests found\n/);
    assert.match(
      read("a.md"),
      /^.*\n###.*\n\n\*\*❌ Failed: 4 of 8 requirements not met\*\*\n/,
    );
    assert.match(read("a.html"), /<strong>Failed: 4 of 8 requirements not met<\/strong>/);
    assert.match(
      read("a.html"),
      /<li class="gate-failed">Test coverage level: 1, at least 2 requi/,
    );
  }));

Deno.test("a run that passes says so, and one without requirements has no verdict", () =>
  inShop(async () => {
    const passed = await succeeds(run("--fail-under-operations 50 --format text"));
    assert.match(passed.out, /\nPassed: the requirement is met\n {2}✓ Operations: 50% \(1 of 2\)/);
    const { out } = await run("--format json");
    assert.equal((JSON.parse(out) as Report).verdict, undefined);
  }));

Deno.test("the verdict summarizes in one line what changed since the baseline", () =>
  inShop(async () => {
    await run("--format json=base.json");
    const same = await run("--baseline base.json --format json --fail-on decrease");
    assert.deepEqual((JSON.parse(same.out) as Report).verdict?.changes, "no change");
    await writeJson("traffic.json", [{ request: { method: "GET", url: "/v1/books" } }]);
    const { out } = await fails(run(
      "--baseline base.json --format json --fail-on decrease,new-gaps",
    ));
    const { verdict } = JSON.parse(out) as Report;
    assert.deepEqual(verdict?.gates.map(({ sentence }) => sentence), [
      "2 percentages below the baseline found, none allowed",
      "1 new gap found, none allowed",
    ]);
    assert.equal(verdict?.changes, "parameters −33.3, keywords −60 points; 1 new gap");
  }));

Deno.test("a requirement passes with nothing to measure, but fails if the traffic can't show it", () =>
  inShop(async () => {
    const { out } = await run(
      "--fail-under-examples 50 --fail-under-response-keywords 50 --format json",
    );
    const { verdict } = JSON.parse(out) as Report;
    assert.deepEqual(verdict?.gates.map(({ passed, found }) => [passed, found]), [
      [true, "nothing to measure"],
      [false, "not measured (the traffic has no response bodies)"],
    ]);
  }));

Deno.test("each of several APIs has a verdict, and there is one for all", async () => {
  const config = `apis:
  - { name: One, schema: openapi.yaml, basePath: /v1, failUnderOperations: 90, failOn: all }
  - { name: Two, schema: openapi.yaml, basePath: /v2 }
`;
  await inShop(async () => {
    const { out } = await fails(runCovtool(`report traffic.json ${FORMATS}`));
    const { verdict, apis } = JSON.parse(read("a.json")) as {
      readonly verdict: ReportVerdict;
      readonly apis: readonly Report[];
    };
    assert.deepEqual(apis.map((api) => api.verdict?.passed), [false, undefined]);
    assert.deepEqual(verdict.gates.map(({ api, name }) => [api, name]), [
      ["One", "operations"],
      ["One", "all"],
    ]);
    assert.match(out, /^2 APIs\n\nFailed: 2 of 2 requirements not met\n {2}✗ One: Operations: 50%/);
    assert.match(out, /\nAPI .* Gaps +Find(ings)? +Failed( requirements)? +Match/);
    assert.match(out, /\nOne +(\S+ +){6}1 +2 +2 /);
    assert.match(
      read("a.md"),
      /\| Gaps \| Findings \| Failed requirements \| Matched \| Unmatched \|/,
    );
    assert.match(
      read("a.md"),
      /\n\| One \|.* \| 1 \| 2 \| \d+ \| \d+ \|\n\| Two \|.* \| 0 \| – \|/,
    );
    assert.match(read("a.html"), /<li class="gate-failed">One: Operations: 50% \(1 of 2\)/);
  }, { "covtool.yaml": config });
});
