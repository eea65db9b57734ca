import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { parseDocument } from "../../src/openapi/parse_document.ts";

/** As Docker's Engine API writes it. */
const DESCRIPTION = `swagger: "2.0"
info: { title: Engine, version: "1" }
paths:
  /containers/json:
    get:
      parameters:
        - name: status
          in: query
          type: string
          enum: [
            created,
            running
          ]
          description: "The state
          of the container"
          maxLength: 9
      responses:
        200: { description: All }
`;

Deno.test("a description whose brackets close at the key's indentation loads, with a diagnostic", async () => {
  const folder = await Deno.makeTempDir({ prefix: "covtool" });
  try {
    await Deno.writeTextFile(`${folder}/docker.yaml`, DESCRIPTION);
    const map = await CoverageMap.fromPath(`${folder}/docker.yaml`);
    assert.deepEqual(map.diagnostics(), [{
      severity: "warning",
      code: "deficient_indentation",
      message:
        "This line continues a list, a mapping or a text in quotes, but is not indented deeper than its key. covtool reads it, but YAML 1.2 does not allow it.",
      schema_path: "",
      line: 13,
      column: 11,
    }]);
    map.record({ method: "GET", url: "/containers/json?status=running" });
    const { positions } = map.sourceCoverage();
    const own = "/paths/~1containers~1json/get/parameters/0";
    const lineOf = (keyword: string) => {
      const { line, column } = positions.get(`${own}/${keyword}`) ?? {};
      return [line, column];
    };
    assert.deepEqual(lineOf("enum"), [10, 11]);
    assert.deepEqual(lineOf("maxLength"), [16, 11]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an error behind such a line has its own position", () => {
  assert.throws(() => parseDocument('a: [\n]\nb: [\nc, "d\ne" f: }\n', "a.yaml"), {
    name: "DescriptionError",
    line: 5,
  });
  const repeated = parseDocument("a: [\n]\nb: {\nc: 1,\nc: 2 }\n", "a.yaml");
  assert.deepEqual(repeated.repeatedKeys, [{ pointer: "/b/c", key: "c", line: 5, column: 1 }]);
  assert.deepEqual(repeated.unindented, { line: 2, column: 1 });
});

Deno.test("YAML that is broken otherwise is refused as before", () => {
  assert.throws(() => parseDocument("a: b: c\n", "a.yaml"), { line: 1 });
  assert.throws(() => parseDocument("a: [\n", "a.yaml"), { name: "DescriptionError" });
});
