import fc from "fast-check";
import assert from "node:assert/strict";
import { negatesItself } from "../../src/schema/judge.ts";
import { schemasIn } from "./schemas_in.ts";

/** A schema that negates one schema and refers to others below, by index. */
interface Described {
  readonly negated: number;
  readonly others: readonly number[];
}

/** Simple reference implementation: true if the negated schema leads back. */
function leadsBack(described: readonly Described[], start: number): boolean {
  const seen = new Set([described[start]?.negated ?? start]);
  for (const index of seen) {
    if (index === start) return true;
    const { negated, others = [] } = described[index] ?? {};
    for (const next of [...negated === undefined ? [] : [negated], ...others]) seen.add(next);
  }
  return false;
}

Deno.test("a schema negates itself if and only if its negated schema leads back to it, in any order of calls", () => {
  const SIZE = 7;
  const end = SIZE; // a schema that leads nowhere
  const graphs = fc.array(
    fc.record({ negated: fc.nat(end), others: fc.array(fc.nat(end), { maxLength: 2 }) }),
    { minLength: SIZE, maxLength: SIZE },
  );
  const to = (index: number) => ({ $ref: `#/S${index}` });
  const answers = { true: 0, false: 0 };
  fc.assert(
    fc.property(graphs, fc.shuffledSubarray([...Array(SIZE).keys()]), (described, order) => {
      const at = schemasIn(Object.fromEntries([
        ...described.map(({ negated, others }, index) => [`S${index}`, {
          not: to(negated),
          prefixItems: others.map(to),
        }]),
        [`S${end}`, { type: "string" }],
      ]));
      for (const index of order) {
        const node = at(`S${index}`);
        const answer = negatesItself(node, node.child("not", true) ?? true);
        assert.equal(answer, leadsBack(described, index), `S${index}`);
        answers[`${answer}`]++;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(answers.true > 200 && answers.false > 200, JSON.stringify(answers));
});

Deno.test("a boolean schema negates nothing", () => {
  const node = schemasIn({ A: { not: true } })("A");
  assert.equal(negatesItself(node, true), false);
});
