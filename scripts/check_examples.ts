/**
 * Runs the projects in examples/ as their users would: each is copied into a folder of its own and installed with the
 * tarball of covtool, its tests are run, and what they report is compared. It ends with the line "N passed, N failed".
 *
 *     deno run -A --config deno.dev.json scripts/check_examples.ts              all of them
 *     deno run -A --config deno.dev.json scripts/check_examples.ts deno-hono    some of them
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { FINDING_KINDS } from "../src/report/wording/finding_wording.ts";
import { findWheel } from "./build_python.ts";
import { PACKAGE_NAME } from "./npm/package_json.ts";
import { sharedPackage } from "./npm/shared_package.ts";
import { shellBlocks } from "./docs/shell_blocks.ts";
import { type Ended, run, runOrThrow } from "./run.ts";
import { ROOT, sourceFiles } from "./source_files.ts";
import { createTally } from "./tally.ts";
import { inFolder } from "../tests/in_folder.ts";

const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";

/** The expected result of each project, in the form of {@linkcode reportedNumbers}. */
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
  "fastapi-pytest":
    "Operations 3 of 4; Parameters 4 of 5; Keywords 19 of 20: 4 full, 15 partial; Examples 1 of 3; Responses 6 of 10",
  "django-pytest":
    "Operations 3 of 4; Parameters 3 of 4; Keywords 11 of 12: 3 full, 8 partial; Examples 1 of 1; Responses 5 of 7",
  "findings-fastify":
    "Operations 5 of 5, 4 succeeded; Parameters 5 of 5; Keywords 13 of 13: 5 full, 8 partial; Responses 8 of 14",
  "access-fastapi-pytest":
    "Operations 5 of 5; Parameters 4 of 4; Keywords 6 of 6: 0 full, 6 partial; Responses 15 of 21",
  "access-fastify":
    "Operations 5 of 5; Parameters 4 of 4; Keywords 6 of 6: 0 full, 6 partial; Responses 15 of 17",
};

/** The expected findings of the projects that demonstrate findings: numbers by kind. */
const FINDINGS: Readonly<Record<string, string>> = {
  "findings-fastify":
    "Server errors 1; Credentials that are not required 1; Rules that are not enforced 1; Valid requests refused 1; Responses that violate their schema 1; Undocumented statuses 2; Operations that never succeeded 1",
  "access-fastapi-pytest": "Access that should be refused 3",
  "access-fastify": "Access that should be refused 3",
};

/** Python code that prints the description of a project that has no file with it. */
export const DESCRIBE: Readonly<Record<string, string>> = {
  "fastapi-pytest": "import json, main; print(json.dumps(main.app.openapi()))",
  "access-fastapi-pytest": "import json, main; print(json.dumps(main.app.openapi()))",
};

/** The fields of package.json or deno.json that are changed. */
interface ProjectSettings {
  devDependencies?: Record<string, string>;
  imports?: Record<string, string>;
  tasks?: Record<string, string>;
}

/** Returns the five numbers of a text report, which lines of the test runner may surround. */
export function reportedNumbers(text: string): string {
  const line = /^(Operations|Parameters|Keywords|Examples|Responses) +\S+ +\S+% +(.+?) *$/gm;
  return [...text.matchAll(line)].map(([, name, numbers]) => `${name} ${numbers}`).join("; ");
}

/** Returns the findings of a text report: numbers by kind. */
export function reportedFindings(text: string): string {
  const titles = FINDING_KINDS.map(({ title }) => title).join("|");
  const line = new RegExp(`^ +(${titles}): (\\d+) *$`, "gm");
  return [...text.matchAll(line)].map(([, title, number]) => `${title} ${number}`).join("; ");
}

/** Copies a project, without the files that earlier runs have left there. */
export async function copyExample(name: string, folder: string): Promise<void> {
  const source = `${ROOT}/examples/${name}`;
  for (const path of await sourceFiles(source, [""])) {
    if (path.startsWith("node_modules/") || path.startsWith("coverage.")) continue;
    const target = `${folder}/${path}`;
    await Deno.mkdir(target.replace(/\/[^/]+$/, ""), { recursive: true });
    await Deno.copyFile(`${source}/${path}`, target);
  }
}

