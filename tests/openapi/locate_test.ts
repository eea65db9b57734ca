import { findMember, joinPointer, pointerTokens } from "../../src/values/json_pointer.ts";
import { locatePaths, locatePointers } from "../../src/openapi/locate.ts";
import { parseDocument } from "../../src/openapi/parse_document.ts";
import { MAX_LEVELS } from "../../src/openapi/read_yaml.ts";
import { loadFromDict, loadFromPath } from "../../src/openapi/load.ts";
import { inFolder } from "../in_folder.ts";
import assert from "node:assert/strict";
import fc from "fast-check";

/** Yields every pointer into a value. */
function* listPointers(value: unknown, tokens: readonly string[] = []): Generator<string> {
  yield joinPointer(tokens);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* listPointers(member, [...tokens, key]);
}

const values = fc.jsonValue({ maxDepth: 4 }).map((value) => ({ "a/b~": value, list: [value, []] }));
const lists = (pointers: readonly string[]) => fc.subarray([...pointers], { minLength: 1 });

Deno.test("locatePointers() finds each key and item in JSON with any formatting", () => {
  const changes = fc.constantFrom<((text: string) => string)>(
    String,
    (text) => `${text}\n`,
    (text) => text.replace("\n", "\n\n"),
    (text) => text.replace(",\n", ", "),
    (text) => text.replaceAll("[]", "[\n]"),
    (text) => text.replace('"list"', '"list": 1,\n  "list"'),
    (text) => text.replaceAll("\n", "\r\n"),
  );
  fc.assert(
    fc.property(
      values.chain((value) => fc.tuple(fc.constant(value), lists([...listPointers(value)]))),
      fc.constantFrom<string | number>(0, 2, 4, "\t"),
      changes,
      ([value, pointers], indent, change) => {
        const text = change(JSON.stringify(value, null, indent));
        const found = locatePointers(text, "json", pointers);
        assert.deepEqual([...found.keys()].sort(), [...pointers].sort());
        const printed = text.split(/\r?\n/);
        for (const [pointer, { line, column, endLine }] of found) {
          const tokens = pointerTokens(pointer);
          const parent = tokens.slice(0, -1).reduce<unknown>(findMember, value);
          const own = JSON.stringify(tokens.reduce<unknown>(findMember, value));
          const isMember = tokens.length > 0 && !Array.isArray(parent);
          const start = isMember ? JSON.stringify(tokens.at(-1)) : own.charAt(0);
          assert.ok(printed[line - 1]?.startsWith(start, column - 1), pointer);
          assert.ok(endLine >= line && endLine <= printed.length, pointer);
        }
      },
    ),
  );
});

const ENTRY = `openapi: 3.1.0
info: { title: A, version: "1" }
paths:
  /a:
    post:
      requestBody:
        content:
          application/json:
            schema: { $ref: "common.json#/User" }
`;
const COMMON = `{
  "User": {
    "type": "object",
    "required": ["name"]
  }
}
`;

Deno.test("locatePaths() finds paths in several files, with their labels", () =>
  inFolder({ "openapi.yaml": ENTRY, "common.json": COMMON }, async (folder) => {
    const set = await loadFromPath(`${folder}/openapi.yaml`);
    const found = locatePaths(set, [
      ...["/paths/~1a/post", "common.json#/User/required", "common.json#", "common.json#/Nobody"],
      "other.json#/User",
    ]);
    assert.deepEqual(Object.fromEntries(found), {
      "/paths/~1a/post": { label: "", pointer: "/paths/~1a/post", line: 5, column: 5, endLine: 9 },
      "common.json#/User/required": {
        label: "common.json",
        pointer: "/User/required",
        line: 4,
        column: 5,
        endLine: 4,
      },
      "common.json#": { label: "common.json", pointer: "", line: 1, column: 1, endLine: 6 },
    });
  }));

Deno.test("locatePaths() finds nothing in a description without text", () => {
  const set = loadFromDict({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths: {} });
  assert.deepEqual([...locatePaths(set, ["/paths"])], []);
});

Deno.test("locatePaths() finds pointers in any order, also with common prefixes", () => {
  const value = {
    openapi: "3.1.0",
    info: { title: "A", version: "1" },
    "x-a": { b: 1, bc: { d: 1 }, "": { "": 2 } },
    "x-ab": { c: 1 },
    paths: {},
  };
  return inFolder({ "api.json": JSON.stringify(value, null, 1) }, async (folder) => {
    const paths = ["/x-ab/c", "/x-a/bc", "/x-a/b", "/x-a", "/x-a//", "/x-ab", "/x-a/bc/d", "/x-a/"];
    const found = locatePaths(await loadFromPath(`${folder}/api.json`), [
      ...paths,
      "/x-a/bcd",
      "/x",
    ]);
    assert.deepEqual(paths.map((path) => found.get(path)?.line), [17, 9, 8, 7, 13, 16, 10, 12]);
    assert.equal(found.size, paths.length);
  });
});

const JSON_TEXT = `{
  "paths": {
    "/a\\u002fb~": {"get": {"tags": ["x", "}]\\"", {"deep": [1, 2]}], "z": null}},
    "": 5
  },
  "list": [
    [],
    {
      "k": "v"
    }
  ]
}
`;

const YAML_TEXT = `# comment
paths:
  /a/b~:
    get: &op
      tags: [x, 'y y', {deep: [1, 2]}]
      text: |
        one
        two

      empty:
  "": 5
  /c: *op
  /d:
    <<: [*op]
    own: 1
list:
- []
-
  k: >-
    v
    w
- - nested
`;

