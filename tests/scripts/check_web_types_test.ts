import assert from "node:assert/strict";
import { coreModules, webTypeProblems } from "../../scripts/check_web_types.ts";

Deno.test("coreModules() leaves out the command line, the proxy and what is not the library's", () => {
  assert.deepEqual(
    coreModules([
      "cli.ts",
      "mod.ts",
      "scripts/a.ts",
      "src/cli/a.ts",
      "src/map/a.ts",
      "src/proxy/a.ts",
      "tests/a.ts",
    ]),
    ["mod.ts", "src/map/a.ts"],
  );
});

Deno.test("webTypeProblems() accepts what the web has, and refuses what only Deno has", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      `${root}/deno.json`,
      `{"imports":{},"compilerOptions":{"strict":true}}`,
    );
    await Deno.writeTextFile(
      `${root}/web.ts`,
      `export const url: URL = new URL("https://example.com");\n`,
    );
    await Deno.writeTextFile(`${root}/deno_only.ts`, `export const id: number = Deno.pid;\n`);
    assert.deepEqual(await webTypeProblems(root, ["web.ts"]), []);
    const problems = await webTypeProblems(root, ["web.ts", "deno_only.ts"]);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", /Cannot find name 'Deno'/);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
