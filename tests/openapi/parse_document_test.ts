import assert from "node:assert/strict";
import { DescriptionError } from "../../src/values/errors.ts";
import { parseDocument } from "../../src/openapi/parse_document.ts";

function parse(text: string): unknown {
  return parseDocument(text, "api.yaml").value;
}

function parseError(text: string): DescriptionError {
  try {
    parse(text);
  } catch (error) {
    assert(error instanceof DescriptionError);
    return error;
  }
  assert.fail("no error");
}

Deno.test("parseDocument() detects JSON and YAML by content", () => {
  assert.equal(parseDocument('\ufeff {"a": 1}', "x.yaml").syntax, "json");
  assert.equal(parseDocument("a: 1", "x.json").syntax, "yaml");
  assert.deepEqual(parse("\ufeffa: 1"), { a: 1 });
  assert.deepEqual(parse("{a: 1, b: [x, 'y'],}"), { a: 1, b: ["x", "y"] });
});

Deno.test("parseDocument() reads YAML 1.2: dates, yes, on and sexagesimal numbers are strings", () =>
  assert.deepEqual(
    parse("a: 2020-01-01\nb: yes\nc: on\nd: 1:30\ne: 2001-12-14t21:59:43.10-05:00\nf: n\ng: 1_000"),
    {
      a: "2020-01-01",
      b: "yes",
      c: "on",
      d: "1:30",
      e: "2001-12-14t21:59:43.10-05:00",
      f: "n",
      g: "1_000",
    },
  ));

Deno.test("parseDocument() reads the numbers, booleans and nulls of the core schema", () =>
  assert.deepEqual(
    parse(
      "[1, -2, +3, 0o17, 0xfF, 1.5, .5, 1e3, -.inf, true, False, NULL, ~, '1', \"true\", 1.2.3, 0x, .]",
    ),
    [
      ...[1, -2, 3, 15, 255, 1.5, 0.5, 1000, -Infinity, true, false, null, null],
      ...["1", "true", "1.2.3", "0x", "."],
    ],
  ));

Deno.test("parseDocument() keeps keys as written", () =>
  assert.deepEqual(parse("200: a\n1.0: b\non: c\nnull: d\n'x y': e\n? long\n: f\n__proto__: g"), {
    "200": "a",
    "1.0": "b",
    on: "c",
    null: "d",
    "x y": "e",
    long: "f",
    ["__proto__"]: "g",
  }));

Deno.test("parseDocument() copies the values of aliases, so that no object is shared", () => {
  const { a, b, c } = parse("a: &x {n: [1]}\nb: *x\nc: [*x, &s text, *s]") as Record<
    string,
    unknown
  >;
  assert.deepEqual(b, a);
  assert.notEqual(b, a);
  assert.deepEqual(c, [{ n: [1] }, "text", "text"]);
});

Deno.test("parseDocument() follows merge keys, and own entries and earlier sources take precedence", () =>
  assert.deepEqual(
    parse("a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  <<: [*a, *b]\n  x: 9\nd: {<<: text}"),
    { a: { x: 1, y: 2 }, b: { y: 3, z: 4 }, c: { x: 9, y: 2, z: 4 }, d: { "<<": "text" } },
  ));

Deno.test("parseDocument() ignores unknown tags and follows the core schema's", () =>
  assert.deepEqual(parse("a: !Sub ${x}\nb: !!str 5\nc: !!int '7'\nd: !thing {e: 1}"), {
    a: "${x}",
    b: "5",
    c: 7,
    d: { e: 1 },
  }));

Deno.test("parseDocument() refuses aliases that grow exponentially", () => {
  let text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (let level = 1; level < 9; level++) {
    text += `a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]\n`;
  }
  const error = parseError(text);
  assert.match(error.message, /more than 1,000,000 values/);
  assert.equal(error.code, "syntax");
});

Deno.test("parseDocument() refuses an alias inside its own anchor or without an anchor", () => {
  assert.match(parseError("a: &a [*a]").message, /line 1, column 8: .*\$ref/);
  assert.match(parseError("a: *b").message, /line 1, column 4: .*&b/);
});

Deno.test("parseDocument() lists repeated keys, and the last one counts", () => {
  const { value, repeatedKeys } = parseDocument("a:\n  - b: 1\n    c/d: 2\n    c/d: 3\n", "x");
  assert.deepEqual(value, { a: [{ b: 1, "c/d": 3 }] });
  assert.deepEqual(repeatedKeys, [{ pointer: "/a/0/c~1d", key: "c/d", line: 4, column: 5 }]);
});

Deno.test("parseDocument() reports line and column of broken YAML, also with tabs", () => {
  const tabs = parseError("a:\n\tb: 1\n");
  assert.match(tabs.message, /^Cannot load api\.yaml: line 2, column 1: .*tabs/);
  assert.deepEqual([tabs.line, tabs.column], [2, 1]);
  assert.equal(parseError("a: [1, 2\nb: 3").line, 2);
  const comment = parseError("$ref: 'a.yaml'# all of it\nb: 1\n");
  assert.match(comment.message, /line 1, column 15: .*space before its `#`/);
});

Deno.test("parseDocument() says where the description begins after other output of a program", () => {
  for (
    const printed of ["[dotenv] injecting 3 variables", "Starting: the API", "INFO: a\nINFO: b"]
  ) {
    const line = printed.split("\n").length + 1;
    assert.match(
      parseError(`${printed}\n{"info":{},"openapi":"3.1.0"}\n`).message,
      new RegExp(`: The description begins in line ${line}\\. Delete what was printed before it`),
    );
  }
});

Deno.test("parseDocument() reports line and column of broken JSON", () => {
  const error = parseError('{\n  "openapi": "3.1.0",\n  "paths": {,}\n}');
  assert.match(error.message, /^Cannot load api\.yaml: line 3, column 13: The JSON is broken/);
});

Deno.test("parseDocument() accepts JSON with a trailing comma, which YAML allows", () =>
  assert.deepEqual(parse('{"a": [1, 2,], # why not\n}'), { a: [1, 2] }));

Deno.test("parseDocument() has messages for empty files, web pages, XML and binary data", () => {
  assert.equal(parseError(" \n\t ").code, "empty");
  assert.match(parseError("<!DOCTYPE html><html></html>").message, /HTML page/);
  assert.match(parseError("<?xml version='1.0'?><a/>").message, /XML/);
  assert.equal(parseError("PK\u0003\u0004\0\0").code, "binary");
});

Deno.test("parseDocument() refuses several YAML documents, but not an empty second one", () => {
  assert.match(parseError("a: 1\n---\nb: 2\n").message, /line 3.*several YAML documents/);
  assert.deepEqual(parse("---\na: 1\n---\n"), { a: 1 });
  assert.deepEqual(parse("%YAML 1.2\n---\na: 1\n...\n"), { a: 1 });
});

Deno.test("parseDocument() refuses a mapping as a key and nesting that is too deep", () => {
  assert.match(parseError("? {a: 1}\n: b").message, /key must be text/);
  assert.match(parseError("[".repeat(5_000)).message, /nested|broken/);
});
