import assert from "node:assert/strict";
import fc from "fast-check";
import type { Gap } from "../../../src/map/results.ts";
import type { Report, ReportOperation } from "../../../src/report/report.ts";
import type { TextReportOptions } from "../../../src/report/reported_api.ts";
import { generateTextReport, generateTextReports } from "../../../src/report/text_report.ts";
import { GROUPINGS, SORTINGS } from "../../../src/report/text/arrange_operations.ts";
import { textWidth } from "../../../src/report/text/text_width.ts";
import { anOperation, aSummary, shopReport } from "../shop_report.ts";

const LONG =
  "/organizations/{organization_id}/repositories/{repository}/hooks/{hook_id}/deliveries";

/** The table of operations in a text report. */
function table(report: Report, options: Partial<TextReportOptions> = {}): string {
  const text = generateTextReport(report, {
    width: 80,
    colored: false,
    wrapPaths: false,
    ...options,
  });
  return text.split("\n\n").slice(2).join("\n\n");
}

function books(path: string, hits: number, tags: readonly string[] = []): ReportOperation {
  return anOperation({ method: "GET", path, hits, tags });
}

function reportWith(operations: readonly ReportOperation[], gaps: readonly Gap[] = []): Report {
  return shopReport({
    operations,
    gaps,
    unmatched: [],
    unmatched_total: 0,
    diagnostics: [],
    summary: aSummary({
      operations: [operations.filter(({ hits }) => hits > 0).length, operations.length],
      responses: [0, operations.length],
    }),
  });
}

function parameterGap(operation: ReportOperation, parameter: string): Gap {
  const { method, path } = operation;
  return { kind: "parameter_uncovered", method, path, location: "query", parameter };
}

/** The paths in the table, in order. */
function listPaths(text: string): string[] {
  return [...text.matchAll(/^GET {1,2}(\S+)/gm)].map(([, path]) => path ?? "");
}

Deno.test("in files and pipes, a path is never wrapped, however long it is", () => {
  const text = table(reportWith([books(LONG, 3)]));
  assert.match(text, new RegExp(`^GET ${LONG.replace(/[{}]/g, "\\$&")} +3 `, "m"));
});

Deno.test("on a terminal, a path that is too long is on a line above its numbers", () => {
  const text = table(reportWith([books("/users", 1), books(LONG, 3)]), {
    width: 100,
    wrapPaths: true,
  });
  assert.match(text, new RegExp(`^GET ${LONG.replace(/[{}]/g, "\\$&")}\n +3 `, "m"));
  assert.match(text, /^GET \/users +1 /m);
});

Deno.test("a terminal narrower than a path wraps it before a slash, completely", () => {
  const text = table(reportWith([books(LONG, 3)]), { width: 44, wrapPaths: true });
  for (const line of text.split("\n")) assert.ok(textWidth(line) <= 44, line);
  assert.ok(text.replaceAll(/\n */g, "").includes(LONG), text);
  assert.match(text, /^GET \/organizations\/\{organization_id\}\n {4}\/repositories/m);
});

Deno.test("every operation appears exactly once and totals don't change, in any arrangement without --top", () => {
  const operation = fc.record({
    path: fc.array(fc.constantFrom("a", "b", "{id}", "longer-segment"), { maxLength: 5 })
      .map((segments) => `/${segments.join("/")}`),
    hits: fc.nat(3),
    tags: fc.subarray(["books", "authors", "café"]),
    gaps: fc.nat(3),
  });
  fc.assert(fc.property(
    fc.uniqueArray(operation, { selector: ({ path }) => path, minLength: 1, maxLength: 12 }),
    fc.constantFrom(undefined, ...GROUPINGS),
    fc.constantFrom(undefined, ...SORTINGS),
    fc.option(fc.nat(4), { nil: undefined }),
    (drawn, groupBy, sort, top) => {
      const operations = drawn.map(({ path, hits, tags }) => books(path, hits, tags));
      const gaps = drawn.flatMap((item, index) =>
        Array.from(
          { length: item.gaps },
          (_, at) => parameterGap(operations[index] as ReportOperation, `p${at}`),
        )
      );
      const report = reportWith(operations, gaps);
      const totals = (text: string) =>
        text.split("\n").find((line) => line.startsWith("Total of"))?.replaceAll(/ +/g, " ");
      const all = table(report, { groupBy, sort });
      assert.deepEqual(listPaths(all).toSorted(), operations.map(({ path }) => path).toSorted());
      const some = table(report, { groupBy, sort, top });
      assert.equal(totals(some), totals(table(report)));
      const left = operations.length - listPaths(some).length;
      assert.equal(some.includes(`… and ${left} more operation`), left > 0);
      if (groupBy !== undefined) {
        const sizes = [...all.matchAll(/^\S+(?: tag\))? \((\d+)\) /gm)].map(([, size]) =>
          Number(size)
        );
        assert.equal(sizes.reduce((sum, size) => sum + size, 0), operations.length);
      }
    },
  ));
});

