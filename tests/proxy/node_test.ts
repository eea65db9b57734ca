import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./node_program.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

async function run(command: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd: ROOT,
    signal: AbortSignal.timeout(60_000),
  }).output();
  assert.ok(success, `${command} ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

Deno.test("on Node.js, the proxy works as a library, and leaves nothing running when closed or disposed of", async () => {
  const folder = await Deno.makeTempDir();
  const bundle = `${folder}/program.mjs`;
  await run(Deno.execPath(), ["bundle", "--quiet", "--platform", "deno", "-o", bundle, PROGRAM]);
  assert.equal(await run("node", [bundle]), "done");
  await Deno.remove(folder, { recursive: true });
});
