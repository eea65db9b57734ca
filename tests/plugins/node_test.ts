import * as esbuild from "esbuild";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodePackage } from "../../scripts/npm/try_package.ts";
import { installed } from "../runners/npm_project.ts";

const SESSION = fileURLToPath(new URL("./node_session.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The expected output of each plugin, with the number of requests. */
const EXPECTED: readonly string[] = [
  ...["fetch: same, 6", "undici 8: same, 7", "undici 7: same, 7", "axios 1: same, 4"],
  ...["axios 0: same, 4", "ky 2: same, 3", "ky 1: same, 3", "got 16: same, 3", "got 15: same, 3"],
  ...["ofetch 1: same, 2", "ofetch 0: same, 2", "Playwright 1.65: same, 3"],
  ...["Playwright 1.64: same, 3", "Express 5: same, 2", "Express 4: same, 2", "Hono 4: same, 3"],
  ...["Hono 3: same, 3", "oak 14: same, 3", "oak 13: same, 3", "H3 2: same, 3", "H3 1: same, 3"],
  ...["supertest 7: same, 3", "supertest 6: same, 3", "Koa 3: same, 1", "Koa 2: same, 1"],
  ...["Fastify 5: same, 2", "Fastify 4: same, 2"],
];

function run(
  command: string,
  args: readonly string[],
  cwd: string,
): { code: number; out: string; err: string } {
  const { code, stdout, stderr } = new Deno.Command(command, { args: [...args], cwd }).outputSync();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** Bundles the session as a Node.js module without the libraries. Returns the names of these. */
async function bundle(program: string): Promise<ReadonlySet<string>> {
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [SESSION],
    outfile: program,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "neutral",
    metafile: true,
    logLevel: "warning",
  });
  await esbuild.stop();
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return new Set(imports.map(({ path }) => path).filter((path) => !path.startsWith("node:")));
}

/** The versions of libraries in deno.dev.json, as npm expects them. */
function dependencies(names: ReadonlySet<string>): string[] {
  const settings = JSON.parse(readFileSync(join(ROOT, "deno.dev.json"), "utf8")) as {
    readonly imports: Readonly<Record<string, string>>;
    readonly scopes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  const imports = { ...settings.imports, ...settings.scopes["./tests/"] };
  const packages = [...names].map((path) => {
    const name = Object.keys(imports).find((name) => path === name || path.startsWith(`${name}/`));
    assert.ok(name !== undefined, `deno.dev.json names ${path}`);
    return `${name}@${imports[name]}`;
  });
  return [...new Set(packages)].sort();
}

Deno.test({
  name: "every plugin gives the server's coverage on Node.js 22 and 24",
  // esbuild keeps a process running.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(test) {
    const folder = mkdtempSync(join(tmpdir(), "covtool-"));
    try {
      const names = await bundle(join(folder, "session.mjs"));
      const nodes = ["22", "26"].map((version) =>
        `node-${version}@npm:${nodePackage(Deno.build.os, Deno.build.arch)}@${version}`
      );
      const modules = await installed([...dependencies(names), ...nodes]);
      symlinkSync(modules, join(folder, "node_modules"));
      for (const version of ["22", "26"]) {
        await test.step(`Node.js ${version}`, () => {
          const node = join(folder, "node_modules", `node-${version}`, "bin", "node");
          const { code, out, err } = run(node, ["session.mjs"], folder);
          assert.equal(code, 0, err);
          assert.deepEqual(out.trimEnd().split("\n"), EXPECTED);
        });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});
