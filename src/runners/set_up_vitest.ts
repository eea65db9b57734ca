import process from "node:process";
import { tellOutcome } from "./ask_for_change.ts";
import { TrafficCollector } from "./traffic_collector.ts";

/** The environment variable that names the client not to track automatically. */
export const UNTRACKED_VARIABLE = "COVTOOL_UNTRACKED";

/** The part of a Vitest task (a test, a suite or a file) that covtool uses. */
export interface VitestTask {
  /** The name of the task alone. */
  readonly name: string;
  /** The suite that contains the task. */
  readonly suite?: VitestTask | undefined;
  /** The test file. */
  readonly file?: VitestFile | undefined;
  /** Set once the task has run; `state` is `fail` if it failed. */
  readonly result?: { readonly state?: string } | undefined;
}

/** The part of a test file's task that covtool uses. */
export interface VitestFile extends VitestTask {
  /** Only if there are several projects. */
  readonly projectName?: string | undefined;
}

/** The argument of hooks. */
export interface VitestTestContext {
  /** The test. */
  readonly task: VitestTask;
}

/** The functions of Vitest that covtool uses in a test file. */
export interface VitestHooks {
  /** Since Vitest 4.1. */
  readonly aroundEach?: (
    around: (runTest: () => Promise<void>, context: VitestTestContext) => Promise<void>,
  ) => void;
  /** Calls a function before each test. */
  readonly beforeEach: (before: (context: VitestTestContext) => void) => void;
  /** Calls a function after each test. */
  readonly afterEach: (after: (context: VitestTestContext) => Promise<void>) => void;
  /** Calls a function when all tests of a file are done. */
  readonly afterAll: (after: () => Promise<void>) => void;
  /** Its state has the path of the test file. */
  readonly expect: { getState(): { readonly testPath?: string } };
}

/**
 * Sets up a test file: tracks the global `fetch`, and tells the collector which test is running.
 *
 * @param vitest The result of `import * as vitest from "vitest"` in the test file.
 */
export function setUpVitest(vitest: VitestHooks): void {
  const collector = TrafficCollector.shared();
  if (!collector.isActive) return;
  const { aroundEach, beforeEach, afterEach, afterAll, expect } = vitest;
  const { testPath } = expect.getState();
  if (testPath !== undefined) collector.startFile(testPath);
  collector.open();
  if (process.env[UNTRACKED_VARIABLE] !== "fetch") collector.trackFetch();
  const ends = new WeakMap<VitestTask, () => void>();
  if (aroundEach !== undefined) {
    aroundEach((runTest, { task }) => collector.tests.run(fullTaskName(task), runTest));
  } else {
    beforeEach(({ task }) => void ends.set(task, collector.tests.start(fullTaskName(task))));
  }
  afterEach(async ({ task }) => {
    ends.get(task)?.();
    await tellOutcome(fullTaskName(task), task.result?.state !== "fail");
  });
  afterAll(async () => {
    await collector.flush();
    collector.close();
  });
}

/** The name as Vitest shows it: file, suites and test. */
function fullTaskName(task: VitestTask): string {
  const names: string[] = [];
  for (let at: VitestTask | undefined = task; at !== undefined; at = at.suite) {
    names.unshift(at.name);
  }
  const { file } = task;
  if (file !== undefined && names[0] !== file.name) names.unshift(file.name);
  return `${file?.projectName ? `|${file.projectName}| ` : ""}${names.join(" > ")}`;
}
