/**
 * Runs the projects in examples/ as their users would: each is copied into a folder of its own and installed with the
 * tarball of covtool, its tests are run, and what they report is compared. It ends with the line "N passed, N failed".
 *
 *     deno run -A scripts/check_examples.ts              all of them
 *     deno run -A scripts/check_examples.ts deno-hono    some of them
 *
 * @module
 */
import assert from "node:assert/strict";
import { FINDING_KINDS } from "../src/report/wording/finding_wording.ts";
import { PACKAGE_NAME } from "./npm/package_json.ts";
import { sharedPackage } from "./npm/shared_package.ts";
import { print } from "./print.ts";
import { type Ended, run, runOrThrow } from "./run.ts";
import { ROOT, sourceFiles } from "./source_files.ts";
import { createTally } from "./tally.ts";

const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";

/** Expected results of each project: operations, parameters, keywords, examples and responses, where there are any. */
export const EXPECTED: Readonly<Record<string, string>> = {
  "vitest-fetch":
    "Operations 4 of 5; Parameters 5 of 7; Keywords 19 of 27: 3 full, 16 partial; Examples 1 of 2; Responses 7 of 11",
  "jest-supertest":
    "Operations 3 of 4; Parameters 3 of 5; Keywords 12 of 14: 3 full, 9 partial; Examples 1 of 1; Responses 6 of 10",
  "playwright":
    "Operations 3 of 4; Parameters 2 of 5; Keywords 10 of 15: 2 full, 8 partial; Responses 5 of 7",
  "deno-hono":
    "Operations 3 of 4; Parameters 2 of 4; Keywords 10 of 12: 2 full, 8 partial; Examples 1 of 1; Responses 5 of 8",
  "node-test-fastify":
    "Operations 3 of 4; Parameters 2 of 4; Keywords 9 of 10: 3 full, 6 partial; Examples 2 of 2; Responses 5 of 6",
  "findings-fastify":
    "Operations 5 of 5, 4 succeeded; Parameters 5 of 5; Keywords 13 of 13: 5 full, 8 partial; Responses 8 of 14",
};

/** The findings of projects that are about them: numbers by kind. */
const FINDINGS: Readonly<Record<string, string>> = {
  "findings-fastify":
    "Server errors 1; Credentials that are not required 1; Rules that are not enforced 1; Valid requests refused 1; Responses that violate their schema 1; Undocumented statuses 2; Operations that never succeeded 1",
};

/** The settings of a project: those of npm, or those of Deno. */
interface ProjectSettings {
  devDependencies?: Record<string, string>;
  imports?: Record<string, string>;
  tasks?: Record<string, string>;
}

/**
 * The five numbers of a text report, which a runner may have surrounded with its own lines.
 *
 * @example
 * ```ts
 * import { reportedNumbers } from "./check_examples.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(reportedNumbers("PASS a\nOperations  ██░░  50%  1 of 2\nPASS b"), "Operations 1 of 2");
 * ```
 */
export function reportedNumbers(text: string): string {
  const line = /^(Operations|Parameters|Keywords|Examples|Responses) +\S+ +\S+% +(.+?) *$/gm;
  return [...text.matchAll(line)].map(([, name, numbers]) => `${name} ${numbers}`).join("; ");
}

/**
 * The findings of a text report by kind.
 *
 * @example
 * ```ts
 * import { reportedFindings } from "./check_examples.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(reportedFindings("PASS a\n  Server errors: 2\n    GET /: …\n"), "Server errors 2");
 * ```
 */
export function reportedFindings(text: string): string {
  const titles = FINDING_KINDS.map(({ title }) => title).join("|");
  const line = new RegExp(`^ +(${titles}): (\\d+) *$`, "gm");
  return [...text.matchAll(line)].map(([, title, number]) => `${title} ${number}`).join("; ");
}

