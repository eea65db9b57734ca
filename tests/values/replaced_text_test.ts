import assert from "node:assert/strict";
import { isReplacedText } from "../../src/values/replaced_text.ts";

Deno.test("isReplacedText() recognizes recorders' placeholders for values", () => {
  const texts = [
    ...["[Filtered]", "[FILTERED]", "[redacted]", "[REMOVED]", "[masked]", "[hidden]"],
    ...["<FILTERED>", "<redacted>", "{REDACTED}", "(filtered)", "**REDACTED**", "__SANITIZED__"],
    ...["<API_KEY>", "<PASSWORD>", "<AUTH TOKEN>", "<KEY-2>", "<A>"],
    ...["REDACTED", "FILTERED", "SCRUBBED", "SANITIZED"],
  ];
  for (const text of texts) assert.equal(isReplacedText(text), true, text);
});

Deno.test("isReplacedText() is false for text that may have been sent, including covtool's own masks", () => {
  const texts = [
    ...["", "[", "[]", "[1]", "<", "<b>", "<string>", "<integer>", "<API_KEY", "<_>", "<1>"],
    ...["Redacted", "redacted", "REDACTED BY ANN", "x [Filtered]", "[Filtered] x", "Rome", "FR"],
    ...["***", "XXXX", "aaaa", "Aaaaaaaa1111!", "[Aaaaaaaa]", "[Filtered", "*", "_id", "{id}"],
    "<" + "A".repeat(100) + ">",
  ];
  for (const text of texts) assert.equal(isReplacedText(text), false, text);
});
