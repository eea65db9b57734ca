import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { generateTextReport } from "../../src/report/text_report.ts";
import { textWidth } from "../../src/report/text/text_width.ts";
import type { TextReportOptions } from "../../src/report/reported_api.ts";
import type { Dimension, Finding } from "../../src/map/results.ts";
import type { Report } from "../../src/report/report.ts";
import { shopApi } from "../shop_api.ts";
import { assertGolden } from "./assert_golden.ts";
import { anOperation, aSummary, hostileReport, shopReport, someFindings } from "./shop_report.ts";

const PLAIN = { width: 80, colored: false } as const;

const SHOP = generateTextReport(shopReport(), PLAIN);

function write(report: Report, showMissing?: readonly Dimension[], width = 80): string {
  return generateTextReport(report, { width, colored: false, showMissing });
}

/** The files in `tests/fixtures/golden_text`, with the name of the test and the options. */
const LAYOUTS: readonly (readonly [file: string, sentence: string, Partial<TextReportOptions>])[] =
  [
    ["plain", "the text report shows everything by default", {}],
    ["wide", "from 120 columns on, percentages follow the counts", { width: 120 }],
    ["uncovered", "skipCovered hides covered operations and keeps totals", { skipCovered: true }],
    ["called", "skipEmpty hides operations without traffic and keeps totals", { skipEmpty: true }],
    ["missing", "showMissing adds a column with what is missing in the given dimensions", {
      width: 200,
      showMissing: ["operations", "keywords", "examples"],
    }],
    ["missing_responses", "what is missing in one dimension is listed without its name", {
      width: 130,
      showMissing: ["responses"],
    }],
    ["missing_below", "on a narrow terminal, what is missing is listed below the operation", {
      showMissing: ["parameters", "keywords"],
    }],
  ];

for (const [file, sentence, options] of LAYOUTS) {
  Deno.test(sentence, async () => {
    const report = shopReport({ findings: someFindings() });
    const text = generateTextReport(report, { ...PLAIN, ...options });
    await assertGolden(`tests/fixtures/golden_text/${file}.txt`, text);
  });
}

Deno.test("a description without title and version goes by its location", () => {
  const map = CoverageMap.fromDict({ swagger: "2.0", info: {}, paths: {} });
  const { title, schema } = map.report();
  assert.equal(title, schema.location);
  assert.ok(write(map.report()).includes(`\n\n${title}\nSwagger 2.0 · ${title}\n`));
});

