import assert from "node:assert/strict";
import { createTally } from "../../scripts/tally.ts";

Deno.test("a tally prints and counts each check, and goes on after one that fails", async () => {
  const said: string[] = [];
  const tally = createTally((line) => said.push(line));
  await tally.check("adds", () => Promise.resolve());
  await tally.check("fails", () => Promise.reject(new Error("no\nway")));
  await tally.check("measures", () => Promise.resolve("7 bytes"));
  assert.deepEqual(said, ["ok: adds", "not ok: fails\nno\nway", "ok: measures (7 bytes)"]);
  assert.equal(tally.total(), "2 passed, 1 failed");
  assert.equal(tally.isGood(), false);
});

Deno.test("a tally without checks is not good", () => {
  assert.equal(createTally(() => {}).isGood(), false);
});
