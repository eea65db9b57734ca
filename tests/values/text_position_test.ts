import assert from "node:assert/strict";
import { textPositions } from "../../src/values/text_position.ts";

Deno.test("textPositions() counts lines that end with LF, CR LF and CR", () => {
  const position = textPositions("ab\ncd\r\nef\rg");
  assert.deepEqual(position(0), { line: 1, column: 1 });
  assert.deepEqual(position(2), { line: 1, column: 3 });
  assert.deepEqual(position(4), { line: 2, column: 2 });
  assert.deepEqual(position(7), { line: 3, column: 1 });
  assert.deepEqual(position(10), { line: 4, column: 1 });
});

Deno.test("textPositions() accepts offsets in any order, with both kinds of line ends", () => {
  for (const end of ["\n", "\r\n"]) {
    const text = ["a", "bc", "", "d"].join(end);
    const position = textPositions(text);
    const d = { line: 4, column: 1 };
    assert.deepEqual(position(text.length - 1), d);
    assert.deepEqual(position(0), { line: 1, column: 1 });
    assert.deepEqual(position(1 + end.length), { line: 2, column: 1 });
    assert.deepEqual(position(2 + end.length), { line: 2, column: 2 });
    assert.deepEqual(position(3 + 2 * end.length), { line: 3, column: 1 });
    assert.deepEqual(position(text.length - 1), d);
  }
});
