import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { decodeText, errorCode, fileErrorSentence, readFilePieces } from "../files/files.ts";
import { writeNewFile } from "../files/write_new_file.ts";
import { CommandError } from "../run/command_error.ts";
import { CONFIG_NAMES, findConfig, looksLikeDescription } from "../run/config/find_config.ts";
import { sanitizeMessage } from "../run/error_sentences.ts";
import type { Host } from "../run/host.ts";
import { readRecording } from "../traffic/read/read_recording.ts";
import { type CodeFirst, findCodeFirst } from "./code_first.ts";
import { findTestSetup, type TestSetup } from "./test_setups.ts";
import { groupItems } from "../values/collections.ts";

const NAME = "covtool.yaml";
/** The path of the config file's JSON Schema in projects that install covtool from npm. */
const SCHEMA = "node_modules/covtool/config.schema.json";

export async function init(host: Host): Promise<number> {
  const folder = process.cwd();
  const existing = CONFIG_NAMES.find((name) => existsSync(join(folder, name)));
  if (existing !== undefined) {
    throw new CommandError(
      `${existing} exists already, and covtool init overwrites nothing. To check it: covtool check`,
    );
  }
  const above = findConfig();
  const findings = await findInProject(folder);
  const schema = existsSync(join(folder, SCHEMA)) ? `./${SCHEMA}` : undefined;
  try {
    await writeNewFile(NAME, initialConfig(findings, schema));
  } catch (error) {
    const reason = errorCode(error) === "EEXIST"
      ? "It is a symbolic link that leads to no file. Delete the link, or create the file."
      : fileErrorSentence(error);
    throw new CommandError(`Cannot write ${NAME}: ${reason}`, error);
  }
  const lines = [
    ...foundLines(findings),
    ...(above === undefined
      ? []
      : [`It comes before ${above}, which covtool no longer reads here.`]),
    "",
    `Wrote ${NAME}. Next:`,
    ...nextSteps(findings).map((step) => `  ${asInstalled(step, folder)}`),
  ];
  await host.stdout.write(lines.map((line) => sanitizeMessage(line) + "\n").join(""));
  return 0;
}

function foundLines({ descriptions, recordings, recordingCount, ...found }: Findings): string[] {
  const [first, ...others] = descriptions;
  return [
    ...(first === undefined
      ? missingLines(found.codeFirst)
      : [`Description: ${first}${others.length === 0 ? "" : ` (also: ${others.join(", ")})`}`]),
    recordings.length === 0
      ? "Recordings: none found."
      : `Recordings: ${recordings.join(", ")} (${recordingCount} ${
        recordingCount === 1 ? "file" : "files"
      })`,
    ...(found.testSetup === undefined ? [] : [`Test runner: ${found.testSetup.name}`]),
    ...(found.builds.length === 0 ? [] : [`Build: ${found.builds.join(", ")}`]),
    ...(found.isCut ? ["There are more files than covtool init looks at."] : []),
  ];
}

function missingLines(codeFirst: CodeFirst | undefined): string[] {
  if (codeFirst === undefined) return ["Description: none found. Set schema to a file or URL."];
  const { framework, file, command } = codeFirst;
  return [
    `Description: none found. ${framework} makes it from code; to write it to ${file}:`,
    `  ${command}`,
  ];
}

function nextSteps({ descriptions, recordings, testSetup, codeFirst }: Findings): string[] {
  const measuring = recordings.length > 0
    ? "covtool report"
    : testSetup?.step ?? "covtool proxy -- COMMAND (the command that runs the tests)";
  if (descriptions.length > 0) return [measuring];
  const first = codeFirst === undefined
    ? "Set schema in covtool.yaml"
    : `Write ${codeFirst.file}, name it as schema in covtool.yaml`;
  return [`${first}, then: covtool check`, measuring];
}

