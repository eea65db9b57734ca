import assert from "node:assert/strict";
import { SOURCES } from "./covtool_process.ts";
import { killCovtool } from "./kill_covtool.ts";
import { SCENARIOS } from "./scenarios.ts";

/** A few for each scenario; `deno task faults --times 1000` is the long run. */
const EACH = 2;

Deno.test("whatever kills covtool, files are whole, and the next run removes what is left", async () => {
  if (Deno.build.os === "windows") return;
  const figures = await killCovtool({
    program: SOURCES,
    times: EACH * SCENARIOS.length,
    seed: "tests",
  });
  assert.deepEqual([...figures.keys()], SCENARIOS.map(({ name }) => name));
  let killed = 0;
  for (const each of figures.values()) {
    assert.equal(each.killed + each.ended, EACH);
    killed += each.killed;
  }
  // Some end before the signal comes, or make their reports when it does.
  assert.ok(killed >= 4, `only ${killed} were killed`);
});
