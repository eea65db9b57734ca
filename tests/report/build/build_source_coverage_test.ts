import assert from "node:assert/strict";
import { CoverageMap } from "../../../src/coverage_map/coverage_map.ts";
import { SOURCE_BOOK, withSourceShop } from "../source_shop.ts";
import { shopApi } from "../../shop_api.ts";
import { inFolder } from "../../in_folder.ts";

Deno.test("everything that counts is marked at its line, in all files of a description", () =>
  withSourceShop((map, folder) => {
    const { files } = map.sourceCoverage();
    assert.deepEqual(
      files.map(({ path }) => path),
      [`${folder}/openapi.yaml`, `${folder}/common/book.json`],
    );
    const lines = files.map(({ marks }) =>
      marks.map(({ line, kind, hits, evaluations }) =>
        `${line} ${kind} ${hits}` +
        (evaluations === null ? "" : ` ${evaluations.valid}/${evaluations.invalid}`)
      )
    );
    assert.deepEqual(lines, [
      [
        ...["7 operation 4", "9 parameter 3", "11 example 0", "13 keyword 3 3/0"],
        ...["14 keyword 3 2/1", "15 parameter 1", "15 example 1", "15 keyword 1 1/0"],
        ...["17 response 4", "18 response 0", "20 operation 0", "23 parameter 0", "26 response 0"],
        ...["28 operation 0", "30 response 0", "33 parameter 1", "38 keyword 1 1/0"],
      ],
      [
        ...["3 keyword 0 0/0", "4 keyword 0 0/0", "5 keyword 0 0/0", "7 keyword 0 0/0"],
        "8 keyword 0 0/0",
      ],
    ]);
    assert.deepEqual(files[0]?.operations, [
      { name: "GET /books", line: 7, hits: 4 },
      { name: "POST /books", line: 20, hits: 0 },
      { name: "DELETE /books/{id}", line: 28, hits: 0 },
    ]);
  }));

Deno.test("columns are those of the key or of the list item", () =>
  withSourceShop((map, folder) => {
    const { positions } = map.sourceCoverage();
    const path = `${folder}/openapi.yaml`;
    assert.deepEqual(positions.get("/paths/~1books/get"), { path, line: 7, column: 5 });
    assert.deepEqual(
      positions.get("/paths/~1books/get/parameters/0"),
      { path, line: 9, column: 11 },
    );
    assert.deepEqual(
      positions.get("common/book.json#/Book/properties/title/maxLength"),
      { path: `${folder}/common/book.json`, line: 8, column: 9 },
    );
  }));

Deno.test("a component that two operations reach is marked once, with the sum", () =>
  withSourceShop((map) => {
    map.record({ method: "POST", url: "http://localhost/books", headers: { "X-Trace": "ab" } });
    const trace = map.sourceCoverage().files[0]?.marks.filter(({ line }) => line >= 33);
    assert.deepEqual(trace?.map(({ hits, evaluations }) => [hits, evaluations]), [
      [2, null],
      [2, { valid: 1, invalid: 1 }],
    ]);
  }));

Deno.test("parts that a YAML alias repeats are marked once", async () => {
  const description = `openapi: 3.1.0
info: { title: A, version: "1" }
paths:
  /a:
    get: &get
      responses:
        "200": { description: Fine }
  /b:
    get: *get
`;
  const map = await inFolder(
    { "api.yaml": description },
    (folder) => CoverageMap.fromPath(`${folder}/api.yaml`),
  );
  for (const name of ["a", "a", "b"]) {
    map.record({ method: "GET", url: `http://localhost/${name}` }, { status_code: 200 });
  }
  const [file] = map.sourceCoverage().files;
  assert.deepEqual(file?.marks.map(({ line, kind, hits }) => [line, kind, hits]), [
    [5, "operation", 2],
    [7, "response", 3],
    [9, "operation", 1],
  ]);
});

Deno.test("a description given as an object has no lines, and the error says so", () => {
  const map = CoverageMap.fromDict(shopApi({}));
  for (const format of ["lcov", "cobertura", "sarif"] as const) {
    assert.throws(() => map.generateReport({ format }), {
      name: "TypeError",
      message: /given as an object has none\. Load it with CoverageMap\.fromPath\(\)/,
    });
  }
});

Deno.test("a single-line JSON description has one line", () => {
  const content = { "application/json": { schema: JSON.parse(SOURCE_BOOK).Book } };
  const api = shopApi({ "/a": { post: { requestBody: { content }, responses: {} } } });
  return inFolder({ "api.json": api }, async (folder) => {
    const { files } = (await CoverageMap.fromPath(`${folder}/api.json`)).sourceCoverage();
    assert.equal(files[0]?.marks.length, 7);
    assert.ok(files[0].marks.every(({ line }) => line === 1));
  });
});
