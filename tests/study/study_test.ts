import assert from "node:assert/strict";
import { bitsOf, numbersOf } from "./results.ts";
import { correlations, denseRanks, intervalOf, ranks, regress, tauB } from "./statistics.ts";
import { drawSuites } from "./suites.ts";

const close = (found: number | null, expected: number) =>
  assert.ok(found !== null && Math.abs(found - expected) < 1e-3, `${found}, not ${expected}`);

Deno.test("tau-b is what SciPy says, with ties on both sides", () => {
  const tau = (left: number[], right: number[]) => tauB(denseRanks(left), denseRanks(right));
  close(tau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]), -0.4714045);
  close(tau([1, 2, 3, 4], [1, 3, 2, 4]), 0.6666667);
  assert.equal(tau([1, 1, 1], [1, 2, 3]), null);
  close(tauB(denseRanks([5, 1, 3]), denseRanks([9, 2, 2]), [0, 0, 1, 2]), 0.8944272);
});

Deno.test("equal values share the mean of their ranks", () => {
  assert.deepEqual(ranks([30, 10, 20, 10]), [4, 1.5, 3, 1.5]);
});

Deno.test("an interval leaves out a fortieth at each end, and samples without a number", () => {
  const samples = Array.from({ length: 201 }, (_, index) => index);
  assert.deepEqual(intervalOf(90, [...samples, null]), { value: 90, low: 5, high: 195 });
});

Deno.test("a regression finds weights, and divides them between equal columns", () => {
  const [one, other] = [[1, 2, 3, 4, 5, 6], [1, -1, 1, 1, -1, -1]];
  const known = correlations([one, one, other, one.map((value) => 2 * value)]);
  const { coefficients, explained } = regress(known, [0, 1, 2]);
  close(explained, 1);
  close(coefficients[0]! + coefficients[1]!, 1);
  close(coefficients[0]!, coefficients[1]!);
  close(coefficients[2]!, 0);
});

Deno.test("suites have the size that is asked for, and are the same with the same seed", () => {
  const units = Array.from({ length: 60 }, (_, index) => ({
    ...{ operation: `GET /${index % 7}`, size: index % 9 === 0 ? 2 : 1 },
  }));
  const draw = (seed: string) => drawSuites(units, { seed, anySize: 10, each: 4 });
  const suites = draw("1");
  assert.deepEqual(suites, draw("1"));
  assert.notDeepEqual(suites, draw("2"));
  // Half of the pool has 33 requests, so that there are suites of 10 and 25.
  assert.deepEqual(suites.slice(10).map(({ size }) => size), [10, 10, 10, 10, 25, 25, 25, 25]);
  for (const { units: chosen, size } of suites) {
    assert.equal(new Set(chosen).size, chosen.length);
    assert.equal(chosen.reduce((sum, unit) => sum + units[unit]!.size, 0), size);
  }
});

Deno.test("bits keep numbers", () => {
  assert.deepEqual(numbersOf(bitsOf([0, 7, 8, 21], 22)), [0, 7, 8, 21]);
});
