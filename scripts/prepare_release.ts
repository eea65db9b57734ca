/**
 * Prepares a release: sets the version wherever it stands, dates the changelog, commits and tags. What publishes is the
 * tag, once it is pushed.
 *
 *     deno run -A scripts/prepare_release.ts 0.2.0 --dry-run    says what it would do
 *     deno run -A scripts/prepare_release.ts 0.2.0
 *
 * @module
 */
import { gt, inc, lte, major, minor, prerelease, valid } from "semver";
import { print } from "./print.ts";
import { run, runOrThrow } from "./run.ts";
import { ROOT } from "./source_files.ts";

/** The files that a version stands in, with their texts. */
export type VersionedFiles = Readonly<Record<VersionedFile, string>>;

/** A file that a version stands in. */
export type VersionedFile = typeof VERSIONED[number];

const VERSIONED = [
  "deno.json",
  "src/version.ts",
  "CHANGELOG.md",
  ".gitlab/covtool.gitlab-ci.yml",
] as const;

/** What is known of the repository before a release. */
export interface RepositoryState {
  /** What `git status --porcelain` says. */
  readonly status: string;
  readonly branch: string;
  readonly tags: readonly string[];
}

/** Why a version cannot be released as things are: sentences; empty where it can. */
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

/**
 * The files of a released version.
 *
 * @param date The day of the release: `2026-11-21`.
 * @throws {Error} where a file has no place for the version, or the changelog has nothing to release.
 */
export function releasedFiles(
  files: VersionedFiles,
  version: string,
  date: string,
): Record<VersionedFile, string> {
  if (!/^## Unreleased\n+(?!##)\S/m.test(files["CHANGELOG.md"])) {
    throw new Error('CHANGELOG.md: has nothing under "## Unreleased" to release.');
  }
  // Who includes the template gets the mends of a version, but nothing that breaks; a version to try is exact.
  const range = prerelease(version) === null ? `${major(version)}.${minor(version)}` : version;
  return {
    "deno.json": set("deno.json", /^(\s+"version": ")[^"]+/m, version),
    "src/version.ts": set("src/version.ts", /(VERSION = ")[^"]+/, version),
    "CHANGELOG.md": files["CHANGELOG.md"].replace(
      /^## Unreleased$/m,
      `## Unreleased\n\n## ${version} – ${date}`,
    ),
    ".gitlab/covtool.gitlab-ci.yml": set(
      ".gitlab/covtool.gitlab-ci.yml",
      /(COVTOOL_VERSION: ")[^"]+/,
      range,
    ),
  };
  function set(path: VersionedFile, place: RegExp, value: string): string {
    if (!place.test(files[path])) throw new Error(`${path}: has no version to set.`);
    return files[path].replace(place, (_all, before: string) => before + value);
  }
}

async function git(...args: readonly string[]): Promise<string> {
  return await runOrThrow("git", args, { cwd: ROOT });
}

async function main([version = "", ...options]: readonly string[]): Promise<string[]> {
  const dryRun = options.includes("--dry-run");
  if (version === "" || version.startsWith("-") || options.some((name) => name !== "--dry-run")) {
    return ["Name the version: deno run -A scripts/prepare_release.ts 1.2.3 [--dry-run]"];
  }
  const files = {} as Record<VersionedFile, string>;
  for (const path of VERSIONED) files[path] = await Deno.readTextFile(`${ROOT}/${path}`);
  const current = (JSON.parse(files["deno.json"]) as { readonly version: string }).version;
  const problems = releaseProblems(version, current, {
    status: await git("status", "--porcelain"),
    branch: (await git("branch", "--show-current")).trim(),
    tags: (await git("tag", "--list", "v*")).split("\n"),
  });
  if (problems.length > 0 && !dryRun) return problems;
  for (const problem of problems) print(`In the way: ${problem}`);
  const released = releasedFiles(files, version, new Date().toISOString().slice(0, 10));
  for (const path of VERSIONED) {
    print(`${path}: ${files[path] === released[path] ? "stays as it is" : `set to ${version}`}`);
    if (!dryRun) await Deno.writeTextFile(`${ROOT}/${path}`, released[path]);
  }
  if (dryRun) {
    print(`It would be committed as "Release ${version}" and tagged v${version}.`);
    return [];
  }
  const checked = await run(Deno.execPath(), ["run", "-A", "scripts/check_version.ts"], {
    cwd: ROOT,
  });
  if (checked.code !== 0) return [checked.out.trim()];
  await git("commit", "--message", `Release ${version}`, "--", ...VERSIONED);
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
