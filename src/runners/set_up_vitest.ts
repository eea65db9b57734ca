import process from "node:process";
import { TrafficCollector } from "./traffic_collector.ts";

/** The variable that says what is not tracked by itself. */
export const UNTRACKED_VARIABLE = "COVTOOL_UNTRACKED";

/** What is used of a task of Vitest: a test, a suite or a file. */
interface Task {
  readonly name: string;
  readonly suite?: Task | undefined;
  readonly file?: TestFile | undefined;
}

/** What is used of a test file. */
interface TestFile extends Task {
  readonly projectName?: string | undefined;
}

type Around = (runTest: () => Promise<void>, context: { readonly task: Task }) => Promise<void>;

/** What is used of Vitest. */
interface Hooks {
  /** Since Vitest 4.1. */
  readonly aroundEach?: (around: Around) => void;
  readonly beforeEach: (before: (context: { readonly task: Task }) => void) => void;
  readonly afterEach: (after: (context: { readonly task: Task }) => void) => void;
  readonly afterAll: (after: () => Promise<void>) => void;
  readonly expect: { getState(): { readonly testPath?: string } };
}

// A name that no bundler knows before: Vitest is there when this runs, and is no dependency.
const VITEST: string = "vitest";

/** Sets up a test file: tracks the global `fetch`, and tells the collector which test runs. */
export async function setUpVitest(): Promise<void> {
  const collector = TrafficCollector.shared();
  if (!collector.isActive) return;
  const { aroundEach, beforeEach, afterEach, afterAll, expect } = await import(VITEST) as Hooks;
  const { testPath } = expect.getState();
  if (testPath !== undefined) collector.startFile(testPath);
  if (process.env[UNTRACKED_VARIABLE] !== "fetch") collector.fetch.trackGlobal();
  if (aroundEach !== undefined) {
    aroundEach((runTest, { task }) => collector.tests.run(nameOf(task), runTest));
  } else {
    const ends = new WeakMap<Task, () => void>();
    beforeEach(({ task }) => void ends.set(task, collector.tests.start(nameOf(task))));
    afterEach(({ task }) => ends.get(task)?.());
  }
  afterAll(async () => {
    await collector.flush();
    collector.close();
  });
}

/** The name as Vitest shows it: file, suites and test. */
function nameOf(task: Task): string {
  const names: string[] = [];
  for (let at: Task | undefined = task; at !== undefined; at = at.suite) names.unshift(at.name);
  const { file } = task;
  if (file !== undefined && names[0] !== file.name) names.unshift(file.name);
  return `${file?.projectName ? `|${file.projectName}| ` : ""}${names.join(" > ")}`;
}
