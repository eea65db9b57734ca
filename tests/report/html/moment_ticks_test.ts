import assert from "node:assert/strict";
import { momentTicks } from "../../../src/report/html/app/model/moment_ticks.ts";

const DAY = 86_400;

Deno.test("times below the chart are exact and in one unit, for any duration", () => {
  const expected: Readonly<Record<number, string>> = {
    0: "0",
    0.0004: "0",
    0.3: "0, 50 ms, 100 ms, 150 ms, 200 ms, 250 ms, 300 ms",
    1.2: "0, 0.2 s, 0.4 s, 0.6 s, 0.8 s, 1 s, 1.2 s",
    2.7: "0, 0.5 s, 1 s, 1.5 s, 2 s, 2.5 s",
    90: "0, 15 s, 30 s, 45 s, 60 s, 75 s, 90 s",
    150: "0, 30 s, 60 s, 90 s, 120 s, 150 s",
    9000: "0, 30 min, 60 min, 90 min, 120 min, 150 min",
    [2.5 * DAY]: "0, 12 h, 24 h, 36 h, 48 h, 60 h",
    [4 * DAY]: "0, 1 day, 2 days, 3 days, 4 days",
    [90 * DAY]: "0, 20 days, 40 days, 60 days, 80 days",
    [5 * 365 * DAY]: "0, 500 days, 1,000 days, 1,500 days",
    [56 * 365 * DAY]: "0, 5,000 days, 10,000 days, 15,000 days, 20,000 days",
  };
  for (const [last, text] of Object.entries(expected)) {
    const ticks = momentTicks(Number(last), 6);
    assert.equal(ticks.map(({ label }) => label).join(", "), text);
    assert.ok(ticks.every(({ moment }) => moment <= Number(last)));
  }
  // The difference of these dates is a little less than 0.3.
  const ticks = momentTicks(1_764_000_000.3 - 1_764_000_000, 3);
  assert.deepEqual(ticks.map(({ moment }) => moment), [0, 0.1, 0.2, 0.3]);
});
