import assert from "node:assert/strict";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import type { ResponsePartPlace } from "../../src/map/noticed_hits.ts";
import { generateJunitReport } from "../../src/report/junit_report.ts";
import { generateMarkdownReport } from "../../src/report/markdown_report.ts";
import { generateTextReport } from "../../src/report/text_report.ts";
import { assertionCode } from "../../src/report/wording/noticed_wording.ts";

const BOOK = { type: "object", properties: { author: { properties: { name: {} } } } };

/** An API whose tests notice the status and the author, but not the name. The header was not tried. */
function mutated(): MeasuredApi {
  const content = { "application/json": { schema: BOOK } };
  const headers = { "X-Total": { schema: { type: "integer" } } };
  const api = MeasuredApi.fromDict({
    openapi: "3.1.0",
    info: { title: "Books", version: "1" },
    paths: { "/book": { get: { responses: { 200: { description: "", content, headers } } } } },
  });
  api.record({ method: "GET", url: "http://localhost/book" }, { status_code: 200 });
  const { noticed } = api.hits;
  const add = (part: ResponsePartPlace["part"], path: string, results: string): void => {
    const place = { operation: 0, response: 0, part, path, schema_path: "" };
    noticed.part(place).reached = 1;
    if (results === "noticed") noticed.add(place, "removed", { runs: 2, noticed: 1 });
    if (results === "passed") noticed.add(place, "removed", { runs: 1, passed: 1 });
  };
  add("status", "", "noticed");
  add("body", "", "noticed");
  add("property", "/author", "noticed");
  add("property", "/author/name", "passed");
  add("header", "X-Total", "");
  return api;
}

Deno.test("a report has every part with its verdict, and summaries of the API and of operations", () => {
  const report = mutated().report({ generatedAt: "2026-01-01T00:00:00Z" });
  assert.deepEqual(
    report.noticed?.map(({ part, name, state, reason }) => [part, name, state, reason]),
    [
      ["status", undefined, "noticed", undefined],
      ["body", undefined, "noticed", undefined],
      ["property", "author", "noticed", undefined],
      ["property", "name", "unnoticed", undefined],
      ["header", "X-Total", "not_tried", "No run was left to try it."],
    ],
  );
  const summary = { noticed: 3, unnoticed: 1, not_tried: 1, total: 5, percent: 75, measured: true };
  assert.deepEqual(report.summary.noticed, summary);
  assert.deepEqual(report.operations[0]?.summary.noticed, summary);
});

Deno.test("changes result in the same bytes, whatever the order in which they were tried", () => {
  const exported = (...changes: readonly string[]): Uint8Array => {
    const api = mutated();
    const place = { operation: 0, response: 0, part: "status", path: "", schema_path: "" } as const;
    for (const change of changes) api.hits.noticed.add(place, change, { runs: 1, noticed: 1 });
    return api.exportHits();
  };
  assert.deepEqual(exported("500", "404"), exported("404", "500"));
});

Deno.test("verdicts are carried over to another description for the parts that it documents", () => {
  const schema = { $ref: "#/components/schemas/Book" };
  const content = { "application/json": { schema } };
  const headers = { "x-total": { schema: { type: "integer" } } };
  const description = (properties: object) => ({
    openapi: "3.1.0",
    info: { title: "Books", version: "2" },
    paths: { "/book": { get: { responses: { 200: { description: "", content, headers } } } } },
    components: { schemas: { Book: { properties } } },
  });
  const carried = (properties: object) => {
    const api = MeasuredApi.fromDict(description(properties));
    const dropped = api.mergeHits(mutated().exportHits(), { carry: true });
    const parts = api.report().noticed?.map(({ name, schema_path }) => [name, schema_path]);
    return { parts, dropped: dropped.map(({ schema_path }) => schema_path) };
  };
  const book = "/components/schemas/Book/properties/author";
  const response = "/paths/~1book/get/responses/200";
  const around = [[undefined, response], [
    undefined,
    `${response}/content/application~1json`,
  ]];
  const header = ["x-total", `${response}/headers/x-total`];
  assert.deepEqual(carried(BOOK.properties), {
    parts: [...around, ["author", book], ["name", `${book}/properties/name`], header],
    dropped: [],
  });
  assert.deepEqual(carried({ author: { type: "string" } }), {
    parts: [...around, ["author", book], header],
    dropped: [""],
  });
});

Deno.test("parts of something that no test notices are unnoticed without a try", () => {
  const api = mutated();
  const place = { operation: 0, response: 0, schema_path: "" };
  const author = { ...place, part: "property", path: "/author" } as const;
  api.hits.noticed.part(author).changes.clear();
  api.hits.noticed.add(author, "removed", { runs: 1, passed: 1 });
  api.hits.noticed.part({ ...place, part: "property", path: "/author/name" }).changes.clear();
  const name = api.report().noticed?.find(({ name }) => name === "name");
  assert.equal(name?.state, "unnoticed");
  assert.equal(name.reason, "No test fails when what holds it is missing.");
});

Deno.test("text, Markdown and JUnit list the assertions worth adding", () => {
  const report = mutated().report();
  const text = generateTextReport(report, { width: 80, colored: false });
  assert.match(text, /Noticed +3 of 4 parts of responses noticed when they change \(75%\)/);
  assert.match(text, /Assertions worth adding: 1\n/);
  assert.match(text.replace(/\s+/g, " "), /property author\.name is missing: expect\(body\.author/);
  const markdown = generateMarkdownReport([{ name: undefined, report, input: {} }]);
  assert.match(markdown, /<summary>Assertions worth adding: 1<\/summary>/);
  const junit = generateJunitReport([{ name: undefined, report, input: {} }]);
  assert.match(junit, /name="unnoticed"[^>]*>\n +<skipped message="1 unnoticed part"\/>/);
});

Deno.test("an assertion is a line in the language of the tests", () => {
  const part = {
    method: "GET",
    path: "/",
    status_code: "200",
    schema_path: "",
    state: "unnoticed",
    changes: [],
    responses: 1,
    reached_by: [],
    part: "property",
    name: "a-b",
    instance_path: "/*/a-b/c",
  } as const;
  assert.equal(assertionCode(part, undefined), 'expect(body[0]["a-b"].c).toEqual(…);');
  assert.equal(assertionCode(part, ["tests/test_a.py > a"]), 'assert body[0]["a-b"]["c"] == …');
  const status = { ...part, part: "status" } as const;
  assert.equal(assertionCode(status, []), "expect(response.status).toBe(200);");
  const java = ["src/test/java/example/BooksTest.java > lists()"];
  assert.equal(assertionCode(part, java), `assertEquals(…, JsonPath.read(body, "$[0]['a-b'].c"));`);
  assert.equal(assertionCode(status, java), "assertEquals(200, response.statusCode());");
  const go = ["books_test.go > TestBooks"];
  assert.equal(assertionCode(part, go), 'if got := body[0]["a-b"]["c"]; got != … { t.Error(got) }');
});