Deno.test("operations are sorted by most gaps, most hits, lowest coverage, or path", () => {
  const withExamples = (operation: ReportOperation, seen: number, total: number) => {
    const examples = { seen, total, percent: 100 * seen / total };
    return { ...operation, summary: { ...operation.summary, examples } };
  };
  const report = reportWith([
    withExamples(books("/b", 2), 4, 8),
    books("/c", 0),
    withExamples(books("/a", 5), 10, 13),
  ]);
  assert.deepEqual(listPaths(table(report)), ["/b", "/c", "/a"]);
  assert.deepEqual(listPaths(table(report, { sort: "gaps" })), ["/b", "/a", "/c"]);
  assert.deepEqual(listPaths(table(report, { sort: "hits" })), ["/a", "/b", "/c"]);
  assert.deepEqual(listPaths(table(report, { sort: "coverage" })), ["/c", "/b", "/a"]);
  assert.deepEqual(listPaths(table(report, { sort: "path" })), ["/a", "/b", "/c"]);
});

Deno.test("a group has the totals of its operations, and --top 0 shows only groups", () => {
  const report = reportWith([
    books("/books", 2, ["books", "public"]),
    books("/health", 0),
    books("/books/{id}", 3, ["books"]),
  ]);
  const text = table(report, { groupBy: "tag", top: 0 });
  assert.match(text, /^books \(2\) +5 .* 2\/2$/m);
  assert.match(text, /^\(no tag\) \(1\) +0 .* 0\/1$/m);
  assert.match(text, /^… and 3 more operations\. --top all lists every operation\.$/m);
  assert.match(table(report, { groupBy: "path" }), /^\/books \(2\) +5 /m);
});

Deno.test("grouping by path skips the segments that all paths share", () => {
  const report = reportWith([books("/api/v1/books", 1), books("/api/v1/authors/{id}", 1)]);
  const text = table(report, { groupBy: "path" });
  assert.match(text, /^\/api\/v1\/books \(1\)/m);
  assert.match(text, /^\/api\/v1\/authors \(1\)/m);
});

Deno.test("long lists of what is missing are folded, with a count, and equal entries are merged", () => {
  const operations = Array.from({ length: 60 }, (_, index) => books(`/items/${index}`, 1));
  const gaps = operations.flatMap((operation) =>
    Array.from({ length: 9 }, (_, index) => parameterGap(operation, `p${index}`))
  );
  const report = reportWith(operations, gaps);
  const showMissing = ["parameters"] as const;
  const text = table(report, { showMissing });
  assert.equal(text.match(/query p4 and 4 more/g)?.length, 60);
  assert.ok(!/^ {4}\S.*query p5/m.test(text));
  assert.match(text, /^540 entries are missing, of which 300 are listed\. --top all lists/m);
  assert.match(text, /^ +60 {2}parameter query p8$/m);
  const everything = table(report, { showMissing, top: "all" });
  assert.equal(everything.match(/query p8/g)?.length, 60);
  assert.ok(!everything.includes("entries are missing"));
});

Deno.test("in folded lists, an operation that was never called has only one entry", () => {
  const never = books("/never", 0);
  const operations = [never, ...Array.from({ length: 60 }, (_, at) => books(`/items/${at}`, 1))];
  const gaps: Gap[] = [
    { kind: "operation_uncovered", method: "GET", path: "/never" },
    ...operations.flatMap((operation) =>
      Array.from({ length: 9 }, (_, index) => parameterGap(operation, `p${index}`))
    ),
  ];
  const text = table(reportWith(operations, gaps), { showMissing: ["operations", "parameters"] });
  assert.match(text, /^GET \/never .*\n {4}never called\nGET/m);
});

Deno.test("a long API name is on a line above its numbers, and isn't cut", () => {
  const long = "a-name-of-an-api-that-is-longer-than-what-the-numbers-leave-for-it";
  const apis = ["shop", long].map((name) => ({ name, report: reportWith([]), input: {} }));
  const [overview = ""] = generateTextReports(apis);
  assert.match(overview, new RegExp(`\\nshop +\\S.*\\n${long}\\n +\\S`));
  for (const line of overview.split("\n")) assert.ok(textWidth(line) <= 80, line);
});
