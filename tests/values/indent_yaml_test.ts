import { indentYaml } from "../../src/values/indent_yaml.ts";
import { CoverageMap } from "../../mod.ts";
import { parseDocument } from "../../src/openapi/parse_document.ts";
import { inFolder } from "../in_folder.ts";
import assert from "node:assert/strict";

/** Like the description of Docker's Engine API. */
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

Deno.test("a description whose brackets close at the key's indentation loads with a diagnostic", () =>
  inFolder({}, async (folder) => {
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
    const position = (keyword: string) => {
      const { line, column } = positions.get(`${own}/${keyword}`) ?? {};
      return [line, column];
    };
    assert.deepEqual(position("enum"), [10, 11]);
    assert.deepEqual(position("maxLength"), [16, 11]);
  }));

Deno.test("an error after such a line has its own position", () => {
  assert.throws(() => parseDocument('a: [\n]\nb: [\nc, "d\ne" f: }\n', "a.yaml"), {
    name: "DescriptionError",
    line: 5,
  });
  const repeated = parseDocument("a: [\n]\nb: {\nc: 1,\nc: 2 }\n", "a.yaml");
  assert.deepEqual(repeated.repeatedKeys, [{ pointer: "/b/c", key: "c", line: 5, column: 1 }]);
  assert.deepEqual(repeated.unindented, { line: 2, column: 1 });
});

Deno.test("YAML with other errors is refused as before", () => {
  assert.throws(() => parseDocument("a: b: c\n", "a.yaml"), { line: 1 });
  assert.throws(() => parseDocument("a: [\n", "a.yaml"), { name: "DescriptionError" });
});

/** The changed text, or the text itself if nothing changes. */
function indented(lines: readonly string[]): string[] {
  const text = lines.join("\n");
  return (indentYaml(text)?.text ?? text).split("\n");
}

Deno.test("indentYaml() indents closing brackets and items that aren't deeper than the key", () => {
  assert.deepEqual(
    indented(["a:", "  b: [", "x,", "  y", "  ]", "  c: {", "    d: e", "}", "f: g"]),
    ["a:", "  b: [", "   x,", "   y", "   ]", "  c: {", "    d: e", "   }", "f: g"],
  );
  assert.deepEqual(indented(["- - [", "x", "  ]", "- [", "]"]), [
    ...["- - [", "   x", "   ]", "- [", " ]"],
  ]);
});

Deno.test("indentYaml() indents continuation lines of quoted text", () =>
  assert.deepEqual(
    indented(["a:", '  b: "x', '  y\\"', "", 'z"', "  c: 'it''s", "d: '", "e: f"]),
    ["a:", '  b: "x', '   y\\"', "", '   z"', "  c: 'it''s", "   d: '", "e: f"],
  ));

Deno.test("indentYaml() ignores what only looks like a bracket or a quote", () => {
  const texts = [
    ["a: it's [not", 'b: a "quote', "c: d"],
    ["a: |", "  [", "  'x", "b: >-", "  {", '  - "', "c: d"],
    ["- a: |", "    [", "  b: x", "- |", " [", "- c"],
    ["a: text", "  [goes on", "  'here", "b: c"],
    ["# [", "a: b # {", "c: d"],
    ["a: !tag &anchor [x, y]", "b: *alias", '"c": d', "'e': f"],
    ["%YAML 1.2", "---", "a: [it's, b\"c, http://x]", "...", "--- |", " ["],
    ["? a", ": - b", "  - c: d", "e: - f"],
  ];
  for (const lines of texts) assert.equal(indentYaml(lines.join("\n")), undefined, lines.join("|"));
});

Deno.test("indentYaml() finds the end of a flow collection after quotes, comments and nested ones", () =>
  assert.deepEqual(
    indented(["a: [", "\"]\", ']', it's, # ]", '{"b":"}"},', "c: [d]", "]", "e: f"]),
    ["a: [", " \"]\", ']', it's, # ]", ' {"b":"}"},', " c: [d]", " ]", "e: f"],
  ));

Deno.test("indentYaml() doesn't read the end of a document as text", () =>
  assert.equal(indentYaml("a: 'x\n---\nb: c\n"), undefined));

Deno.test("indentYaml() maps positions to the original text", () => {
  const text = "a:\r\n  b: [\r\nx,\r\n\ty\r\n  ]\r\nc: d\r\n";
  const found = indentYaml(text);
  assert.ok(found !== undefined);
  assert.equal(found.first, text.indexOf("x"));
  for (const word of ["a", "b", "x", "y", "]", "c", "d"]) {
    assert.equal(found.originalOffset(found.text.indexOf(word)), text.indexOf(word), word);
  }
  assert.equal(found.originalOffset(found.text.indexOf("x") - 1), text.indexOf("x"));
  assert.equal(found.originalOffset(found.text.length), text.length);
});

Deno.test("indentYaml() takes linear time", () => {
  const count = (lines: number): number => {
    const text = "a:\n" + "- [\nx\n]\n- 'y\nz'\n".repeat(lines);
    return (indentYaml(text)?.text.length ?? 0) - text.length;
  };
  assert.equal(count(20_000), 20_000 * 3);
});
