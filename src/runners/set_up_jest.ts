import process from "node:process";
import { tellOutcome } from "./ask_for_change.ts";
import { testName } from "./running_tests.ts";
import { UNTRACKED_VARIABLE } from "./set_up_vitest.ts";
import { TrafficCollector } from "./traffic_collector.ts";

/** The key of the state of Jest's `expect`, which exists even in projects without global functions. */
const EXPECT: unique symbol = Symbol.for("$$jest-matchers-object");

interface ExpectState {
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
  /** Returns the test of the current asynchronous context. Before Jest 30, only for tests that run concurrently. */
  readonly currentConcurrentTestName?: () => string | undefined;
}

interface JestGlobals {
  readonly beforeEach?: (work: () => void) => void;
  readonly afterEach?: (work: () => Promise<void>) => void;
  readonly afterAll?: (work: () => Promise<void>) => void;
  readonly [EXPECT]?: { readonly state?: ExpectState };
}

/** The errors of the running test so far, from Jest's runner. Undefined in other runners. */
function testErrors(): readonly unknown[] | undefined {
  const key = Object.getOwnPropertySymbols(globalThis)
    .find(({ description }) => description === "JEST_STATE_SYMBOL");
  const state = key && Reflect.get(globalThis, key) as
    | { readonly currentlyRunningTest?: { readonly errors?: readonly unknown[] } | null }
    | undefined;
  return state?.currentlyRunningTest?.errors;
}

/**
 * Makes the tests of one file record: tracks the global `fetch`, and tells the collector which test is running. Does
 * nothing outside a run.
 */
export function setUpJest(collector: TrafficCollector = TrafficCollector.shared()): void {
  if (!collector.isActive) return;
  collector.open();
  const globals = globalThis as JestGlobals;
  let isRunning = false;
  // Between tests, `currentTestName` still has the name of the previous one.
  globals.beforeEach?.(() => void (isRunning = true));
  globals.afterEach?.(async () => {
    const { testPath, currentTestName } = globals[EXPECT]?.state ?? {};
    const errors = testErrors();
    if (currentTestName !== undefined && errors !== undefined) {
      await tellOutcome(testName(testPath, [currentTestName]), errors.length === 0);
    }
    isRunning = false;
  });
  collector.setTest(() => {
    const { testPath, currentTestName, currentConcurrentTestName } = globals[EXPECT]?.state ?? {};
    const name = currentConcurrentTestName === undefined
      ? isRunning ? currentTestName : undefined
      : currentConcurrentTestName();
    return name === undefined ? undefined : testName(testPath, [name]);
  });
  // The environment `jsdom` has no `fetch`.
  const hasFetch = typeof globalThis.fetch === "function";
  if (hasFetch && process.env[UNTRACKED_VARIABLE] !== "fetch") collector.trackFetch();
  globals.afterAll?.(async () => {
    await collector.flush();
    collector.close();
  });
}
