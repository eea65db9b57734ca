import assert from "node:assert/strict";
import { type VersionedFiles, versionProblems } from "../../scripts/check_version.ts";
import {
  releasedFiles,
  releaseProblems,
  type RepositoryState,
} from "../../scripts/prepare_release.ts";
import { releaseNotes } from "../../scripts/release_notes.ts";
import { run, runOrThrow } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";

const CLEAN: RepositoryState = { status: "", branch: "main", tags: ["v0.1.0", "nightly", ""] };
const CHANGELOG = "# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0 – 2026-11-01\n";
const PYTHON = "integrations/python/src/covtool/__init__.py";
const FILES: VersionedFiles = {
  "deno.json": '{\n  "name": "@covtool/covtool",\n  "version": "0.1.0"\n}\n',
  "src/values/version.ts": 'export const VERSION = "0.1.0";\n',
  [PYTHON]: '\n__version__ = "0.1.0"\n',
  "CHANGELOG.md": CHANGELOG,
  ".gitlab/covtool.gitlab-ci.yml": '    COVTOOL_VERSION: "0.1"\n',
  "examples/jest-supertest/package.json": '{ "devDependencies": { "covtool": "^0.1.0" } }\n',
  "examples/deno-hono/deno.json":
    '{ "imports": { "@covtool/covtool": "jsr:@covtool/covtool@^0.1.0", "hono": "npm:hono@^4" } }\n',
};

Deno.test("a newer version can be released from a clean main, also as the first one", () => {
  assert.deepEqual(releaseProblems("0.2.0", "0.1.0", CLEAN), []);
  assert.deepEqual(releaseProblems("1.0.0-rc.1", "0.1.0", CLEAN), []);
  assert.deepEqual(releaseProblems("0.1.0", "0.1.0", { ...CLEAN, tags: [] }), []);
});

Deno.test("obstacles to a release are reported with advice", () => {
  assert.match(releaseProblems("v0.2", "0.1.0", CLEAN)[0] ?? "", /no version, as 1\.2\.3/);
  assert.match(
    releaseProblems("0.1.0", "0.1.0", CLEAN)[0] ?? "",
    /released already: 0\.1\.1 would/,
  );
  assert.match(releaseProblems("0.2.0", "0.3.0", CLEAN)[0] ?? "", /newer than 0\.2\.0/);
  const state = { ...CLEAN, status: " M mod.ts\n", branch: "" };
  assert.deepEqual(releaseProblems("0.2.0", "0.1.0", state), [
    "There is something that is not committed:\n M mod.ts",
    "Releases are made of main, not of no branch.",
  ]);
});

Deno.test("a release sets the version everywhere, dates the changelog and begins a new section", () => {
  const files = releasedFiles(FILES, "0.2.0", "2026-11-21");
  assert.equal(files[".gitlab/covtool.gitlab-ci.yml"], '    COVTOOL_VERSION: "0.2"\n');
  assert.match(
    files["CHANGELOG.md"] ?? "",
    /^## Unreleased\n\n## 0\.2\.0 – 2026-11-21\n\n- Something new\.\n\n## 0\.1\.0/m,
  );
  assert.deepEqual(versionProblems(FILES), []);
  assert.deepEqual(versionProblems(files), []);
  assert.deepEqual(
    versionProblems({ ...files, "deno.json": "{}", [PYTHON]: FILES[PYTHON] ?? "" }),
    [
      "deno.json: says undefined, but src/values/version.ts says 0.2.0.",
      `${PYTHON}: says 0.1.0, but src/values/version.ts says 0.2.0.`,
    ],
  );
  assert.deepEqual(versionProblems({ ...FILES, "CHANGELOG.md": "## 1.3.0\n" }), [
    "CHANGELOG.md: starts with 1.3.0, but src/values/version.ts says 0.1.0.",
  ]);
  assert.deepEqual(versionProblems({ ...FILES, "CHANGELOG.md": "# Changelog\n" }), [
    "CHANGELOG.md: has no heading with a version or for unreleased changes.",
  ]);
  assert.equal(releaseNotes(files["CHANGELOG.md"] ?? "", "0.2.0"), "- Something new.");
  assert.match(files["examples/jest-supertest/package.json"] ?? "", /"covtool": "\^0\.2\.0"/);
  assert.match(
    files["examples/deno-hono/deno.json"] ?? "",
    /covtool@\^0\.2\.0", "hono": "npm:hono@\^4"/,
  );
  const candidate = releasedFiles(FILES, "1.0.0-rc.1", "2026-11-21");
  assert.match(candidate[".gitlab/covtool.gitlab-ci.yml"] ?? "", /"1\.0\.0-rc\.1"/);
});

Deno.test("a release without a change, or without a place for the version, is an error", () => {
  const nothing = {
    ...FILES,
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 0.1.0\n\nNew.\n",
  };
  assert.throws(() => releasedFiles(nothing, "0.2.0", "2026-11-21"), /nothing under/);
  const placeless = { ...FILES, "src/values/version.ts": "" };
  assert.throws(
    () => releasedFiles(placeless, "0.2.0", "2026-11-21"),
    /src\/values\/version\.ts: has no/,
  );
});

Deno.test("preparing a release commits and tags it, and a dry run changes nothing", async () => {
  const folder = await Deno.makeTempDir({ prefix: "covtool-release-" });
  const git = (...args: string[]) => runOrThrow("git", args, { cwd: folder });
  const prepare = (...args: string[]) =>
    run(
      Deno.execPath(),
      ["run", "-A", "--config", "deno.dev.json", "scripts/prepare_release.ts", ...args],
      { cwd: folder },
    );
  try {
    const { code, err } = await run(
      "cp",
      [
        "-r",
        ...["deno.json", "deno.lock", "deno.dev.json", "deno.dev.lock", "src", "scripts"],
        ...["CHANGELOG.md", ".gitlab", "examples", "integrations"],
        folder,
      ],
      { cwd: ROOT },
    );
    assert.equal(code, 0, err);
    // Right after a release, there is nothing to release.
    const changelog = await Deno.readTextFile(`${folder}/CHANGELOG.md`);
    const changed = changelog.replace(/^## Unreleased$/m, "## Unreleased\n\n- Something new.");
    await Deno.writeTextFile(`${folder}/CHANGELOG.md`, changed);
    await git("init", "--quiet", "--initial-branch", "main");
    await git("config", "user.name", "Ada");
    await git("config", "user.email", "ada@example.com");
    await git("config", "commit.gpgsign", "false");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Begin");

    const dry = await prepare("9.8.7", "--dry-run");
    assert.equal(dry.code, 0, dry.err);
    assert.match(dry.out, /committed as "Release 9\.8\.7" and tagged v9\.8\.7/);
    assert.equal(await git("status", "--porcelain"), "");

    const real = await prepare("9.8.7");
    assert.equal(real.code, 0, real.out + real.err);
    assert.equal(
      await git("log", "-1", "--format=%s %D"),
      "Release 9.8.7 HEAD -> main, tag: v9.8.7\n",
    );
    assert.equal(await git("status", "--porcelain"), "");
    assert.match(await git("show", "HEAD:src/values/version.ts"), /"9\.8\.7"/);

    const again = await prepare("9.8.7");
    assert.deepEqual([again.code, again.out], [
      1,
      "9.8.7 is released already: 9.8.8 would be the next one.\n",
    ]);
    assert.equal((await prepare()).code, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
