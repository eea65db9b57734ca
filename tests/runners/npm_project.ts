import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sharedFolder } from "../../scripts/npm/shared_folder.ts";
import { sharedPackage } from "../../scripts/npm/shared_package.ts";
import { type Ended, runOrThrow } from "../../scripts/run.ts";
import type { Report } from "../../mod.ts";
import { assertSameHits } from "./same_hits.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** Milliseconds after which a run that hangs is ended. */
const TIMEOUT = 120_000;

/** Code of tests that wait for each other, so that they certainly run at the same time: `meeting(2)` is one for two. */
export const MEETING = `function meeting(count) {
  const arrived = [];
  // Each gets a promise of its own: Node.js 24 takes what follows a shared one for none of the tests.
  return () => new Promise((resolve) => {
    arrived.push(resolve);
    if (arrived.length === count) for (const go of arrived) go();
  });
}`;

const INSTALL = [
  "install",
  ...["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"],
];

/** Installs packages, once for all tests that ask for the same ones; returns the folder of what npm installed. */
export async function installed(packages: readonly string[]): Promise<string> {
  const machine = `${Deno.build.os} ${Deno.build.arch}`;
  const contents = [machine, ...INSTALL, ...packages];
  const folder = await sharedFolder("installation", contents, async (folder) => {
    await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }\n');
    await runOrThrow("npm", [...INSTALL, ...packages], { cwd: folder });
  });
  return join(folder, "node_modules");
}

/** Packages that covtool depends on, with their ranges. */
async function dependenciesOf(covtool: string): Promise<string[]> {
  const { dependencies } = JSON.parse(await Deno.readTextFile(`${covtool}/package.json`)) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.entries(dependencies).map(([name, range]) => `${name}@${range}`);
}

/** Makes a copy of a folder, of hard links where the file system has them. */
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
        // Never through a link to the shared file.
        copyFileSync(source, target, constants.COPYFILE_EXCL);
      }
    }
  }
}

/** A project with covtool and what else it needs, as npm installs them, and with the description of the demo. */
export interface NpmProject extends Disposable {
  readonly folder: string;
  /** Writes files, by their paths. */
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a program of one of its packages. */
  run(
    program: string,
    args?: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<Ended>;
  /** Reads the JSON report that a run wrote. */
  report(name?: string): Report;
}

/**
 * Sets up a project in a folder of its own. `npm install` runs once for each list of packages, not for each project.
 *
 * @param packages Beside covtool: `jest@^30`; at most one of them is Node.js, by the name `node`.
 * @param settings Contents of package.json beside its dependencies.
 */
export async function npmProject(
  packages: readonly string[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<NpmProject> {
  const covtool = (await sharedPackage()).folder;
  const libraries = await installed(await dependenciesOf(covtool));
  // Node.js is large, and several runners are tried on the same version.
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

/** The names of the tests that covered an operation, or one of its responses. */
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

/** A report without what differs from run to run. */
export function timeless(report: Report): unknown {
  const moments = new Set(["elapsed", "first_at", "last_at", "generated_at", "timeline"]);
  return JSON.parse(
    JSON.stringify(report, (key, value) => {
      if (moments.has(key)) return undefined;
      // Findings show their earliest request.
      return key === "example" ? { ...value, request: undefined } : value;
    }),
  );
}