function asInstalled(step: string, folder: string): string {
  return existsSync(join(folder, "node_modules", ".bin", "covtool"))
    ? step.replace(/\bcovtool (?=run|proxy|report|check)/, "npx covtool ")
    : step;
}

const MAX_LISTED = 20;

function initialConfig(
  { descriptions, recordings, testSetup }: Pick<
    Findings,
    "descriptions" | "recordings" | "testSetup"
  >,
  schema: string | undefined,
): string {
  const [description, ...others] = descriptions;
  const listed = recordings.slice(0, MAX_LISTED);
  const lines = [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`, ""]),
    "# OpenAPI description: a file or URL. Paths are relative to this file.",
    ...others.slice(0, MAX_LISTED).map((path) => `# Also found: ${path}`),
    ...(others.length === 0
      ? []
      : ["# To measure them in one run, replace schema with apis, a list of - schema: PATH."]),
    description === undefined ? "# schema: openapi.yaml" : `schema: ${scalar(description)}`,
    "",
    "# Recordings: files, folders and glob patterns.",
    ...(listed.length === 0
      ? ["# traffic: recordings/**/*.har"]
      : ["traffic:", ...listed.map((path) => `  - ${scalar(path)}`)]),
    ...(recordings.length > listed.length
      ? [`  # … and ${recordings.length - listed.length} more`]
      : []),
    "",
    "# Reports to write.",
    "format: html",
    "",
    "# Tests that the page copies suggested requests as.",
    testSetup?.testFormat === undefined
      ? "# testFormat: vitest"
      : `testFormat: ${testSetup.testFormat}`,
    "",
    "# Exit with 1 if coverage is lower, in percent.",
    "# failUnder: 80",
    "# failUnderOperations: 100",
    "",
    "# Exit with 1 if nothing of the traffic matches the description.",
    "failOn: no-traffic",
    "",
    "# Leave parts out of all percentages, with a reason that reports show.",
    "# exclude:",
    "#   - pattern: deprecated",
    "#     reason: goes away with version 2",
    "#     until: 2027-12-31",
  ];
  return lines.join("\n") + "\n";
}

function scalar(text: string): string {
  return /^[\w.][\w./*-]*$/.test(text) && !/^(?:[\d.]+|true|false|null)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

/** The parts of a project that a config file can name. Paths are relative to the project's folder, with slashes. */
interface Findings {
  /** OpenAPI descriptions, most likely first. */
  readonly descriptions: readonly string[];
  /** Recordings: files, and glob patterns for folders in which all files of an extension are recordings. */
  readonly recordings: readonly string[];
  readonly recordingCount: number;
  readonly testSetup: TestSetup | undefined;
  /** The framework that generates the description, if no description was found. */
  readonly codeFirst: CodeFirst | undefined;
  readonly builds: readonly string[];
  /** True if not all files were searched. */
  readonly isCut: boolean;
}

const SKIPPED = new Set([
  ...["node_modules", "bower_components", "vendor", "venv", "site-packages", "__pycache__"],
  ...["dist", "build", "out", "target", "coverage", "tmp"],
]);
const MAX_ENTRIES = 20_000;
const MAX_READ = 300;
const MAX_DEPTH = 10;
const MAX_BYTES = 50 << 20;

/** Common files that are neither descriptions nor recordings. */
const WELL_KNOWN =
  /^(?:package(?:-lock)?|composer|deno|tsconfig.*|jsconfig.*|covtool|coverage)\.jsonc?$|^(?:pnpm-lock|docker-compose.*|mkdocs|covtool)\.ya?ml$/;
const CANDIDATE = /\.(?:json|jsonl|ndjson|ya?ml|har)$/i;

/** Searches a project for descriptions and recordings by content. Skips hidden folders and installed packages. */
async function findInProject(folder: string): Promise<Findings> {
  const { files, isCut } = listFiles(folder);
  const candidates = files.filter((path) => !WELL_KNOWN.test(basename(path)));
  const descriptions = candidates.filter((path) =>
    /\.(?:json|ya?ml)$/i.test(path) && isDescription(join(folder, path))
  );
  const recordings = new Set<string>();
  const others = candidates.filter((path) => !descriptions.includes(path));
  // HAR files are the most likely recordings, so they are checked first, before the limit is reached.
  const likely = others.toSorted((a, b) => Number(b.endsWith(".har")) - Number(a.endsWith(".har")));
  for (const path of likely.slice(0, MAX_READ)) {
    if (await isRecording(join(folder, path))) recordings.add(path);
  }
  return {
    descriptions: descriptions.sort(byLikelihood),
    recordings: choosePatterns(recordings, files),
    recordingCount: recordings.size,
    testSetup: findTestSetup(folder),
    codeFirst: descriptions.length > 0 ? undefined : findCodeFirst(folder),
    builds: findBuilds(folder),
    isCut: isCut || likely.length > MAX_READ,
  };
}

function listFiles(folder: string): { readonly files: string[]; readonly isCut: boolean } {
  const files: string[] = [];
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: "", depth: 0 }];
  let entries = 0;
  // The list grows during the loop: a breadth-first search.
  for (const { path, depth } of folders) {
    for (const entry of listEntries(join(folder, path))) {
      if (++entries > MAX_ENTRIES) return { files, isCut: true };
      const at = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        const isSkipped = entry.name.startsWith(".") || SKIPPED.has(entry.name);
        if (!isSkipped && depth < MAX_DEPTH) folders.push({ path: at, depth: depth + 1 });
      } else if (entry.isFile() && CANDIDATE.test(entry.name)) {
        files.push(at);
      }
    }
  }
  return { files: files.sort(), isCut: false };
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no permission to read it
  }
}

