import { fileURLToPath } from "node:url";
import { tellOutcome } from "./ask_for_change.ts";
import { testName } from "./running_tests.ts";
import { TrafficCollector } from "./traffic_collector.ts";

type AnyFunction = (...args: unknown[]) => unknown;

interface ContextLike {
  readonly name: string;
  readonly origin: string;
  readonly parent?: ContextLike | undefined;
  step(...args: unknown[]): unknown;
}

/**
 * Makes the tests of this process record: tracks the global `fetch`, and makes `Deno.test` report to the collector
 * which test is running, with each step by its own name. Does nothing outside a run.
 */
export function setUpDeno(collector: TrafficCollector = TrafficCollector.shared()): void {
  if (!collector.isActive) return;
  collector.open();
  collector.trackFetch();
  Reflect.set(Deno, "test", trackRegister(Deno.test as unknown as AnyFunction, collector));
}

/** Wraps `Deno.test` or one of its member functions, so that the tests it registers report their names as they run. */
function trackRegister(register: AnyFunction, collector: TrafficCollector): unknown {
  return new Proxy(register, {
    apply(target, self, args: readonly unknown[]) {
      const result = Reflect.apply(target, self, args.map((arg) => trackWork(arg, collector)));
      // `Deno.test.each()` returns a function that registers tests.
      return typeof result === "function"
        ? trackRegister(result as AnyFunction, collector)
        : result;
    },
    get(target, name) {
      const member = Reflect.get(target, name);
      return name === "only" || name === "ignore" || name === "each"
        ? trackRegister(member, collector)
        : member;
    },
  });
}

/** Wraps the function of a test or a step, given alone or in a definition. Returns other values unchanged. */
function trackWork(value: unknown, collector: TrafficCollector): unknown {
  if (typeof value === "function") return trackFunction(value as AnyFunction, collector);
  if (typeof value !== "object" || value === null || !("fn" in value)) return value;
  return typeof value.fn === "function"
    ? { ...value, fn: trackFunction(value.fn as AnyFunction, collector) }
    : value;
}

function trackFunction(work: AnyFunction, collector: TrafficCollector): AnyFunction {
  return new Proxy(work, {
    apply(target, self, args: readonly unknown[]) {
      const context = args.find(isContext);
      if (context === undefined) return Reflect.apply(target, self, args);
      const passed = args.map((arg) => arg === context ? trackSteps(context, collector) : arg);
      return collector.tests.run(fullTestName(context), async () => {
        let isPassed = false;
        try {
          const result = await Reflect.apply(target, self, passed);
          isPassed = true;
          return result;
        } finally {
          await tellOutcome(fullTestName(context), isPassed);
          await collector.flush();
        }
      });
    },
  });
}

function trackSteps(context: ContextLike, collector: TrafficCollector): ContextLike {
  return new Proxy(context, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== "step") return member;
      return (...args: unknown[]) =>
        Reflect.apply(member as AnyFunction, target, args.map((arg) => trackWork(arg, collector)));
    },
  });
}

function isContext(value: unknown): value is ContextLike {
  return typeof value === "object" && value !== null && "step" in value && "origin" in value &&
    typeof value.step === "function" && typeof value.origin === "string";
}

function fullTestName(context: ContextLike): string {
  const names: string[] = [];
  for (let at: ContextLike | undefined = context; at !== undefined; at = at.parent) {
    names.unshift(at.name);
  }
  const { origin } = context;
  return testName(origin.startsWith("file:") ? fileURLToPath(origin) : origin, names);
}
