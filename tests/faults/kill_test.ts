import assert from "node:assert/strict";
import { SOURCES } from "./covtool_process.ts";
import { killCovtool } from "./kill_covtool.ts";
import { SCENARIOS } from "./scenarios.ts";

/** A few cases for each scenario; `deno task faults --times 1000` is the long run. */
const EACH = 2;

Deno.test("after every kill, files are complete, and the next run removes what is left", async () => {
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
  // Some runs end before the signal arrives, or write their reports when it does.
  assert.ok(killed >= 4, `only ${killed} were killed`);
});
