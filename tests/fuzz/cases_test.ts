// Tests every input that has failed before, and a few new ones.
import assert from "node:assert/strict";
import { randomFrom } from "../corpus/random.ts";
import { TEST_SEED } from "../test_seed.ts";
import { minimise } from "./minimise.ts";
import { TARGETS } from "./targets/targets.ts";

const CASES = new URL("cases/", import.meta.url);

function listCases(target: string): string[] {
  try {
    return [...Deno.readDirSync(new URL(`${target}/`, CASES))].map(({ name }) => name).sort();
  } catch {
    return []; // no input has failed
  }
}

for (const target of TARGETS) {
  const options = { sanitizeOps: false, sanitizeResources: false }; // the proxy keeps listening
  Deno.test({
    name: `no earlier finding of fuzzing ${target.name} fails any more`,
    ...options,
    fn: async () => {
      for (const name of listCases(target.name)) {
        await target.check(Deno.readFileSync(new URL(`${target.name}/${name}`, CASES)));
      }
      for (let number = 0; number < (target.tested ?? 5); number++) {
        await target.check(target.make(randomFrom(`${TEST_SEED}/${target.name}/${number}`)));
      }
    },
  });
}

Deno.test("targets make the same input from the same random numbers", () => {
  for (const { name, make } of TARGETS) {
    assert.deepEqual(make(randomFrom(`1/${name}/1`)), make(randomFrom(`1/${name}/1`)), name);
  }
});

Deno.test("a failing input is minimized", async () => {
  const input = new TextEncoder().encode("some text with a needle in the middle of it");
  const fails = (bytes: Uint8Array) =>
    Promise.resolve(new TextDecoder().decode(bytes).includes("needle"));
  assert.equal(new TextDecoder().decode(await minimise(input, fails)), "needle");
});
