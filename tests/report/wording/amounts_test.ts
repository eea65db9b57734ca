import assert from "node:assert/strict";
import {
  formatAmount,
  formatSeconds,
  formatTime,
  sentenceList,
} from "../../../src/report/wording/amounts.ts";
import { statusText } from "../../../src/report/wording/gap_wording.ts";

Deno.test("formatSeconds() writes a duration in the unit that suits it", () => {
  const written = [0.00085, 0.0094, 0.012, 0.9996, 1.234, 59, 312, 7200, 200_000].map(
    formatSeconds,
  );
  assert.deepEqual(written, [
    ...["850 µs", "9.4 ms", "12 ms", "1 s", "1.23 s", "59 s", "5 min", "2 h", "2 days"],
  ]);
});

Deno.test("formatTime() writes UTC, and the number where no date is that far", () => {
  assert.equal(formatTime(1_700_000_000), "2023-11-14 22:13:20 UTC");
  assert.equal(formatTime(1e300), "1e+300");
});

Deno.test("statusText() explains codes, ranges and default", () => {
  assert.equal(statusText("404"), "Not Found");
  assert.equal(statusText("4xx"), "any other 400 to 499");
  assert.equal(statusText("default"), "every other status");
  assert.equal(statusText("799"), "");
});

Deno.test("counts are written with their word in the right number", () => {
  assert.equal(formatAmount(1, "gap"), "1 gap");
  assert.equal(formatAmount(53_000, "body", "bodies"), "53,000 bodies");
  assert.equal(sentenceList(["a", "b", "c"]), "a, b and c");
});
