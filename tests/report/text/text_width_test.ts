import assert from "node:assert/strict";
import { textWidth, wrapPath, wrapText } from "../../../src/report/text/text_width.ts";
import { processorTime } from "../../processor_time.ts";

Deno.test("a word of many characters is wrapped in linear time", () => {
  for (const word of ["/".repeat(200_000), "a".repeat(200_000), "é/".repeat(30_000)]) {
    for (const width of [1, 80, Infinity]) {
      const took = processorTime(() => {
        assert.equal(wrapPath(word, width).join(""), word);
        assert.equal(wrapText(word, width).join(""), word);
      }, 5_000);
      assert.ok(took < 5_000, `${word.slice(0, 2)} ${width} ${took}`);
    }
  }
});

Deno.test("lines take as much of a long word as fits, in whole graphemes", () => {
  assert.deepEqual(wrapPath("/abcdefgh/ij", 4), ["/abc", "defg", "h/ij"]);
  assert.deepEqual(wrapPath("雪国雪国", 3), ["雪", "国", "雪", "国"]);
  assert.deepEqual(wrapPath("雪国", 1), ["雪", "国"]);
  const family = "👨‍👩‍👧";
  const lines = wrapText(family.repeat(3), 5);
  assert.deepEqual(lines, [family.repeat(2), family]);
  assert.ok(lines.every((line) => textWidth(line) <= 5));
});
