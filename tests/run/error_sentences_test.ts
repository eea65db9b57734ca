import assert from "node:assert/strict";
import { errorSentences } from "../../src/run/error_sentences.ts";

Deno.test("the message about a stack overflow says that an input file is nested too deeply", () => {
  const endless = (depth: number): number => 1 + endless(depth + 1);
  try {
    endless(0);
    assert.fail("it ends");
  } catch (error) {
    assert.equal(errorSentences(error), "An input file is nested too deeply for covtool.");
  }
  assert.match(
    errorSentences(new RangeError("Invalid array length")),
    /^Internal error in covtool/,
  );
});
