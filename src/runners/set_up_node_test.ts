import process from "node:process";
import { builtin } from "../values/builtin.ts";
import { tellOutcome } from "./ask_for_change.ts";
import { RunningTests, testName } from "./running_tests.ts";
import { TrafficCollector } from "./traffic_collector.ts";

interface TestLike {
  readonly name: string;
  readonly fullName?: string | undefined;
  /** Since Node.js 22.6. */
  readonly filePath?: string | undefined;
  /** Only in hooks after a test; since Node.js 20.12. */
  readonly passed?: boolean | undefined;
}

interface NodeTest {
  beforeEach(work: (test: TestLike) => void): void;
  afterEach(work: (test: TestLike) => Promise<void>): void;
  after(work: () => Promise<void>): void;
  /**
   * Returns the test that calls it, even if several run at the same time. In a hook, returns the suite that contains
   * the hook, or the whole file. Since Node.js 24.
   */
  readonly getTestContext?: () => TestLike | undefined;
}

/** Shared by all copies of this module, so that only one of them registers hooks. */
const IS_SET_UP: unique symbol = Symbol.for("covtool.node-test");

/**
 * Makes the tests of this process record: tracks the global `fetch`, and tells the collector which test is running.
 * Does nothing outside a run.
 */
export function setUpNodeTest(collector: TrafficCollector = TrafficCollector.shared()): void {
  const holder = globalThis as { [IS_SET_UP]?: boolean };
  if (!collector.isActive || holder[IS_SET_UP] === true) return;
  holder[IS_SET_UP] = true;
  collector.trackFetch();
  // Registering a hook makes Node.js print a test report, also in a server started with the same options.
  if (!runsTests()) return;
  collector.open();
  const { beforeEach, afterEach, after, getTestContext } = builtin("node:test") as NodeTest;
  // If `getTestContext()` exists, it identifies tests, and `running` serves only requests that hooks send.
  const running = getTestContext === undefined ? collector.tests : new RunningTests();
  const names = new Set<string>();
  const ends = new WeakMap<TestLike, () => void>();
  beforeEach((test) => {
    const name = fullTestName(test);
    names.add(name);
    ends.set(test, running.start(name));
  });
  afterEach(async (test) => {
    ends.get(test)?.();
    if (test.passed !== undefined) await tellOutcome(fullTestName(test), test.passed);
  });
  if (getTestContext !== undefined) {
    collector.setTest(() => {
      const test = getTestContext();
      const name = test && fullTestName(test);
      return collector.tests.name ??
        (name !== undefined && names.has(name) ? name : running.name);
    });
  }
  after(() => collector.flush());
}

/** True if this process runs test files, by itself or as a child of `--test`. */
function runsTests(): boolean {
  return process.env["NODE_TEST_CONTEXT"] !== undefined ||
    process.execArgv.includes("--test");
}

function fullTestName({ name, fullName = name, filePath = process.argv[1] }: TestLike): string {
  return testName(filePath, [fullName]);
}
