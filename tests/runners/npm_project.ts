import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sharedFolder } from "../../scripts/npm/shared_folder.ts";
import { sharedPackage } from "../../scripts/npm/shared_package.ts";
import { type Ended, runOrThrow } from "../../scripts/run.ts";
import type { Report } from "../../mod.ts";
import { assertSameHits } from "./same_hits.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** Milliseconds after which a run is ended. */
const TIMEOUT = 120_000;

/** Code for tests that wait for each other, so that they really run in parallel: `meeting(2)` is for two tests. */
export const MEETING = `function meeting(count) {
  const arrived = [];
  // A promise for each test: what follows a shared one belongs to no test in Node.js 24.
  return () => new Promise((resolve) => {
    arrived.push(resolve);
    if (arrived.length === count) for (const go of arrived) go();
  });
}`;

const INSTALL = [
  "install",
  ...["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"],
];

/** Installs packages, once for all tests with the same list. Returns the folder of the installation. */
export async function installed(packages: readonly string[]): Promise<string> {
  const machine = `${Deno.build.os} ${Deno.build.arch}`;
  const contents = [machine, ...INSTALL, ...packages];
  const folder = await sharedFolder("installation", contents, async (folder) => {
    await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }\n');
    await runOrThrow("npm", [...INSTALL, ...packages], { cwd: folder });
  });
  return join(folder, "node_modules");
}

/** Dependencies of the covtool package, with their ranges. */
async function readDependencies(covtool: string): Promise<string[]> {
  const { dependencies } = JSON.parse(await Deno.readTextFile(`${covtool}/package.json`)) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.entries(dependencies).map(([name, range]) => `${name}@${range}`);
}

/** Copies a folder, with hard links where the file system supports them. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const { name, isDirectory, isSymlink } of Deno.readDirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (isDirectory) linkTree(source, target);
    else if (isSymlink) Deno.symlinkSync(Deno.readLinkSync(source), target);
    else {
      try {
        linkSync(source, target);
      } catch {
        // Never writes through a link to a shared file.
        copyFileSync(source, target, constants.COPYFILE_EXCL);
      }
    }
  }
}

/** A project with covtool and other packages from npm, and with the bookshop's description. */
export interface NpmProject extends Disposable {
  readonly folder: string;
  /** Writes files by path. */
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a program of one of the packages. */
  run(
    program: string,
    args?: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<Ended>;
  /** Reads a JSON report of a run. */
  report(name?: string): Report;
}

/**
 * Sets up a project in its own folder. `npm install` runs once for each list of packages, not for each project.
 *
 * @param packages In addition to covtool: `jest@^30`; at most one of them is Node.js, with the name `node`.
 * @param settings Members of package.json in addition to the dependencies.
 */
export async function npmProject(
  packages: readonly string[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<NpmProject> {
  const covtool = (await sharedPackage()).folder;
  const libraries = await installed(await readDependencies(covtool));
  // Node.js is large, and several runners are tested on the same version.
  const isNode = (name: string) => name.startsWith("node@");
  const runner = packages.filter((name) => !isNode(name));
  const modules = runner.length === 0 ? undefined : await installed(runner);
  const node = packages.some(isNode) ? await installed(packages.filter(isNode)) : undefined;
  const folder = Deno.makeTempDirSync({ prefix: "covtool-project-" });
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write({ "package.json": JSON.stringify({ private: true, ...settings }) });
  copyFileSync(join(ROOT, "examples/bookshop/openapi.yaml"), join(folder, "openapi.yaml"));
  const target = join(folder, "node_modules");
  if (modules !== undefined) linkTree(modules, target);
  if (node !== undefined) linkTree(join(node, "node"), join(target, "node"));
  linkTree(covtool, join(target, "covtool"));
  linkTree(libraries, join(target, "covtool/node_modules"));
  mkdirSync(join(target, ".bin"), { recursive: true });
  Deno.symlinkSync("../covtool/bin/covtool.js", join(target, ".bin/covtool"));
  return {
    folder,
    write,
    run: async (program, args = [], env = {}) => {
      const { code, stdout, stderr } = await new Deno.Command(
        join(folder, "node_modules/.bin", program),
        {
          args: [...args],
          cwd: folder,
          env: { NO_COLOR: "1", CI: "1", ...env },
          stdin: "null",
          signal: AbortSignal.timeout(TIMEOUT),
        },
      ).output();
      const decoder = new TextDecoder();
      return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
    },
    report: (name = "coverage.json") => {
      const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
      if (name === "coverage.json") assertSameHits(folder, join(folder, "openapi.yaml"), report);
      return report;
    },
    [Symbol.dispose]() {
      Deno.removeSync(folder, { recursive: true });
    },
  };
}

/** Names of the tests that covered an operation or one of its responses. */
export function coveredBy(
  project: NpmProject,
  method: string,
  path: string,
  status?: string,
): readonly string[] {
  const { tests = [], operations } = project.report();
  const operation = operations.find((one) => one.method === method && one.path === path);
  const covered = status === undefined
    ? operation
    : operation?.responses.find(({ status_code }) => status_code === status);
  return (covered?.covered_by ?? []).map((index) => tests[index] ?? "");
}

/** A report without what differs between runs. */
export function timeless(report: Report): unknown {
  const moments = new Set(["elapsed", "first_at", "last_at", "generated_at", "timeline"]);
  return JSON.parse(
    JSON.stringify(report, (key, value) => {
      if (moments.has(key)) return undefined;
      // Findings have the earliest request as their example.
      return key === "example" ? { ...value, request: undefined } : value;
    }),
  );
}
