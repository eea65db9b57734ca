import process from "node:process";
import { builtin } from "../values/builtin.ts";
import { tellOutcome } from "./ask_for_change.ts";
import { RunningTests, testName } from "./running_tests.ts";
import { TrafficCollector } from "./traffic_collector.ts";

/** The part of the test context of `node:test` that covtool uses. */
interface TestLike {
  readonly name: string;
  readonly fullName?: string | undefined;
  /** Since Node.js 22.6. */
  readonly filePath?: string | undefined;
  /** In hooks after a test; since Node.js 20.12. */
  readonly passed?: boolean | undefined;
}

/** The part of `node:test` that covtool uses. */
interface NodeTest {
  beforeEach(work: (test: TestLike) => void): void;
  afterEach(work: (test: TestLike) => Promise<void>): void;
  after(work: () => Promise<void>): void;
  /**
   * The test that calls it, also where several run at the same time; to a hook the suite that it is written in, or the
   * whole file. Since Node.js 24.
   */
  readonly getTestContext?: () => TestLike | undefined;
}

/** The same in every copy of this module: hooks of two would name tests twice. */
const IS_SET_UP: unique symbol = Symbol.for("covtool.node-test");

/**
 * Lets the tests of this process record: the global `fetch` is tracked, and the collector knows which test is running.
 * Does nothing if no run is under way.
 */
export function setUpNodeTest(collector: TrafficCollector = TrafficCollector.shared()): void {
  const holder = globalThis as { [IS_SET_UP]?: boolean };
  if (!collector.isActive || holder[IS_SET_UP] === true) return;
  holder[IS_SET_UP] = true;
  collector.trackFetch();
  // A hook makes Node.js report tests, which a server that is started with the same options has none of.
  if (!runsTests()) return;
  collector.open();
  const { beforeEach, afterEach, after, getTestContext } = builtin("node:test") as NodeTest;
  // Where tests are told apart by Node.js, these only tell what hooks are called for.
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

/** True if this process runs test files, on its own or as a child of `--test`. */
function runsTests(): boolean {
  return process.env["NODE_TEST_CONTEXT"] !== undefined ||
    process.execArgv.includes("--test");
}

function fullTestName({ name, fullName = name, filePath = process.argv[1] }: TestLike): string {
  return testName(filePath, [fullName]);
}
