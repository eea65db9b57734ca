import assert from "node:assert/strict";
import { readRate } from "../../../src/run/options/probe_values.ts";

for (
  const [text, perSecond] of [
    ["10", 10],
    ["0.5", 0.5],
    ["5/s", 5],
    ["5/second", 5],
    ["30/m", 0.5],
    ["6/minute", 0.1],
  ] as const
) {
  Deno.test(`readRate() reads ${text} as ${perSecond} requests per second`, () => {
    assert.equal(readRate(text), perSecond);
  });
}

for (const text of ["", "0", "-1", "0/m", "ten", "5/h", "5/", "/s", "5 per second"]) {
  Deno.test(`readRate() refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => readRate(text), {
      name: "TypeError",
      message: `"${text}" is not a rate. Write requests per second, such as 10/s.`,
    });
  });
}
