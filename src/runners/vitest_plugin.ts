import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import process from "node:process";
import { findConfig } from "../run/config/find_config.ts";
import type { RunOptions } from "./run_options.ts";
import { UNTRACKED_VARIABLE } from "./set_up_vitest.ts";
import type { TestRun } from "./test_run.ts";
import {
  isRunFolder,
  outerRunFolder,
  runFolder,
  TRAFFIC_VARIABLE,
  TrafficFolder,
} from "../run/traffic_folder.ts";

/** Options of {@linkcode vitestPlugin}: those of a run, and whether `fetch` is tracked automatically. */
export interface VitestOptions extends RunOptions {
  /** Track the global `fetch` of the tests (default: true). */
  readonly trackFetch?: boolean | undefined;
}

/** The part of a Vitest project that covtool uses. */
export interface VitestProject {
  /** The project's configuration, before any worker starts. */
  readonly config: {
    readonly setupFiles: string[];
    env: Record<string, unknown>;
    readonly browser?: { readonly enabled?: boolean };
  };
}

/** The part of Vitest that covtool uses. */
export interface VitestLike {
  /** Vitest's configuration. */
  readonly config: {
    readonly root: string;
    readonly watch: boolean;
    readonly reporters: unknown[];
    /** The folder of shard reports, if this run only merges them. */
    readonly mergeReports?: string | undefined;
  };
  /** Registers a function to be called when Vitest closes. */
  onClose(listener: () => void): void;
}

/** The argument of Vitest's plugin hook. */
export interface VitestContext {
  /** Shared by all projects. */
  readonly vitest: VitestLike;
  /** The project that is being configured. */
  readonly project: VitestProject;
}

/** A Vite plugin whose hooks act only in Vitest. */
export interface VitestPlugin {
  /** The name of the plugin in Vite. */
  readonly name: string;
  /** Called and awaited by Vite, with the configuration as the user wrote it. */
  config(config: { readonly root?: string | undefined }): Promise<void>;
  /** Returns the setup file to Vite, which can't read it itself because the file is outside the project. */
  load(id: string): string | undefined;
  /** Called and awaited by Vitest, once for each project. */
  configureVitest(context: VitestContext): Promise<void>;
}

/** The first Vitest version that calls {@linkcode VitestPlugin.configureVitest}. */
const OLDEST = [3, 1] as const;

interface Specification {
  readonly moduleId: string;
}

export function vitestPlugin(options: VitestOptions, setup: URL): VitestPlugin {
  if (typeof options === "string") { // in JavaScript
    throw new TypeError(
      `covtool() in the configuration of Vitest: The options are an object: covtool({ schema: "${options}" })`,
    );
  }
  const { trackFetch = true, ...own } = options;
  const isRun = async (root: string): Promise<boolean> =>
    own.schema !== undefined
      ? outerRunFolder() === undefined
      : runFolder() === undefined && findsConfig(own, root) &&
        (await import("./run_options.ts")).configNamesSchema(own, root);
  const setups = new Set<string>();
  return {
    name: "covtool",
    load: (id) => setups.has(resolve(id)) ? readFileSync(id, "utf8") : undefined,
    async config({ root = "." }) {
      // Vite calls this hook outside of tests too.
      if (process.env["VITEST"] === undefined) return;
      const folder = resolve(root);
      if (runFolder() !== undefined || await isRun(folder)) await checkVersion(folder);
    },
    async configureVitest({ vitest, project }) {
      // A run that only merges reports sends no requests.
      if (vitest.config.mergeReports) return;
      let folder = runFolder();
      const { root } = vitest.config;
      if (await isRun(root)) folder = (await findRun(own, vitest)).folder.path;
      // Code in a browser can't write files.
      if (!folder || project.config.browser?.enabled === true) return;
      project.config.env = {
        ...project.config.env,
        [TRAFFIC_VARIABLE]: folder,
        ...(!trackFetch && { [UNTRACKED_VARIABLE]: "fetch" }),
      };
      // Comes first, so that the traffic of other setup files, and clients that they wrap, are recorded.
      const path = writeSetup(setupFolder(folder, vitest), setup);
      setups.add(path);
      project.config.setupFiles.unshift(path);
    },
  };
}

