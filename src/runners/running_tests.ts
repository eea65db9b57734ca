import { AsyncLocalStorage } from "node:async_hooks";
import { relative } from "node:path";
import process from "node:process";

/** Separates the names of a test and its parts. */
const SEPARATOR = " > ";

/**
 * Knows which test is running, also where several are at the same time: what a test calls is told apart by its
 * asynchronous context. What runs outside of any, as hooks do, belongs to the test that runs if there is only one, or to
 * the part of it that runs.
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

  /** The name of the test that is running; undefined if there is none, or it is unknown. */
  get name(): string | undefined {
    const own = this.#storage.getStore();
    if (own !== undefined) return own;
    let innermost: string | undefined;
    for (const name of this.#started.values()) {
      if (innermost === undefined || name.length > innermost.length) innermost = name;
    }
    for (const name of this.#started.values()) {
      // A test whose part is running runs too, and so its name begins that of the part.
      if (name !== innermost && !innermost?.startsWith(name + SEPARATOR)) return undefined;
    }
    return innermost;
  }

  /** Calls a function; what it does, and what follows from that, belongs to the test. */
  run<T>(name: string, work: () => T): T {
    return this.#storage.run(name, work);
  }

  /** Notes that a test begins; the function given back notes its end. */
  start(name: string): () => void {
    const key = Symbol(name);
    this.#started.set(key, name);
    return () => void this.#started.delete(key);
  }
}

/** The name of a test in reports: its file, relative to the working directory, and its titles from the outermost on. */
export function testName(file: string | undefined, titles: readonly string[]): string {
  // Names have to be those of other machines, whose reports may be compared with this one.
  const path = file === undefined ? "" : relative(process.cwd(), file).replaceAll("\\", "/");
  return [path, ...titles].filter((part) => part !== "").join(" > ");
}
