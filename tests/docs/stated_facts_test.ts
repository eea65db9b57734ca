import assert from "node:assert/strict";
import { packageJson, type Settings } from "../../scripts/npm/package_json.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";

/** A required version of Node.js, also across line ends and comments. */
const REQUIRED = /Node\.js\s+(\d+(?:\.\d+)*)(?:\s|\*|\/\/)+(?:or|and)(?:\s|\*|\/\/)+later/g;
/** A page of the documentation in a string of the program, but not in a comment. */
const PAGE = /^(?!\s*(?:\*|\/[/*])).*\bdocs\/[\w-]+\.md/m;

async function texts(endings: readonly string[]): Promise<Map<string, string>> {
  const paths = (await sourceFiles(ROOT, endings)).filter((path) =>
    !/^(?:dist|tests|examples)\//.test(path)
  );
  return new Map(
    await Promise.all(
      paths.map(async (path) => [path, await Deno.readTextFile(`${ROOT}/${path}`)] as const),
    ),
  );
}

Deno.test("the required version of Node.js is the same everywhere", async () => {
  const settings = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as Settings;
  const { engines } = packageJson({ ...settings, exports: { ".": "./mod.ts" } }, []) as {
    readonly engines: { readonly node: string };
  };
  const needed = engines.node.replace(">=", "");
  const places: string[] = [];
  for (const [path, text] of await texts([".md", ".ts"])) {
    for (const [said, version] of text.matchAll(REQUIRED)) {
      assert.equal(version, needed, `${path}: ${said}`);
      places.push(path);
    }
  }
  for (const path of ["README.md", "CONTRIBUTING.md", "docs/install.md", "docs/quick-start.md"]) {
    assert.ok(places.includes(path), path);
  }
});

Deno.test("messages of the program don't refer to pages that users don't have", async () => {
  for (const [path, text] of await texts([".ts"])) {
    if (!path.startsWith("src/")) continue;
    assert.equal(PAGE.exec(text)?.[0], undefined, path);
  }
});

Deno.test("the README begins with two commands that use the build's version of Deno", async () => {
  const readme = await Deno.readTextFile(`${ROOT}/README.md`);
  const commands = [...readme.matchAll(/^npx -y deno@(\S+) task (\w+)$/gm)];
  assert.deepEqual(commands.map(([, , task]) => task).slice(0, 2), ["demo", "test"]);
  const build = await Deno.readTextFile(`${ROOT}/.ci/run`);
  for (const [, version] of commands) assert.ok(build.includes(`deno@${version}`), version);
});
