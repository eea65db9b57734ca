import assert from "node:assert/strict";
import { ROOT } from "../../scripts/source_files.ts";
import { type Analysis, analyze } from "./analysis.ts";
import { brokenBy, createExchanges, judgeAssertions } from "./assertions.ts";
import type { StudyAnswer } from "./host.ts";
import { ORDERS } from "./orders.ts";
import { fillPage, makePage } from "./page.ts";
import { packBits, readResults, unpackBits } from "./results.ts";
import { correlations, denseRanks, estimate, ranks, regress, tauB } from "./statistics.ts";
import { drawSuites } from "./suites.ts";

const BOOK = { properties: { id: { type: "integer" }, title: { type: "string" } } };

const close = (found: number | null, expected: number) =>
  assert.ok(found !== null && Math.abs(found - expected) < 1e-3, `${found}, not ${expected}`);

Deno.test("tau-b equals SciPy's, with ties on both sides", () => {
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
  assert.deepEqual(estimate(90, [...samples, null]), { value: 90, low: 5, high: 195 });
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

Deno.test("suites have the requested size, and are reproducible with a seed", () => {
  const units = Array.from({ length: 60 }, (_, index) => ({
    ...{ operation: `GET /${index % 7}`, size: index % 9 === 0 ? 2 : 1 },
  }));
  const draw = (seed: string) => drawSuites(units, { seed, anySize: 10, each: 4 });
  const suites = draw("1");
  assert.deepEqual(suites, draw("1"));
  assert.notDeepEqual(suites, draw("2"));
  // Half of the pool has 33 requests, which is enough for suites of 10 and 25.
  assert.deepEqual(suites.slice(10).map(({ size }) => size), [10, 10, 10, 10, 25, 25, 25, 25]);
  for (const { units: chosen, size } of suites) {
    assert.equal(new Set(chosen).size, chosen.length);
    assert.equal(chosen.reduce((sum, unit) => sum + units[unit]!.size, 0), size);
  }
});

Deno.test("numbers are encoded as bits and decoded again", () => {
  assert.deepEqual(unpackBits(packBits([0, 7, 8, 21], 22)), [0, 7, 8, 21]);
});

Deno.test("a response breaks the assertions about what differs, and no response breaks all", () => {
  const answer = (status: number, body: unknown) => ({
    ...{ status, type: "application/json", body: JSON.stringify(body) },
  });
  const expected = answer(200, { id: 1, items: [{ name: "a" }, { name: "b" }] });
  const broken = (found: StudyAnswer | undefined) => brokenBy(expected, found);
  // 0 is the status, 1 the whole body, 2 `id`, 3 all names.
  assert.deepEqual(broken(answer(200, { items: [{ name: "a" }, { name: "b" }], id: 1 })), []);
  assert.deepEqual(broken(answer(201, { id: 1, items: [{ name: "a" }, { name: "b" }] })), [0]);
  assert.deepEqual(broken(answer(200, { id: 2, items: [{ name: "a" }] })), [1, 2, 3]);
  assert.deepEqual(broken(answer(200, { id: 1, items: [{ name: "a" }, {}], more: 1 })), [1, 3]);
  assert.deepEqual(broken({ status: 0, type: "", body: "hangs" }), [-1]);
});

Deno.test("suites notice the parts that their assertions cover, and miss mutants elsewhere", () => {
  const description = {
    ...{ openapi: "3.1.0", info: { title: "Books", version: "1" } },
    paths: {
      "/books": {
        get: { responses: { 200: { content: { "application/json": { schema: BOOK } } } } },
      },
    },
  };
  const request = { method: "GET", url: "/books", headers: {} };
  const answer = { status: 200, type: "application/json", body: '{"id":1,"title":"Solaris"}' };
  const exchange = createExchanges(description)(request, answer);
  assert.deepEqual(
    exchange.parts.map(({ key, broken }) => [key.slice("0 0 ".length), broken]),
    [["status ", [0]], ["body ", [1, 2, 3]], ["property /id", [1, 2]], [
      "property /title",
      [1, 3],
    ]],
  );
  // Two mutants: one changes the status of the first request, the other the title in the response to the second.
  const mutants = [new Map([[0, [[0]]]]), new Map([[1, [[1, 3]]]])];
  const judge = (seed: string) => judgeAssertions([0, 1], [[exchange], [exchange]], mutants, seed);
  const found = Array.from({ length: 200 }, (_, seed) => judge(`${seed}`));
  assert.deepEqual(judge("7"), found[7]);
  assert.ok(found.every(({ parts, noticed }) => parts === 4 && noticed <= 4));
  for (const count of [0, 1, 2]) assert.ok(found.some(({ detected }) => detected === count));
  // A suite that notices nothing detects nothing; one that detects all notices the status and the title.
  for (const { detected, noticed } of found) {
    assert.ok(noticed > 0 || detected === 0);
    assert.ok(detected < 2 || noticed >= 2);
  }
});

Deno.test("orders keep rounds separate", () => {
  const units = [
    { round: 0, place: 0, operation: "GET /a", valid: false, expects: ["4XX"] },
    { round: 0, place: 1, operation: "GET /a", valid: true, expects: ["200"] },
    { round: 1, place: 0, operation: "GET /b", valid: true, expects: ["200"] },
    { round: 0, place: 2, operation: "GET /b", valid: false, expects: ["4XX"] },
    { round: 0, place: 3, operation: "GET /a", valid: true, expects: ["200"] },
  ].map((suggestion, unit) => ({ unit, suggestion }));
  const orders = Object.entries(ORDERS).map(([name, order]) => [
    name,
    order(units).map(({ unit }) => unit),
  ]);
  assert.deepEqual(Object.fromEntries(orders), {
    closing: [0, 1, 3, 4, 2],
    operations: [0, 3, 1, 4, 2],
    valid: [1, 4, 0, 3, 2],
    validOperations: [1, 3, 4, 0, 2],
    responses: [0, 1, 3, 4, 2],
  });
});

Deno.test("the page's numbers and plots are made from the raw results", () => {
  const results = readResults();
  const { analysis } = results;
  assert.ok(analysis);
  assert.deepEqual(withoutIntervals(analysis), withoutIntervals(analyze(results, 0)));
  const { sections, pictures } = makePage(results, analysis);
  const page = Deno.readTextFileSync(`${ROOT}/docs/evidence.md`);
  assert.equal(fillPage(page, sections), page);
  for (const [name, picture] of Object.entries(pictures)) {
    assert.equal(Deno.readTextFileSync(`${ROOT}/docs/images/${name}`), picture);
  }
});

/** The results without bootstrap samples, which take minutes. */
function withoutIntervals(analysis: Analysis): unknown {
  return JSON.parse(JSON.stringify(analysis, (_, value) => {
    if (typeof value === "number") return Number(value.toPrecision(9));
    return value?.low === undefined ? value : value.value;
  }));
}
