import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readFilePieces } from "../files/files.ts";
import { looksLikeDescription } from "../run/config/looks_like_description.ts";
import { readRecording } from "../traffic/read/read_recording.ts";

/** The parts of a project that a config file can name. Paths are relative to its folder, with slashes. */
export interface Findings {
  /** OpenAPI descriptions, the most likely one first. */
  readonly descriptions: readonly string[];
  /** Recordings: files, and patterns for folders in which all files of an extension are recordings. */
  readonly recordings: readonly string[];
  /** The number of files that are recordings. */
  readonly recordingCount: number;
  /** Its test runner; undefined if unknown. */
  readonly runner: TestRunner | undefined;
  /** Configuration of build servers. */
  readonly builds: readonly string[];
  /** True if the search ended before all files were looked at. */
  readonly isCut: boolean;
}

/** A test runner that covtool has a way to measure with. */
export type TestRunner = "Vitest" | "Jest" | "Playwright" | "node:test" | "Deno" | "pytest";

/** Folders of other people's code and of what builds write. */
const SKIPPED = new Set([
  ...["node_modules", "bower_components", "vendor", "venv", "site-packages", "__pycache__"],
  ...["dist", "build", "out", "target", "coverage", "tmp"],
]);
const MOST_ENTRIES = 20_000;
const MOST_READ = 300;
const DEEPEST = 10;
const LARGEST_BYTES = 50 << 20;

/** Files that are neither, and that most projects have. */
const WELL_KNOWN =
  /^(?:package(?:-lock)?|composer|deno|tsconfig.*|jsconfig.*|covtool|coverage)\.jsonc?$|^(?:pnpm-lock|docker-compose.*|mkdocs|covtool)\.ya?ml$/;
const CANDIDATE = /\.(?:json|jsonl|ya?ml|har)$/i;

/**
 * Looks through a folder and those below it for what a config file can name. Descriptions and recordings are told by
 * their content. Hidden folders and those of installed packages are passed over.
 */
export async function findInProject(folder: string): Promise<Findings> {
  const { files, isCut } = listFiles(folder);
  const descriptions = files.filter((path) =>
    /\.(?:json|ya?ml)$/i.test(path) && isDescription(join(folder, path))
  );
  const recordings = new Set<string>();
  const others = files.filter((path) => !descriptions.includes(path));
  // HAR files are the likeliest, so a limit leaves out others.
  const likely = others.toSorted((a, b) => Number(b.endsWith(".har")) - Number(a.endsWith(".har")));
  for (const path of likely.slice(0, MOST_READ)) {
    if (await isRecording(join(folder, path))) recordings.add(path);
  }
  return {
    descriptions: descriptions.sort(byLikelihood),
    recordings: patternsOf(recordings, others),
    recordingCount: recordings.size,
    runner: runnerOf(folder),
    builds: buildsOf(folder),
    isCut: isCut || likely.length > MOST_READ,
  };
}

function listFiles(folder: string): { readonly files: string[]; readonly isCut: boolean } {
  const files: string[] = [];
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: "", depth: 0 }];
  let entries = 0;
  // The list grows while it is read: breadth first.
  for (const { path, depth } of folders) {
    for (const entry of entriesOf(join(folder, path))) {
      if (++entries > MOST_ENTRIES) return { files, isCut: true };
      const at = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        const isSkipped = entry.name.startsWith(".") || SKIPPED.has(entry.name);
        if (!isSkipped && depth < DEEPEST) folders.push({ path: at, depth: depth + 1 });
      } else if (entry.isFile() && CANDIDATE.test(entry.name) && !WELL_KNOWN.test(entry.name)) {
        files.push(at);
      }
    }
  }
  return { files: files.sort(), isCut: false };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // others may not look into it
  }
}

function isDescription(path: string): boolean {
  try {
    if (!looksLikeDescription(path)) return false;
    return /["']?(?:paths|webhooks|components)["']?\s*:/.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

async function isRecording(path: string): Promise<boolean> {
  try {
    if (statSync(path).size > LARGEST_BYTES) return /\.har$/i.test(path);
    // The first interaction shows it.
    for await (const _interaction of readRecording(readFilePieces(path), path)) return true;
    return false;
  } catch {
    return false;
  }
}

/** Near the root before far from it, and usual names before others. */
function byLikelihood(left: string, right: string): number {
  return depthOf(left) - depthOf(right) || Number(isUsual(right)) - Number(isUsual(left)) ||
    (left < right ? -1 : 1);
}

function depthOf(path: string): number {
  return path.split("/").length;
}

function isUsual(path: string): boolean {
  return /(?:^|\/)(?:openapi|swagger|api)\.(?:json|ya?ml)$/i.test(path);
}

/** One pattern for the recordings of a folder, where no other file has their extension. */
function patternsOf(recordings: ReadonlySet<string>, files: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const path of recordings) {
    const pattern = patternOf(path);
    groups.set(pattern, [...groups.get(pattern) ?? [], path]);
  }
  return [...groups].flatMap(([pattern, paths]) => {
    const all = files.filter((path) => patternOf(path) === pattern);
    return paths.length > 1 && all.length === paths.length ? [pattern] : paths;
  }).sort();
}

function patternOf(path: string): string {
  return path.replace(/[^/]+(\.[^./]+)$/, "*$1");
}

function runnerOf(folder: string): TestRunner | undefined {
  const text = (name: string): string => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const manifest = text("package.json");
  const has = (name: string): boolean => manifest.includes(`"${name}"`);
  if (has("vitest")) return "Vitest";
  if (has("jest")) return "Jest";
  if (has("@playwright/test")) return "Playwright";
  if (/node\s[^"]*--test\b/.test(manifest)) return "node:test";
  if (text("deno.json") !== "" || text("deno.jsonc") !== "") return "Deno";
  return /\bpytest\b/.test(text("pyproject.toml") + text("requirements.txt") + text("setup.cfg"))
    ? "pytest"
    : undefined;
}

function buildsOf(folder: string): string[] {
  const workflows = entriesOf(join(folder, ".github/workflows"))
    .filter(({ name }) => /\.ya?ml$/.test(name)).map(({ name }) => `.github/workflows/${name}`);
  const others = [
    ...[".gitlab-ci.yml", "Jenkinsfile", ".circleci/config.yml", "azure-pipelines.yml"],
    "bitbucket-pipelines.yml",
  ].filter((path) => existsSync(join(folder, path)));
  return [...workflows.sort(), ...others];
}