Deno.test("colours only add escape sequences, and are on by default", () => {
  const colored = generateTextReport(shopReport(), { width: 80 });
  assert.notEqual(colored, SHOP);
  // deno-lint-ignore no-control-regex -- the sequences that colouring adds
  assert.equal(colored.replace(/\u001b\[\d+m/g, ""), SHOP);
  assert.equal(generateTextReport(shopReport(), { width: 80, colored: true }), colored);
});

Deno.test("a percentage is red below 50, yellow below 80 and otherwise green", () => {
  const at = (seen: number) =>
    generateTextReport(
      shopReport({
        summary: aSummary({ operations: [1, 1], parameters: [seen, 100] }),
      }),
      { width: 80 },
    ).split("\n").find((line) => line.startsWith("Parameters")) ?? "";
  assert.ok(at(49).includes("\u001b[31m"));
  assert.ok(at(50).includes("\u001b[33m"));
  assert.ok(at(79).includes("\u001b[33m"));
  assert.ok(at(80).includes("\u001b[32m"));
});

Deno.test("a bar is full or empty only if the percentage is", () => {
  const bar = (seen: number) =>
    write(shopReport({ summary: aSummary({ operations: [seen, 10_000] }) })).split("\n").find((
      line,
    ) => line.startsWith("Operations")) ?? "";
  assert.match(bar(9_999), /█░ {2}>99\.9%/);
  assert.match(bar(1), /Operations {2}█░.* <0\.1%/);
  assert.ok(!bar(10_000).includes("░"));
  assert.ok(!bar(0).includes("█"));
});

Deno.test("skipCovered keeps an operation that showMissing has entries for", () => {
  const operation = anOperation({ method: "PATCH", path: "/half", hits: 1 });
  const report = shopReport({
    operations: [operation],
    gaps: [{
      kind: "keyword_uncovered",
      method: "PATCH",
      path: "/half",
      location: "query",
      parameter: "q",
      schema_path: "/paths/~1half/patch/parameters/0/schema/minLength",
      state: "invalid",
    }],
  });
  const shown = generateTextReport(report, {
    ...PLAIN,
    skipCovered: true,
    showMissing: ["keywords"],
  });
  assert.ok(shown.includes("query q: minLength (invalid)"));
  assert.ok(!generateTextReport(report, { ...PLAIN, skipCovered: true }).includes("/half"));
});

Deno.test("no line is wider than the terminal, whatever the paths, counts and names", () => {
  const long =
    "/organizations/{organization_id}/repositories/{repository}/hooks/{hook_id}/deliveries";
  const huge = aSummary({
    operations: [1234, 5678],
    parameters: [12345, 67890],
    keywords: [123456, 234567, 456789],
    examples: [1234, 5678],
    responses: [4321, 8765],
  });
  const operations = [
    anOperation({ method: "GET", path: long, hits: 123456, summary: huge }),
    anOperation({ method: "UNSUBSCRIBE", path: `/${"x".repeat(300)}`, summary: huge }),
    anOperation({
      method: "POST",
      path: "/図書館/{本}/貸出/履歴/一覧/詳細/検索/結果",
      summary: huge,
    }),
  ];
  const report = shopReport({
    title: "A very long title ".repeat(12),
    operations,
    summary: huge,
    unmatched: [{
      method: "GET",
      host: "a-long-host.example.com:8080",
      path: long + long,
      reason: "method_not_documented",
      count: 1000,
      first_at: null,
    }],
    suggested_base_path: "/a/very/long/base/path/that/does/not/fit/into/any/terminal/of/80/columns",
    gaps: operations.map(({ method, path }) => ({
      kind: "parameter_uncovered",
      method,
      path,
      location: "query",
      parameter: "名前".repeat(60),
    })),
    diagnostics: [{
      severity: "error",
      code: "x",
      message: "w".repeat(250),
      schema_path: "/" + "p".repeat(250),
      line: null,
      column: null,
    }],
  });
  for (const width of [40, 47, 60, 61, 72, 80, 100, 119, 120, 140, 200]) {
    for (const showMissing of [undefined, ["parameters"]] as const) {
      for (const line of write(report, showMissing, width).split("\n")) {
        assert.ok(textWidth(line) <= width, `${textWidth(line)} > ${width}: ${line}`);
      }
    }
  }
});

Deno.test("a width that is too small or not a number counts as 40", () => {
  const narrowest = write(shopReport(), undefined, 40);
  for (const width of [0, -1, 12, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(write(shopReport(), undefined, width), narrowest);
  }
});

Deno.test("control characters in descriptions and traffic are never printed", () => {
  const report = hostileReport(
    "\u001b]0;owned\u0007\u001b[2J\r\nGET /forged 100%\u202e\u009b31m\u2028",
  );
  for (const width of [80, 200]) {
    const text = write(report, ["parameters", "responses"], width);
    // deno-lint-ignore no-control-regex -- none of them may be in the text
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/.test(text));
    assert.ok(!text.includes("\nGET /forged"));
    assert.ok(text.includes("\\u001b]0;owned"));
  }
});

Deno.test("columns stay aligned with wide characters", () => {
  const report = shopReport({
    operations: [
      anOperation({ method: "GET", path: "/図書", hits: 1 }),
      anOperation({ method: "GET", path: "/books", hits: 1 }),
    ],
  });
  const rows = write(report).split("\n").filter((line) => line.startsWith("GET /"));
  assert.equal(rows.length, 2);
  assert.equal(textWidth(rows[0] ?? ""), textWidth(rows[1] ?? ""));
});

Deno.test("without a recorded response, responses are reported as not measured", () => {
  const summary = aSummary({ operations: [1, 1], responses: [0, 2], measured: false });
  const text = write(shopReport({
    summary,
    operations: [anOperation({ method: "GET", path: "/a", hits: 1, summary })],
  }));
  assert.match(text, /Responses .* – {2}not measured, 2 documented\n/);
  assert.match(text, /GET \/a +1 +– +– +– +–\n/);
  assert.match(text, /\nResponses are not measured: the traffic has no responses\.\n/);
});

Deno.test("a dimension without anything to measure is reported as such", () => {
  const text = write(shopReport({ summary: aSummary({}), operations: [] }));
  assert.match(text, /Operations .* 100% {2}none documented\n/);
  assert.match(text, /Keywords .* – {2}none documented\n/);
  assert.ok(text.includes("The description documents no operations."));
});

Deno.test("notes list what is unmatched, unsupported and wrong, the worst first", async () => {
  const [first, second, ...rest] = shopReport().operations;
  assert.ok(first !== undefined && second?.parameters[0] !== undefined);
  const xml = { ...second.parameters[0], parameter: "application/xml", unsupported: true };
  const diagnostic = { code: "x", schema_path: "/info", line: null, column: null };
  const report = shopReport({
    operations: [first, { ...second, parameters: [xml] }, ...rest],
    suggested_base_path: "/api",
    unmatched: Array.from({ length: 25 }, (_, index) => ({
      method: "GET",
      host: "",
      path: `/${index}`,
      reason: "no_matching_path",
      count: index + 1,
      first_at: null,
    })),
    unmatched_total: 325,
    diagnostics: [
      { ...diagnostic, severity: "info", message: "I." },
      { ...diagnostic, severity: "warning", message: "W.", line: 12, column: 7 },
      {
        ...{ ...diagnostic, severity: "error", message: "E." },
        ...{ schema_path: "models.yaml#/Pet", line: 3, column: 5 },
      },
      { ...diagnostic, severity: "warning", message: "V." },
    ],
  });
  await assertGolden("tests/fixtures/golden_text/notes.txt", write(report));
});

Deno.test("in files and pipes, an unmatched request and its reason are on one line", () => {
  const text = generateTextReport(shopReport(), { width: 40, colored: false, wrapPaths: false });
  assert.match(text, /^ +2 {2}no documented path +GET localhost\/v1\/nope$/m);
});

function findingsPart(report: Report, top?: "all"): string {
  const text = generateTextReport(report, { ...PLAIN, top });
  return text.slice(text.indexOf("Findings:"), text.indexOf("\n\nValues to send"));
}

Deno.test("a report without findings doesn't mention them", () => {
  for (const findings of [[], undefined]) {
    const { findings: _, ...report } = shopReport();
    const given = findings === undefined ? report : { ...report, findings };
    assert.ok(!generateTextReport(given, PLAIN).includes("Findings"));
  }
});

Deno.test("10 findings of a kind are listed, and all of them with top all", () => {
  const many = Array.from({ length: 1010 }, (_, index) => ({
    ...someFindings("GET", `/${index}`)[0],
  })) as Finding[];
  const report = shopReport({ findings: [...many, ...someFindings().slice(3)] });
  const text = findingsPart(report);
  assert.ok(text.includes("GET /9: "));
  assert.ok(!text.includes("GET /10: "));
  assert.ok(text.endsWith("\n    … and 1,000 more"));
  assert.ok(text.includes("Server errors: 1\n"));
  assert.ok(findingsPart(report, "all").includes("GET /1009: "));
});

Deno.test("bodies of excluded operations are in no note", () => {
  const content = { "application/json": { schema: { type: "object" } } };
  const book = { post: { requestBody: { content }, responses: {} } };
  const paths = { "/books": book, "/metrics": book };
  const map = CoverageMap.fromDict(shopApi(paths), { exclude: ["/metrics"] });
  const headers = { "content-type": "application/json" };
  for (const url of Object.keys(paths)) map.record({ method: "POST", url, headers, body: "{" });
  assert.match(map.generateTextReport(PLAIN), /^1 body couldn't be parsed\.$/m);
});
