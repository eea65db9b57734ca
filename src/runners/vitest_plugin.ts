import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import process from "node:process";
import { findConfig } from "../run/config/find_config.ts";
import { errorSentences } from "../run/error_sentences.ts";
import type { RunOptions } from "./run_options.ts";
import { UNTRACKED_VARIABLE } from "./set_up_vitest.ts";
import type { TestRun } from "./test_run.ts";
import {
  folderOfRun,
  isFolderOfRun,
  TRAFFIC_VARIABLE,
  TrafficFolder,
} from "../run/traffic_folder.ts";

/** Options of {@linkcode vitestPlugin}: those of a run, and automatic tracking. */
export interface VitestOptions extends RunOptions {
  /** Track the global `fetch` of the tests (default: true). */
  readonly trackFetch?: boolean | undefined;
}

/** A project of Vitest, as far as covtool uses it. */
export interface VitestProject {
  /** Its configuration, before any worker starts. */
  readonly config: {
    readonly setupFiles: string[];
    env: Record<string, unknown>;
    readonly browser?: { readonly enabled?: boolean };
  };
}

/** Vitest, as far as covtool uses it. */
export interface VitestLike {
  /** Its configuration. */
  readonly config: {
    readonly root: string;
    readonly watch: boolean;
    readonly reporters: unknown[];
    /** The folder of shard reports, if they are only merged. */
    readonly mergeReports?: string | undefined;
  };
  /** Has something done when it ends. */
  onClose(listener: () => void): void;
}

/** The argument of Vitest's plugin hook. */
export interface VitestContext {
  /** Vitest itself, the same for all projects. */
  readonly vitest: VitestLike;
  /** One of its projects. */
  readonly project: VitestProject;
}

/** A plugin for Vite that only Vitest takes notice of. */
export interface VitestPlugin {
  /** Its name in Vite. */
  readonly name: string;
  /** Is called and waited for by Vite, with the configuration as it was written. */
  config(config: { readonly root?: string | undefined }): Promise<void>;
  /** Gives Vite the setup file, which it may not read itself: it is outside of the project. */
  load(id: string): string | undefined;
  /** Is called and waited for by Vitest, once for each project. */
  configureVitest(context: VitestContext): Promise<void>;
}

/** The first version that calls {@linkcode VitestPlugin.configureVitest}. */
const OLDEST = [3, 1] as const;

interface Specification {
  readonly moduleId: string;
}

/** Makes the plugin. */
export function vitestPlugin(options: VitestOptions, setup: URL): VitestPlugin {
  const { trackFetch = true, ...own } = options;
  const isRun = async (root: string): Promise<boolean> =>
    own.schema !== undefined || folderOfRun() === undefined && findsConfig(own, root) &&
      (await import("./run_options.ts")).configNamesSchema(own, root);
  const setups = new Set<string>();
  return {
    name: "covtool",
    load: (id) => setups.has(resolve(id)) ? readFileSync(id, "utf8") : undefined,
    async config({ root = "." }) {
      // Vite calls it for other things than tests too.
      if (process.env["VITEST"] === undefined) return;
      const folder = resolve(root);
      if (folderOfRun() !== undefined || await isRun(folder)) checkVersion(folder);
    },
    async configureVitest({ vitest, project }) {
      // Reports that are only put together send nothing.
      if (vitest.config.mergeReports) return;
      let folder = folderOfRun();
      const { root } = vitest.config;
      if (await isRun(root)) {
        // Tests that take the collector load this module too, and need nothing of what reports are made with.
        const { TestRun } = await import("./test_run.ts");
        folder = findRun(own, vitest, TestRun).folder.path;
      }
      // What runs in a browser has no files to write to.
      if (!folder || project.config.browser?.enabled === true) return;
      project.config.env = {
        ...project.config.env,
        [TRAFFIC_VARIABLE]: folder,
        ...(!trackFetch && { [UNTRACKED_VARIABLE]: "fetch" }),
      };
      // First, so that what other setup files send and wrap is seen.
      const path = writeSetup(setupFolder(folder, vitest), setup);
      setups.add(path);
      project.config.setupFiles.unshift(path);
    },
  };
}

/** Checks that Vitest calls what this plugin waits for: an older one would run the tests and report nothing. */
function checkVersion(root: string): void {
  let version: string;
  try {
    ({ version } = createRequire(join(root, "package.json"))("vitest/package.json"));
  } catch {
    return; // a version that does not say which one it is
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, since] = OLDEST;
  if (major > oldest || major === oldest && minor >= since) return;
  throw sentenceError(
    `covtool/vitest needs Vitest ${
      OLDEST.join(".")
    } or later, and this is Vitest ${version}, which does not call plugins. Update Vitest, or remove covtool() from its configuration.`,
  );
}

/** An error that Vite prints without saying where in covtool it was made, which is of no interest. */
function sentenceError(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}

/** True if a config file may name the description. */
function findsConfig({ config }: VitestOptions, root: string): boolean {
  if (config !== undefined) return config !== false;
  try {
    return findConfig(root) !== undefined;
  } catch {
    return true; // the run says what is wrong
  }
}

/** The folder for the setup file. A folder that the user named holds recordings only. */
function setupFolder(folder: string, vitest: VitestLike): string {
  if (isFolderOfRun(folder)) return folder;
  const temporary = TrafficFolder.create();
  vitest.onClose(() => temporary.remove());
  return temporary.path;
}

/**
 * Writes the setup file. It has to lie outside of all packages: what lies in one is loaded only once where test files
 * share a worker (`isolate: false`), and would not set up those that follow. There `vitest` is Vitest itself, while
 * this package may stand where no other is found.
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

const runs = new WeakMap<VitestLike, Map<string, TestRun>>();

/** Projects that extend a configuration each have a plugin of their own; those with the same options are one run. */
function findRun(options: RunOptions, vitest: VitestLike, Run: typeof TestRun): TestRun {
  let known = runs.get(vitest);
  if (known === undefined) runs.set(vitest, known = new Map());
  const key = JSON.stringify(options);
  let run = known.get(key);
  if (run === undefined) known.set(key, run = startRun(options, vitest, Run));
  return run;
}

function startRun(options: RunOptions, vitest: VitestLike, Run: typeof TestRun): TestRun {
  const { root } = vitest.config;
  let run: TestRun;
  try {
    run = new Run(options, "covtool() in the configuration of Vitest", undefined, root);
  } catch (error) {
    throw sentenceError(errorSentences(error));
  }
  vitest.onClose(() => run.close());
  vitest.config.reporters.push(makeReporter(run, vitest));
  return run;
}

/** The end of the run that reports last. */
let finishing: Promise<unknown> = Promise.resolve();

/** Prints and writes the reports after each run; one of some files, in watch mode, replaces what these had sent. */
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
      // Vitest asks all reporters at once, and each run is to print in one piece.
      const finished = finishing.then(() => run.finish(watch));
      finishing = finished.catch(() => {});
      if (!await finished && !watch) process.exitCode = 1;
    },
  };
}