function isDescription(path: string): boolean {
  try {
    if (!looksLikeDescription(path)) return false;
    return /["']?(?:paths|webhooks|components)["']?\s*:/.test(decodeText(readFileSync(path)));
  } catch {
    return false;
  }
}

async function isRecording(path: string): Promise<boolean> {
  try {
    if (statSync(path).size > MAX_BYTES) return /\.har$/i.test(path);
    // A single interaction proves that it is a recording.
    for await (const _interaction of readRecording(readFilePieces(path), path)) return true;
    return false;
  } catch {
    return false;
  }
}

function byLikelihood(left: string, right: string): number {
  return pathDepth(left) - pathDepth(right) || Number(isUsual(right)) - Number(isUsual(left)) ||
    (left < right ? -1 : 1);
}

function pathDepth(path: string): number {
  return path.split("/").length;
}

function isUsual(path: string): boolean {
  return /(?:^|\/)(?:openapi|swagger|api)\.(?:json|ya?ml)$/i.test(path);
}

/** Replaces the recordings of a folder by one pattern if all files there with their extension are recordings. */
function choosePatterns(recordings: ReadonlySet<string>, files: readonly string[]): string[] {
  return [...groupItems(recordings, pathPattern)].flatMap(([pattern, paths]) => {
    const all = files.filter((path) => pathPattern(path) === pattern);
    const isPlainFolder = !/[*?[{(!\\]/.test(pattern.slice(0, pattern.lastIndexOf("*")));
    return isPlainFolder && paths.length > 1 && all.length === paths.length ? [pattern] : paths;
  }).sort();
}

function pathPattern(path: string): string {
  return path.replace(/[^/]+(\.[^./]+)$/, "*$1");
}

function findBuilds(folder: string): string[] {
  const workflows = listEntries(join(folder, ".github/workflows"))
    .filter(({ name }) => /\.ya?ml$/.test(name)).map(({ name }) => `.github/workflows/${name}`);
  const others = [
    ...[".gitlab-ci.yml", "Jenkinsfile", ".circleci/config.yml", "azure-pipelines.yml"],
    "bitbucket-pipelines.yml",
  ].filter((path) => existsSync(join(folder, path)));
  return [...workflows.sort(), ...others];
}