/** Edits the settings file of a copied project. */
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

/** Runs the tests with the sources of this repository in place of the package on JSR. */
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
      // Deno's command-line options do not resolve names of the import map.
      for (const [task, command] of Object.entries(settings.tasks ?? {})) {
        settings.tasks = {
          ...settings.tasks,
          [task]: command.replace(`=jsr:${full} `, `=${module} `),
        };
      }
    }
  });
  const env = {
    NO_COLOR: "1",
    PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH") ?? ""}`,
  };
  return await run(Deno.execPath(), ["task", "test"], { cwd: folder, env });
}

/** Runs the tests as the README says, in a virtual environment, with the wheel for this machine. */
async function testWithPython(name: string, folder: string): Promise<Ended> {
  const python = `${folder}/.venv/bin/python`;
  await runOrThrow(Deno.env.get("PYTHON") ?? "python3", ["-m", "venv", ".venv"], { cwd: folder });
  const requirements = await Deno.readTextFile(`${folder}/requirements.txt`);
  const others = requirements.replace(/^covtool\n/m, "");
  assert.notEqual(others, requirements);
  await Deno.writeTextFile(`${folder}/requirements.txt`, others);
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await runOrThrow(python, [...install, "-r", "requirements.txt"], { cwd: folder });
  const wheels = dirname(await findWheel());
  if (name in QUICK_STARTS) await followQuickStart(name, folder, wheels);
  else {await runOrThrow(python, [...install, "--no-index", "--find-links", wheels, "covtool"], {
      cwd: folder,
    });}
  const describe = DESCRIBE[name];
  if (describe !== undefined) {
    const text = await runOrThrow(python, ["-c", describe], { cwd: folder });
    await Deno.writeTextFile(`${folder}/openapi.json`, text);
  }
  return await run(python, ["-m", "pytest"], { cwd: folder, env: { NO_COLOR: "1" } });
}

/** The command for each project in the quick starts of docs/python.md. */
const QUICK_STARTS: Readonly<Record<string, string>> = {
  "fastapi-pytest": "pytest --covtool main:app",
  "django-pytest": "pytest --covtool openapi.yaml",
};

/** Follows the quick start of docs/python.md in a project whose settings don't mention covtool yet. */
async function followQuickStart(name: string, folder: string, wheels: string): Promise<void> {
  const command = QUICK_STARTS[name];
  const page = await Deno.readTextFile(`${ROOT}/docs/python.md`);
  const script = shellBlocks(page).blocks.find(({ script }) => script.endsWith(`\n${command}`))
    ?.script;
  assert.ok(script !== undefined, `docs/python.md shows ${command}`);
  const settings = await Deno.readTextFile(`${folder}/pyproject.toml`);
  await Deno.writeTextFile(`${folder}/pyproject.toml`, settings.replace(/^addopts = .*\n/m, ""));
  const env = {
    NO_COLOR: "1",
    PATH: `${folder}/.venv/bin:${Deno.env.get("PATH") ?? ""}`,
    // pip finds the wheel for this machine, and asks no index.
    PIP_FIND_LINKS: wheels,
    PIP_NO_INDEX: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
  };
  const { code, out, err } = await run("sh", ["-e", "-c", script], { cwd: folder, env });
  assert.equal(code, 0, out + err);
  assert.equal(reportedNumbers(out), EXPECTED[name]);
  await Deno.writeTextFile(`${folder}/pyproject.toml`, settings);
}

/** Installs a copy of a project, runs its tests and compares the results with the expected ones. */
async function tryProject(name: string, folder: string, tarball: string): Promise<string> {
  await copyExample(name, folder);
  const { code, out, err } = name.startsWith("deno-")
    ? await testWithDeno(folder)
    : name.endsWith("-pytest")
    ? await testWithPython(name, folder)
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
  const { check, exit } = createTally();
  const names = Deno.args.length > 0 ? Deno.args : Object.keys(EXPECTED);
  await inFolder({}, async (temporary) => {
    const { tarball } = await sharedPackage();
    for (const name of names) {
      await check(`the example ${name} measures its tests`, async () => {
        return await tryProject(name, `${temporary}/${name}`, tarball);
      });
    }
  });
  exit();
}
