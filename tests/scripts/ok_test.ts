import assert from "node:assert/strict";
import { runSteps } from "../../scripts/ok.ts";

Deno.test("runSteps() runs every step, also after one that fails, and names those that failed", async () => {
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

Deno.test("runSteps() runs steps side by side, and names failures in the order of the steps", async () => {
  const folder = await Deno.makeTempDir();
  try {
    // Each waits for the other, so they end only where both run at once.
    const meet = (mine: string, other: string, code: number) => `
      Deno.writeTextFileSync("${mine}", "");
      const end = Date.now() + 20_000;
      const isThere = () => { try { return Deno.statSync("${other}").isFile; } catch { return false; } };
      while (!isThere()) { if (Date.now() > end) Deno.exit(9); await new Promise((go) => setTimeout(go, 10)); }
      Deno.exit(${code});`;
    const failed = await runSteps(
      [
        { name: "first", args: ["eval", meet("one", "two", 1)] },
        { name: "second", args: ["eval", meet("two", "one", 0)] },
        { name: "third", args: ["eval", "Deno.exit(1)"] },
      ],
      folder,
      2,
    );
    assert.deepEqual(failed, ["first", "third"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
