import process from "node:process";
import { testName } from "./test_name.ts";
import { TrafficCollector } from "./traffic_collector.ts";
import { UNTRACKED_VARIABLE } from "./set_up_vitest.ts";

/** Where `expect` of Jest keeps what it knows, also for projects without global functions. */
const EXPECT: unique symbol = Symbol.for("$$jest-matchers-object");

/** What is used of it. */
interface ExpectState {
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
  /** Knows the test whose asynchronous context it is called in, where several run at the same time. */
  readonly currentConcurrentTestName?: () => string | undefined;
}

/** What is used of the global environment of a test file. */
interface JestGlobals {
  readonly afterAll?: (work: () => Promise<void>) => void;
  readonly [EXPECT]?: { readonly state?: ExpectState };
}

/**
 * Lets the tests of one file record: the global `fetch` is tracked, and the collector knows which test is running.
 * Does nothing where no run is under way.
 *
 * @param collector The one of this file's global environment, of which Jest makes one for each file.
 */
export function setUpJest(collector: TrafficCollector = TrafficCollector.shared()): void {
  if (!collector.isActive) return;
  const globals = globalThis as JestGlobals;
  collector.setTest(() => nameOf(globals[EXPECT]?.state ?? {}));
  // The environment for pages has none.
  const hasFetch = typeof globalThis.fetch === "function";
  if (hasFetch && process.env[UNTRACKED_VARIABLE] !== "fetch") collector.fetch.trackGlobal();
  globals.afterAll?.(async () => {
    await collector.flush();
    collector.close();
  });
}

function nameOf(state: ExpectState): string | undefined {
  const name = state.currentConcurrentTestName?.() ?? state.currentTestName;
  // Hooks around all tests run while there is none.
  return name === undefined ? undefined : testName(state.testPath, [name]);
}
