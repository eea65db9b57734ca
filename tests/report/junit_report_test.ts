import assert from "node:assert/strict";
import { generateJunitReport } from "../../src/report/junit_report.ts";
import type { Report } from "../../src/report/report.ts";
import type { ReporterInput } from "../../src/report/reported_api.ts";
import { aComparison, alone, aSummary, shopReport, someFindings } from "./shop_report.ts";
import { assertRules, elementsIn, readXml, type XmlElement, type XmlRule } from "./xml_tree.ts";

function junit(
  report: Report,
  input: Pick<ReporterInput, "thresholds" | "failOnFindings"> = {},
): string {
  return generateJunitReport(alone(report, input));
}

/** Rules of the JUnit schema of Jenkins' xUnit plugin (version 10). */
const RULES: Readonly<Record<string, XmlRule>> = {
  testsuites: {
    children: "(testsuite )*",
    required: [],
    optional: ["name", "time", "tests", "failures", "errors"],
  },
  testsuite: {
    children: "((testsuite|properties|testcase|system-out|system-err) )*",
    required: ["name", "tests", "failures", "errors"],
    optional: [
      ...["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log"],
      "url",
    ],
  },
  testcase: {
    children: "((skipped|error|failure|system-out|system-err) )*",
    required: ["name"],
    optional: ["time", "classname", "group"],
  },
  properties: { children: "(property )*", required: [] },
  property: { children: "", required: ["name", "value"] },
  failure: { children: "", required: [], optional: ["type", "message"], text: true },
  error: { children: "", required: [], optional: ["type", "message"], text: true },
  skipped: { children: "", required: [], optional: ["type", "message"], text: true },
  "system-out": { children: "", required: [], text: true },
  "system-err": { children: "", required: [], text: true },
};

function readSuite(xml: string): XmlElement {
  const root = readXml(xml);
  assertRules(root, RULES);
  const [suite] = elementsIn(root, "testsuite");
  assert.ok(suite !== undefined);
  return suite;
}

/** The result of each test: its name and the element for the result. */
function outcomes(suite: XmlElement): string[] {
  return elementsIn(suite, "testcase").map(({ attributes, children }) => {
    const [outcome] = children.filter(({ name }) => name !== "system-out");
    return `${attributes["name"]} ${outcome?.name ?? "passed"}`;
  });
}

/** The report of the shop without findings. */
function quietReport(changes: Partial<Report> = {}): Report {
  return shopReport({ findings: [], ...changes });
}

Deno.test("a dimension below its threshold fails with a message, and the others pass", () => {
  const suite = readSuite(
    junit(quietReport(), { thresholds: { base: 60, keywords: 40, examples: 50 } }),
  );
  assert.deepEqual(outcomes(suite), [
    ...["operations passed", "parameters failure", "keywords passed", "examples passed"],
    "responses passed",
  ]);
  const [failure] = elementsIn(suite, "failure");
  assert.equal(failure?.attributes["message"], "parameters: 50% is below 60%");
  const { tests, failures, errors, skipped } = suite.attributes;
  assert.deepEqual([tests, failures, errors, skipped], ["5", "1", "0", "0"]);
  const outputs = elementsIn(suite, "system-out").map(({ text }) => text);
  assert.ok(outputs.includes("examples: 50% (1 of 2), threshold 50%"));
});

Deno.test("a dimension with nothing to measure is skipped", () => {
  const summary = aSummary({ operations: [1, 1], responses: [0, 3], measured: false });
  const suite = readSuite(junit(quietReport({ summary }), { thresholds: { base: 90 } }));
  assert.deepEqual(outcomes(suite), [
    ...["operations passed", "parameters skipped", "keywords skipped", "examples skipped"],
    "responses skipped",
  ]);
  assert.equal(suite.attributes["skipped"], "4");
  const messages = elementsIn(suite, "skipped").map(({ attributes }) => attributes["message"]);
  assert.equal(messages[0], "none documented");
  assert.equal(messages[3], "not measured, 3 documented");
});

Deno.test("responses with a threshold fail if they were not measured", () => {
  const { summary } = quietReport();
  const responses = { ...summary.responses, percent: null, measured: false };
  const suite = readSuite(
    junit(quietReport({ summary: { ...summary, responses } }), { thresholds: { responses: 1 } }),
  );
  assert.equal(outcomes(suite)[4], "responses failure");
});

