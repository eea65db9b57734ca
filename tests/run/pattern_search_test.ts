import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, relative, resolve } from "node:path";
import { patternSearch } from "../../src/run/pattern_search.ts";
import { walkFolders } from "../../src/run/find_recordings.ts";

/** Runs a test in a folder with these files and links, given as names with targets. */
async function inTree(
  files: readonly string[],
  links: Readonly<Record<string, string>>,
  test: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(`${tmpdir()}/covtool-`));
  try {
    for (const path of files) {
      mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
      writeFileSync(`${folder}/${path}`, "");
    }
    for (const [path, target] of Object.entries(links)) {
      mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
      await Deno.symlink(target, `${folder}/${path}`);
    }
    await test(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Files that a pattern finds, relative to the folder, and the number of names that were examined. */
async function search(folder: string, pattern: string): Promise<[paths: string[], asked: number]> {
  const found = patternSearch(`${folder}/${pattern}`, (path, error) => {
    throw new Error(path, { cause: error });
  });
  let asked = 0;
  const files = await walkFolders({
    ...found,
    enter: (state, name) => {
      asked++;
      return found.enter(state, name);
    },
    matches: (path, name) => {
      asked++;
      return found.matches(path, name);
    },
  });
  return [files.map(({ path }) => relative(folder, resolve(path))).sort(), asked];
}

const FILES = ["a/one.har", "a/b/two.json", "a/b/c/three.har", "d/e/f/four.har", ".h/five.har"];

for (
  const [pattern, expected] of [
    ["**/*.har", ["a/b/c/three.har", "a/one.har", "d/e/f/four.har"]],
    ["**", ["a/b/c/three.har", "a/b/two.json", "a/one.har", "d/e/f/four.har"]],
    ["a/**/", ["a/b/c/three.har", "a/b/two.json", "a/one.har"]],
    ["*/*.har", ["a/one.har"]],
    ["*/**/f/*", ["d/e/f/four.har"]],
    ["**/b/**/*.har", ["a/b/c/three.har"]],
    ["{a,d/e/f}/*.har", ["a/one.har", "d/e/f/four.har"]],
    ["{a/**,d}/*.har", ["a/b/c/three.har"]],
    ["!(a|.h)/**/*.har", ["d/e/f/four.har"]],
    ["a/./b/../b/t?o.{har,json}", ["a/b/two.json"]],
    ["[ad]/+(e|b)/*", ["a/b/two.json"]],
    [".h/*", [".h/five.har"]],
    ["x/**", []],
  ] as const
) {
  Deno.test(`the pattern ${pattern} finds ${expected.length} of ${FILES.length} files`, () =>
    inTree(FILES, {}, async (folder) => {
      if (pattern === "x/**") await assert.rejects(search(folder, pattern), /\/x$/);
      else assert.deepEqual((await search(folder, pattern))[0], expected);
    }));
}

Deno.test("a negated pattern finds no files", () =>
  inTree(FILES, {}, async () => {
    assert.deepEqual(await walkFolders(patternSearch("!**/*.har", () => {})), []);
  }));

Deno.test("folders that link to each other are read once per part of a pattern", async () => {
  if (Deno.build.os === "windows") return;
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  const links = names.flatMap((name) => names.map((to) => [`${name}/to-${to}`, `../${to}`]));
  const files = names.map((name) => `${name}/x.har`);
  await inTree(files, Object.fromEntries(links), async (folder) => {
    const once = names.length * (names.length + 2); // each in the folder, with its links and its file
    for (
      const [pattern, reads] of [
        ["**/*.har", 1],
        ["f*/**/x.har", 1],
        ["**/to-f*/*.har", 2],
        ["**/to-f1/**/to-f2/**/*.har", 6],
      ] as const
    ) {
      const [paths, asked] = await search(folder, pattern);
      const found = new Set(paths.map((path) => realpathSync(`${folder}/${path}`)));
      assert.equal(found.size, names.length, pattern);
      assert.ok(asked <= reads * once, `${pattern}: ${asked}`);
    }
  });
});

Deno.test("a link that a pattern names is followed, also to the folder around it", async () => {
  if (Deno.build.os === "windows") return;
  const links = { "in/hars": "../out", "out/in": "../in", "in/deep/up": "..", "in/self": "." };
  await inTree(["out/a.har", "in/b.har", "in/deep/c.har"], links, async (folder) => {
    const find = async (pattern: string) => (await search(folder, pattern))[0];
    assert.deepEqual(await find("in/**/hars/*.har"), ["in/hars/a.har"]);
    assert.deepEqual(await find("in/deep/*/*.har"), ["in/deep/up/b.har"]);
    assert.deepEqual(await find("in/**/*.har"), ["in/b.har", "in/deep/c.har", "in/hars/a.har"]);
    assert.deepEqual(await find("in/{hars,x/y}/*.har"), ["in/hars/a.har"]);
    // With several names in one part of a pattern, no path passes through a folder twice.
    assert.deepEqual(await find("{in,x/y}/**/c.har"), ["in/deep/c.har"]);
  });
});
