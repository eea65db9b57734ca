import assert from "node:assert/strict";
import { runSteps } from "../../scripts/ok.ts";

Deno.test("runSteps() runs every step, also behind one that fails, and names those that failed", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const write = `Deno.writeTextFileSync("ran", "")`;
    const failed = await runSteps([
      { name: "bad", args: ["eval", "Deno.exit(3)"] },
      { name: "good", args: ["eval", write] },
    ], folder);
    assert.deepEqual(failed, ["bad"]);
    assert.equal((await Deno.stat(`${folder}/ran`)).isFile, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
