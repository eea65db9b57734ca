import assert from "node:assert/strict";
import { indentYaml } from "../../src/values/indent_yaml.ts";

/** What becomes of a text; the text itself where nothing does. */
function indented(lines: readonly string[]): string[] {
  const text = lines.join("\n");
  return (indentYaml(text)?.text ?? text).split("\n");
}

Deno.test("indentYaml() indents closing brackets and items that stand no deeper than the key", () => {
  assert.deepEqual(
    indented(["a:", "  b: [", "x,", "  y", "  ]", "  c: {", "    d: e", "}", "f: g"]),
    ["a:", "  b: [", "   x,", "   y", "   ]", "  c: {", "    d: e", "   }", "f: g"],
  );
  assert.deepEqual(indented(["- - [", "x", "  ]", "- [", "]"]), [
    "- - [",
    "   x",
    "   ]",
    "- [",
    " ]",
  ]);
});

Deno.test("indentYaml() indents what continues a text in quotes", () => {
  assert.deepEqual(
    indented(["a:", '  b: "x', '  y\\"', "", 'z"', "  c: 'it''s", "d: '", "e: f"]),
    ["a:", '  b: "x', '   y\\"', "", '   z"', "  c: 'it''s", "   d: '", "e: f"],
  );
});

Deno.test("indentYaml() leaves what only looks like a bracket or a quote", () => {
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

Deno.test("indentYaml() finds the end of a flow collection behind quotes, comments and nested ones", () => {
  assert.deepEqual(
    indented(["a: [", "\"]\", ']', it's, # ]", '{"b":"}"},', "c: [d]", "]", "e: f"]),
    ["a: [", " \"]\", ']', it's, # ]", ' {"b":"}"},', " c: [d]", " ]", "e: f"],
  );
});

Deno.test("indentYaml() does not take the end of a document for text", () => {
  assert.equal(indentYaml("a: 'x\n---\nb: c\n"), undefined);
});

Deno.test("indentYaml() knows where everything stood", () => {
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

Deno.test("indentYaml() takes time in proportion to the text", () => {
  const count = (lines: number): number => {
    const text = "a:\n" + "- [\nx\n]\n- 'y\nz'\n".repeat(lines);
    return (indentYaml(text)?.text.length ?? 0) - text.length;
  };
  assert.equal(count(20_000), 20_000 * 3);
});
