/**
 * Prepares a release: sets the version everywhere, dates the changelog, commits and tags. Pushing the tag publishes.
 *
 *     deno run -A --config deno.dev.json scripts/prepare_release.ts 0.2.0 --dry-run    says what it would do
 *     deno run -A --config deno.dev.json scripts/prepare_release.ts 0.2.0
 *
 * @module
 */
import { gt, inc, lte, major, minor, prerelease, valid } from "semver";
import { VERSION } from "../src/values/version.ts";
import { VERSION_PLACES, type VersionedFiles } from "./check_version.ts";
import { print } from "./print.ts";
import { run, runOrThrow } from "./run.ts";
import { ROOT, sourceFiles } from "./source_files.ts";

const CHANGELOG = "CHANGELOG.md";
/** Names a range of versions: pipelines that include the template get fixes, but no breaking changes. */
const TEMPLATE = ".gitlab/covtool.gitlab-ci.yml";
const PLACES: Readonly<Record<string, RegExp>> = {
  ...VERSION_PLACES,
  [TEMPLATE]: /(COVTOOL_VERSION: ")[^"]+/,
};
/** Settings of the example projects, which depend on covtool. */
const EXAMPLE = /^examples\/[\w-]+\/(?:package|deno)\.json$/;
const IN_EXAMPLE = /("(?:@covtool\/)?covtool": "(?:jsr:@covtool\/covtool@)?\^)[^"]+/;

/** State of the repository before a release. */
export interface RepositoryState {
  /** Output of `git status --porcelain`. */
  readonly status: string;
  readonly branch: string;
  readonly tags: readonly string[];
}

/** Returns the reasons why a version cannot be released now, one sentence each; empty if it can. */
export function releaseProblems(
  version: string,
  current: string,
  { status, branch, tags }: RepositoryState,
): string[] {
  if (valid(version) !== version) return [`${version} is no version, as 1.2.3 or 1.2.3-rc.1 are.`];
  const problems: string[] = [];
  const released = tags.map((tag) => tag.replace(/^v/, "")).filter((tag) => valid(tag) !== null);
  const newer = released.find((tag) => lte(version, tag));
  if (newer !== undefined) {
    problems.push(`${newer} is released already: ${inc(newer, "patch")} would be the next one.`);
  } else if (gt(current, version)) {
    problems.push(`The sources say ${current}, which is newer than ${version}.`);
  }
  if (status.trim() !== "") {
    problems.push(`There is something that is not committed:\n${status.trimEnd()}`);
  }
  if (branch !== "main") {
    problems.push(`Releases are made of main, not of ${branch === "" ? "no branch" : branch}.`);
  }
  return problems;
}

/** Returns the files with the new version and a dated changelog. */
export function releasedFiles(
  files: VersionedFiles,
  version: string,
  date: string,
): Record<string, string> {
  const changelog = files[CHANGELOG] ?? "";
  if (!/^## Unreleased\n+(?!##)\S/m.test(changelog)) {
    throw new Error(`${CHANGELOG}: has nothing under "## Unreleased" to release.`);
  }
  const released: Record<string, string> = {
    ...files,
    [CHANGELOG]: changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} – ${date}`),
  };
  // A prerelease is in no range but its own version.
  const range = prerelease(version) === null ? `${major(version)}.${minor(version)}` : version;
  for (const [path, place] of Object.entries(PLACES)) {
    const text = files[path] ?? "";
    if (!place.test(text)) throw new Error(`${path}: has no version to set.`);
    released[path] = replaced(text, place, path === TEMPLATE ? range : version);
  }
  for (const [path, text] of Object.entries(files)) {
    if (EXAMPLE.test(path)) released[path] = replaced(text, IN_EXAMPLE, version);
  }
  return released;
}

function replaced(text: string, place: RegExp, value: string): string {
  return text.replace(place, (_all, before: string) => before + value);
}

/** Reads the files that contain a version. */
async function versionedFiles(): Promise<Record<string, string>> {
  const examples = (await sourceFiles(ROOT, ["package.json", "deno.json"])).filter((path) =>
    EXAMPLE.test(path)
  );
  const files: Record<string, string> = {};
  for (const path of [CHANGELOG, ...Object.keys(PLACES), ...examples]) {
    files[path] = await Deno.readTextFile(`${ROOT}/${path}`);
  }
  return files;
}

async function git(...args: readonly string[]): Promise<string> {
  return await runOrThrow("git", args, { cwd: ROOT });
}

async function main([version = "", ...options]: readonly string[]): Promise<string[]> {
  const dryRun = options.includes("--dry-run");
  if (version === "" || version.startsWith("-") || options.some((name) => name !== "--dry-run")) {
    return [
      "Name the version: deno run -A --config deno.dev.json scripts/prepare_release.ts 1.2.3 [--dry-run]",
    ];
  }
  const files = await versionedFiles();
  const problems = releaseProblems(version, VERSION, {
    status: await git("status", "--porcelain"),
    branch: (await git("branch", "--show-current")).trim(),
    tags: (await git("tag", "--list", "v*")).split("\n"),
  });
  if (problems.length > 0 && !dryRun) return problems;
  for (const problem of problems) print(`In the way: ${problem}`);
  const released = releasedFiles(files, version, new Date().toISOString().slice(0, 10));
  for (const [path, text] of Object.entries(released)) {
    print(`${path}: ${files[path] === text ? "stays as it is" : `set to ${version}`}`);
    if (!dryRun) await Deno.writeTextFile(`${ROOT}/${path}`, text);
  }
  if (dryRun) {
    print(`It would be committed as "Release ${version}" and tagged v${version}.`);
    return [];
  }
  const checked = await run(Deno.execPath(), ["run", "-A", "scripts/check_version.ts"], {
    cwd: ROOT,
  });
  if (checked.code !== 0) return [checked.out.trim()];
  await git("commit", "--message", `Release ${version}`, "--", ...Object.keys(released));
  await git("tag", "--annotate", `v${version}`, "--message", `covtool ${version}`);
  print(`Committed and tagged. Publish it: git push --atomic origin main v${version}`);
  return [];
}

if (import.meta.main) {
  const problems = await main(Deno.args).catch((error: unknown) => [
    error instanceof Error ? error.message : String(error),
  ]);
  for (const problem of problems) print(problem);
  Deno.exit(problems.length === 0 ? 0 : 1);
}
