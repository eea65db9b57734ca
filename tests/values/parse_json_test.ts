import assert from "node:assert/strict";
import { JsonSyntaxError, parseJson } from "../../src/values/parse_json.ts";

function problem(text: string): [number, number, string] {
  try {
    parseJson(text);
  } catch (error) {
    assert(error instanceof JsonSyntaxError);
    return [error.line, error.column, error.message];
  }
  assert.fail(`${text} was taken`);
}

Deno.test("parseJson() returns the same as JSON.parse", () => {
  const text = '{"a": [1, -2.5e3, true, null, "x\\u0041\\n"], "b": {}}';
  assert.deepEqual(parseJson(text), JSON.parse(text));
});

Deno.test("parseJson() reports where a text isn't JSON, with advice", () => {
  assert.deepEqual(problem('{\n  "a": 1,\n}'), [
    3,
    1,
    "A comma before `}` is not allowed: remove it.",
  ]);
  assert.deepEqual(problem('{"a": 1 "b": 2}'), [1, 9, 'Expected `,` or `}`, found `"`.']);
  assert.deepEqual(problem('{"a" 1}'), [1, 6, "Expected `:` after the name, found `1`."]);
  assert.deepEqual(problem("{'a': 1}"), [1, 2, "Expected a name in double quotes, found `'a'`."]);
  assert.deepEqual(problem('{"a": NaN}'), [1, 7, "Expected a JSON value, found `NaN`."]);
  assert.deepEqual(problem('{"a": 01}'), [1, 7, "Expected a JSON value, found `01`."]);
  assert.deepEqual(problem("[1]\r\n// end"), [
    2,
    1,
    "Unexpected `//` after the end of the JSON value.",
  ]);
});

Deno.test("parseJson() recognizes truncated text", () => {
  assert.match(problem('{"a": [1, 2')[2], /cut off/);
  assert.match(problem('{"a": "b')[2], /inside a string/);
  assert.match(problem("")[2], /empty/);
});

Deno.test("parseJson() reports places in strings: line breaks, control characters, unknown escapes", () => {
  assert.deepEqual(problem('["a\nb"]').slice(0, 2), [1, 4]);
  assert.deepEqual(problem('["a\tb"]').slice(0, 2), [1, 4]);
  assert.deepEqual(problem('["a\\xb"]').slice(0, 2), [1, 4]);
});
