import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SESSION = fileURLToPath(new URL("./node_session.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

function run(command: string, args: readonly string[]): { code: number; out: string; err: string } {
  const { code, stdout, stderr } = new Deno.Command(command, { args: [...args], cwd: ROOT })
    .outputSync();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

Deno.test("on Node.js every plugin counts what the server counts", () => {
  const folder = mkdtempSync(join(tmpdir(), "covtool-"));
  try {
    const program = join(folder, "session.mjs");
    const args = ["bundle", "--quiet", "--platform", "deno", "--output", program, SESSION];
    const bundled = run(Deno.execPath(), args);
    assert.equal(bundled.code, 0, bundled.err);
    const { code, out, err } = run("node", [program]);
    assert.equal(code, 0, err);
    assert.deepEqual(out.trimEnd().split("\n"), [
      "fetch: same, 6",
      "undici: same, 7",
      "axios: same, 4",
      "ky: same, 3",
      "got: same, 3",
      "ofetch: same, 2",
      "supertest: same, 3",
      "koa: same, 1",
      "fastify: same, 2",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
