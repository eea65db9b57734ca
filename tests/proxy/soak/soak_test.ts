import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { needing } from "../../requirement.ts";
import { runSoak } from "./run_soak.ts";

const NEEDS_PROC = {
  isMet: existsSync("/proc/self/net/unix"),
  reason: "no /proc; run it on Linux",
};

Deno.test({
  ...needing(
    NEEDS_PROC,
    "the proxy records exactly what clients send and servers receive, despite faults",
  ),
  async fn() {
    const { balance, problems } = await runSoak({ requests: 2000, seed: "tests", connections: 24 });
    assert.deepEqual(problems, []);
    assert.ok(balance.requests >= 2000);
    assert.ok(balance.answered > 300, `${balance.answered} were answered`);
    assert.ok(balance.refused > 20, `${balance.refused} were refused`);
  },
});
