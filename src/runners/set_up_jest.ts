import process from "node:process";
import { tellOutcome } from "./ask_for_change.ts";
import { testName } from "./running_tests.ts";
import { UNTRACKED_VARIABLE } from "./set_up_vitest.ts";
import { TrafficCollector } from "./traffic_collector.ts";

/** The key of the state of Jest's `expect`, which is there even in projects without global functions. */
const EXPECT: unique symbol = Symbol.for("$$jest-matchers-object");

/** The part of that state that covtool uses. */
interface ExpectState {
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
  /** Knows the test whose asynchronous context it is called in; before Jest 30 only where tests run concurrently. */
  readonly currentConcurrentTestName?: () => string | undefined;
}

/** The global names of a test file that covtool uses. */
interface JestGlobals {
  readonly beforeEach?: (work: () => void) => void;
  readonly afterEach?: (work: () => Promise<void>) => void;
  readonly afterAll?: (work: () => Promise<void>) => void;
  readonly [EXPECT]?: { readonly state?: ExpectState };
}

/** The errors of the running test so far, as Jest's runner keeps them; undefined in other runners. */
function errorsOfTest(): readonly unknown[] | undefined {
  const key = Object.getOwnPropertySymbols(globalThis)
    .find(({ description }) => description === "JEST_STATE_SYMBOL");
  const state = key && Reflect.get(globalThis, key) as
    | { readonly currentlyRunningTest?: { readonly errors?: readonly unknown[] } | null }
    | undefined;
  return state?.currentlyRunningTest?.errors;
}

/**
 * Lets the tests of one file record: the global `fetch` is tracked, and the collector knows which test is running. Does
 * nothing if no run is under way.
 */
export function setUpJest(collector: TrafficCollector = TrafficCollector.shared()): void {
  if (!collector.isActive) return;
  collector.open();
  const globals = globalThis as JestGlobals;
  let isRunning = false;
  // The name of the last test stays until the next one begins.
  globals.beforeEach?.(() => void (isRunning = true));
  globals.afterEach?.(async () => {
    const { testPath, currentTestName } = globals[EXPECT]?.state ?? {};
    const errors = errorsOfTest();
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
  // The environment for pages has none.
  const hasFetch = typeof globalThis.fetch === "function";
  if (hasFetch && process.env[UNTRACKED_VARIABLE] !== "fetch") collector.trackFetch();
  globals.afterAll?.(async () => {
    await collector.flush();
    collector.close();
  });
}