Deno.test("locatePointers() finds keys and items in JSON, also escaped ones", () => {
  const found = locatePointers(JSON_TEXT, "json", [
    ...["", "/paths/~1a~1b~0", "/paths/~1a~1b~0/get/tags/1", "/paths/~1a~1b~0/get/tags/2/deep/1"],
    ...["/paths/~1a~1b~0/get/z", "/paths/", "/list/1", "/list/1/k", "/list/2", "/nope"],
  ]);
  assert.deepEqual(Object.fromEntries(found), {
    "": { line: 1, column: 1, endLine: 12 },
    "/paths/~1a~1b~0": { line: 3, column: 5, endLine: 3 },
    "/paths/~1a~1b~0/get/tags/1": { line: 3, column: 42, endLine: 3 },
    "/paths/~1a~1b~0/get/tags/2/deep/1": { line: 3, column: 63, endLine: 3 },
    "/paths/~1a~1b~0/get/z": { line: 3, column: 69, endLine: 3 },
    "/paths/": { line: 4, column: 5, endLine: 4 },
    "/list/1": { line: 8, column: 5, endLine: 10 },
    "/list/1/k": { line: 9, column: 7, endLine: 9 },
  });
});

Deno.test("locatePointers() finds keys and items in YAML, through aliases and merge keys", () => {
  const found = locatePointers(YAML_TEXT, "yaml", [
    ...["/paths/~1a~1b~0/get", "/paths/~1a~1b~0/get/tags/1", "/paths/~1a~1b~0/get/tags/2/deep/1"],
    ...["/paths/~1a~1b~0/get/text", "/paths/~1a~1b~0/get/empty", "/paths/", "/paths/~1c"],
    ...["/paths/~1c/tags", "/paths/~1d/tags/0", "/paths/~1d/own", "/list/0", "/list/1/k"],
    ...["/list/2/0", "/list/3"],
  ]);
  assert.deepEqual(Object.fromEntries(found), {
    "/paths/~1a~1b~0/get": { line: 4, column: 5, endLine: 10 },
    "/paths/~1a~1b~0/get/tags/1": { line: 5, column: 17, endLine: 5 },
    "/paths/~1a~1b~0/get/tags/2/deep/1": { line: 5, column: 35, endLine: 5 },
    "/paths/~1a~1b~0/get/text": { line: 6, column: 7, endLine: 8 },
    "/paths/~1a~1b~0/get/empty": { line: 10, column: 7, endLine: 10 },
    "/paths/": { line: 11, column: 3, endLine: 11 },
    "/paths/~1c": { line: 12, column: 3, endLine: 12 },
    "/paths/~1c/tags": { line: 5, column: 7, endLine: 5 },
    "/paths/~1d/tags/0": { line: 5, column: 14, endLine: 5 },
    "/paths/~1d/own": { line: 15, column: 5, endLine: 15 },
    "/list/0": { line: 17, column: 3, endLine: 17 },
    "/list/1/k": { line: 19, column: 3, endLine: 21 },
    "/list/2/0": { line: 22, column: 5, endLine: 22 },
  });
});

Deno.test("locatePointers() finds an entry of several merge keys where its value comes from", () => {
  const text = "a: &a { k: 1 }\nb: &b { k: 2, l: 3 }\nc:\n  <<: [*a, *b]\nd:\n  <<: *a\n  'k': 4\n";
  const pointers = ["/c/k", "/c/l", "/d/k"];
  const { value } = parseDocument(text, "yaml");
  assert.deepEqual(pointers.map((pointer) => pointerTokens(pointer).reduce(findMember, value)), [
    ...[1, 3, 4],
  ]);
  const found = locatePointers(text, "yaml", pointers);
  assert.deepEqual(pointers.map((pointer) => found.get(pointer)?.line), [1, 2, 7]);
});

for (const [name, text] of [["JSON", JSON_TEXT], ["YAML", YAML_TEXT]] as const) {
  Deno.test(`locatePointers() finds every place in a ${name} document, and nothing else`, () => {
    const { value, syntax } = parseDocument(text, name);
    const pointers = [...listPointers(value)];
    const found = locatePointers(text, syntax, [...pointers, "/x", "/list/9", "/list/0/0"]);
    assert.deepEqual([...found.keys()].sort(), pointers.sort());
  });
}

Deno.test("locatePointers() doesn't read the text if nothing is requested", () =>
  assert.equal(locatePointers("{ not even JSON", "json", []).size, 0));

Deno.test("locatePointers() finds the last of several equal keys in JSON, like the parser", () => {
  const text = `{"paths": {
"/z": {"get": 1}},
"info": {},
"paths": {
"/a": 1,
"/b": {"get": 1},
"/a": {"get": 2},
"/c": {"/b": 3}}}`;
  const line = (pointer: string) => locatePointers(text, "json", [pointer]).get(pointer)?.line;
  assert.equal(line("/paths"), 4);
  assert.equal(line("/paths/~1a"), 7);
  assert.equal(line("/paths/~1a/get"), 7);
  assert.equal(line("/paths/~1c/~1b"), 8);
  assert.equal(line("/paths/~1z"), undefined);
  assert.equal(line("/paths/~1c/~1d"), undefined);
});

Deno.test("locatePointers() finds a place in JSON at the maximum depth of a description", () => {
  const pointer = "/0".repeat(MAX_LEVELS);
  const text = "[".repeat(MAX_LEVELS) + "1" + "]".repeat(MAX_LEVELS);
  assert.equal(locatePointers(text, "json", [pointer]).get(pointer)?.column, MAX_LEVELS + 1);
});