/** Checks that Vitest calls `configureVitest`: an older version would run the tests and report nothing. */
async function checkVersion(root: string): Promise<void> {
  let version: string;
  try {
    ({ version } = createRequire(join(root, "package.json"))("vitest/package.json"));
  } catch {
    return; // the version of Vitest can't be determined
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, since] = OLDEST;
  if (major > oldest || major === oldest && minor >= since) return;
  throw (await import("./test_run.ts")).sentenceError(
    `covtool/vitest needs Vitest ${
      OLDEST.join(".")
    } or later, and this is Vitest ${version}, which does not call plugins. Update Vitest, or remove covtool() from its configuration.`,
  );
}

function findsConfig({ config }: VitestOptions, root: string): boolean {
  if (config !== undefined) return config !== false;
  try {
    return findConfig(root) !== undefined;
  } catch {
    return true; // the run reports the mistake
  }
}

/** The folder for the setup file. A folder that the user chose contains only recordings. */
function setupFolder(folder: string, vitest: VitestLike): string {
  if (isRunFolder(folder)) return folder;
  const temporary = TrafficFolder.create();
  vitest.onClose(() => temporary.remove());
  return temporary.path;
}

/**
 * Writes the setup file outside of all packages: with `isolate: false`, where test files share a worker, a file in a
 * package is loaded only once and wouldn't set up later test files. The import of `vitest` in it resolves to the
 * running Vitest, which this package may not be able to find from where it is installed.
 */
function writeSetup(folder: string, setup: URL): string {
  const path = join(folder, "vitest_setup.mjs");
  const lines = [
    'import * as vitest from "vitest";',
    `import { setUpVitest } from ${JSON.stringify(setup.href)};`,
    "setUpVitest(vitest);",
  ];
  writeFileSync(path, lines.join("\n") + "\n");
  return path;
}

const runs = new WeakMap<VitestLike, Map<string, Promise<TestRun>>>();

/** Projects that extend a configuration each have their own plugin. Those with equal options share one run. */
function findRun(options: RunOptions, vitest: VitestLike): Promise<TestRun> {
  let known = runs.get(vitest);
  if (known === undefined) runs.set(vitest, known = new Map());
  const key = JSON.stringify(options);
  let run = known.get(key);
  if (run === undefined) known.set(key, run = startRun(options, vitest));
  return run;
}

async function startRun(options: RunOptions, vitest: VitestLike): Promise<TestRun> {
  // Tests that import the collector load this module too, and don't need the modules that make reports.
  const { beginRun } = await import("./test_run.ts");
  const { root, watch } = vitest.config;
  const run = await beginRun(options, "covtool() in the configuration of Vitest", root, watch);
  vitest.onClose(() => run.close());
  vitest.config.reporters.push(makeReporter(run, vitest));
  return run;
}

/** Resolves when the reports of the previous run are done. */
let finishing: Promise<unknown> = Promise.resolve();

/** Makes a reporter that publishes the reports after each run. In watch mode, a file's new traffic replaces its old. */
function makeReporter(run: TestRun, vitest: VitestLike): object {
  const known = new Set<string>();
  return {
    onTestRunStart(specifications: readonly Specification[]): void {
      const started = specifications.map(({ moduleId }) => moduleId);
      const gone = [...known].filter((path) => !existsSync(path));
      for (const path of [...started, ...gone]) run.folder.forget(path);
      for (const path of started) known.add(path);
    },
    async onTestRunEnd(): Promise<void> {
      const { watch } = vitest.config;
      // Vitest calls all reporters at once, but the output of one run must not be mixed with that of another.
      const finished = finishing.then(() => run.finish(watch));
      finishing = finished.catch(() => {});
      if (!await finished && !watch) process.exitCode = 1;
    },
  };
}
