import { AsyncLocalStorage } from "node:async_hooks";
import { relative } from "node:path";
import process from "node:process";

const SEPARATOR = " > ";

/**
 * Knows which test is running, even if several run at the same time: the asynchronous context of a call identifies its
 * test. Code outside the context of any test, such as a hook, belongs to the running test if there is only one, or to
 * its innermost part that is running.
 *
 * @example
 * ```ts
 * import { RunningTests } from "./running_tests.ts";
 * import assert from "node:assert/strict";
 *
 * const tests = new RunningTests();
 * const end = tests.start("lists books");
 * assert.equal(tests.name, "lists books");
 * assert.equal(tests.run("adds a book", () => tests.name), "adds a book");
 * end();
 * assert.equal(tests.name, undefined);
 * ```
 */
export class RunningTests {
  readonly #storage = new AsyncLocalStorage<string>();
  readonly #started = new Map<symbol, string>();

  /** The name of the running test. Undefined if no test is running, or if it is unknown which one. */
  get name(): string | undefined {
    const current = this.#storage.getStore();
    if (current !== undefined) return current;
    const names = [...this.#started.values()].sort((left, right) => right.length - left.length);
    const [innermost] = names;
    // While part of a test runs, the test itself runs too, and its name is a prefix of the part's name.
    const isOneTest = names.every((name) =>
      name === innermost || innermost?.startsWith(name + SEPARATOR)
    );
    return isOneTest ? innermost : undefined;
  }

  /** Calls a function. All requests it sends, also asynchronously, belong to the test. */
  run<T>(name: string, work: () => T): T {
    return this.#storage.run(name, work);
  }

  /** Notes that a test begins. Returns a function that notes its end. */
  start(name: string): () => void {
    const key = Symbol(name);
    this.#started.set(key, name);
    return () => void this.#started.delete(key);
  }
}

/** The name of a test in reports: its file, relative to the working directory, then its titles, outermost first. */
export function testName(file: string | undefined, titles: readonly string[]): string {
  // Relative, so that the names are the same on other machines, whose reports may be compared with this one.
  const path = file === undefined ? "" : relative(process.cwd(), file).replaceAll("\\", "/");
  return [path, ...titles].filter((part) => part !== "").join(SEPARATOR);
}