/** Copies a project, without what its own runs have left there. */
async function copyProject(name: string, folder: string): Promise<void> {
  const source = `${ROOT}/examples/${name}`;
  for (const path of await sourceFiles(source, [""])) {
    if (path.startsWith("node_modules/") || path.startsWith("coverage.")) continue;
    const target = `${folder}/${path}`;
    await Deno.mkdir(target.replace(/\/[^/]+$/, ""), { recursive: true });
    await Deno.copyFile(`${source}/${path}`, target);
  }
}

/** Changes the settings of a project, which is a copy. */
async function change(path: string, work: (settings: ProjectSettings) => void): Promise<void> {
  const settings = JSON.parse(await Deno.readTextFile(path)) as ProjectSettings;
  work(settings);
  await Deno.writeTextFile(path, JSON.stringify(settings, undefined, 2));
}

async function testWithNpm(folder: string, tarball: string): Promise<Ended> {
  await change(`${folder}/package.json`, ({ devDependencies = {} }) => {
    assert.ok(PACKAGE_NAME in devDependencies, `package.json names ${PACKAGE_NAME}`);
    devDependencies[PACKAGE_NAME] = `file:${tarball}`;
  });
  const options = ["--no-audit", "--no-fund", "--loglevel", "error"];
  await runOrThrow("npm", ["install", ...options], { cwd: folder });
  return await run("npm", ["test"], { cwd: folder, env: { NO_COLOR: "1", CI: "1", CHROMIUM } });
}

/** The package that Deno takes is not on this machine, but the sources that it consists of are. */
async function testWithDeno(folder: string): Promise<Ended> {
  const sources = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string>>;
    readonly imports: Readonly<Record<string, string>>;
  };
  await change(`${folder}/deno.json`, (settings) => {
    assert.ok(settings.imports?.[sources.name] !== undefined, `deno.json names ${sources.name}`);
    settings.imports = { ...sources.imports, ...settings.imports };
    for (const [name, path] of Object.entries(sources.exports)) {
      const full = sources.name + name.slice(1);
      const module = new URL(path, `file://${ROOT}/`).href;
      settings.imports[full] = module;
      // Options of Deno take no names of the project.
      for (const [task, command] of Object.entries(settings.tasks ?? {})) {
        settings.tasks = {
          ...settings.tasks,
          [task]: command.replace(`=jsr:${full} `, `=${module} `),
        };
      }
    }
  });
  const env = { NO_COLOR: "1", PATH: `${dirOf(Deno.execPath())}:${Deno.env.get("PATH") ?? ""}` };
  return await run(Deno.execPath(), ["task", "test"], { cwd: folder, env });
}

function dirOf(path: string): string {
  return path.replace(/[\\/][^\\/]+$/, "");
}

/** Runs the tests of a project that is installed, and compares. */
async function tryProject(name: string, folder: string, tarball: string): Promise<string> {
  await copyProject(name, folder);
  const { code, out, err } = name.startsWith("deno-")
    ? await testWithDeno(folder)
    : await testWithNpm(folder, tarball);
  const numbers = reportedNumbers(out + err);
  assert.equal(code, 0, `its tests end with ${code}:\n${out}${err}`);
  assert.equal(numbers, EXPECTED[name]);
  if (FINDINGS[name] !== undefined) assert.equal(reportedFindings(out + err), FINDINGS[name]);
  const page = await Deno.readTextFile(`${folder}/coverage.html`);
  assert.match(page, /<!DOCTYPE html>/i);
  return numbers;
}

if (import.meta.main) {
  const { check, total, isGood } = createTally();
  const temporary = await Deno.makeTempDir({ prefix: "covtool-examples-" });
  const names = Deno.args.length > 0 ? Deno.args : Object.keys(EXPECTED);
  try {
    const { tarball } = await sharedPackage();
    for (const name of names) {
      await check(`the example ${name} measures its tests`, async () => {
        return await tryProject(name, `${temporary}/${name}`, tarball);
      });
    }
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
  print(total());
  Deno.exit(isGood() ? 0 : 1);
}