Deno.test("a hostile title stays within its attributes", () => {
  const title = `"/><testcase name="forged"/>&lt;\u0007]]>`;
  const suite = readSuite(junit(quietReport({ title })));
  assert.equal(elementsIn(suite, "testcase").length, 5);
  assert.equal(
    suite.attributes["name"],
    `API coverage of "/><testcase name="forged"/>&lt;\\u0007]]>`,
  );
});

Deno.test("a threshold that isn't a percentage is rejected", () =>
  assert.throws(() => junit(quietReport(), { thresholds: { base: 101 } }), RangeError));

Deno.test("with a baseline, one more test fails on new gaps, and lists them", () => {
  const last = (comparison: ReturnType<typeof aComparison>) => {
    const root = readXml(junit(quietReport({ comparison })));
    assertRules(root, RULES);
    return { root, test: elementsIn(root, "testcase").at(-1) };
  };
  const good = last(aComparison());
  assert.equal(good.test?.attributes["name"], "new gaps");
  assert.equal(elementsIn(good.root, "failure").length, 0);
  const bad = last(aComparison({ new_gaps: quietReport().gaps.slice(0, 2) }));
  const [failure] = elementsIn(bad.root, "failure");
  assert.equal(failure?.attributes["message"], "2 new gaps since the baseline");
  assert.match(failure?.text ?? "", /^GET \/users: .*; GET \/users: /);
  assert.equal(bad.root.attributes["failures"], "1");
  assert.equal(bad.root.attributes["tests"], "6");
});

Deno.test("other figures are tests if they have a threshold, with their numbers", () => {
  const report = quietReport();
  const { summary } = report;
  const changed = quietReport({
    summary: {
      ...summary,
      operations: { ...summary.operations, succeeded: 2 },
      values: { seen: 3, total: 4, percent: 75, measured: true },
      tcl: { level: 3, missing: ["parameters"], not_measured: [] },
    },
  });
  const thresholds = { keywordsFull: 10, succeeded: 60, values: 75, tcl: 4 };
  const cases = elementsIn(readSuite(junit(changed, { thresholds })), "testcase");
  const own = cases.slice(5).map((test) => ({
    name: test.attributes["name"],
    failure: elementsIn(test, "failure")[0]?.attributes["message"],
    output: elementsIn(test, "system-out")[0]?.text,
  }));
  assert.deepEqual(own, [
    { name: "keywords_full", failure: undefined, output: "full keywords: 1 of 7, threshold 10%" },
    {
      name: "succeeded",
      failure: "succeeded operations: 50% is below 60%",
      output: "succeeded operations: 2 of 4, threshold 60%",
    },
    { name: "values", failure: undefined, output: "classes of values: 3 of 4, threshold 75%" },
    {
      name: "tcl",
      failure: "test coverage level: 3 is below 4",
      output: "test coverage level: 3, threshold 4",
    },
  ]);
});

const DIMENSIONS = ["operations", "parameters", "keywords", "examples", "responses"]
  .map((name) => `${name} passed`);

Deno.test("a kind of findings that should fail is a test that lists the findings", () => {
  const xml = junit(shopReport({ findings: someFindings() }), {
    failOnFindings: ["keyword_not_enforced", "valid_request_refused"],
  });
  const suite = readSuite(xml);
  assert.equal(suite.attributes["failures"], "1");
  assert.deepEqual(outcomes(suite), [
    ...DIMENSIONS,
    "server_error skipped",
    "keyword_not_enforced failure",
    "valid_request_refused passed",
    "never_succeeded skipped",
  ]);
  assert.ok(xml.includes('<failure message="2 rules not enforced" type="finding">'));
  assert.ok(xml.includes("GET /users: 3 requests that only maximum of query limit"));
});

Deno.test("each other condition of a run is a test that fails with what was found", () => {
  const gate = (name: string, passed: boolean) => ({
    ...{ kind: "fail_on" as const, name, asks: "", found: `1 of ${name}`, passed },
    sentence: `${name}: 1`,
  });
  const names = ["decrease=keywords", "all", "new-gaps", "server_error", "no-traffic"];
  const gates = names.map((name) => gate(name, name === "no-traffic"));
  const suite = readSuite(junit(quietReport({ verdict: { passed: false, gates } })));
  assert.deepEqual(outcomes(suite), [
    ...DIMENSIONS,
    "decrease=keywords failure",
    "no-traffic passed",
  ]);
  const [failure] = elementsIn(suite, "testcase").flatMap((test) => elementsIn(test, "failure"));
  assert.equal(failure?.attributes["message"], "decrease=keywords: 1");
  assert.equal(failure?.text, "1 of decrease=keywords");
});
