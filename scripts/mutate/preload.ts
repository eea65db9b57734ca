/**
 * Loaded before a test file. If `MUTATE_REACHED` names a file, writes there which test reaches which mutant; if
 * `MUTATE_TESTS` names a file, runs only the tests that are listed in it.
 *
 * @module
 */

/** The counters of Stryker's instrumented files. */
interface Counters {
  currentTestId?: string | undefined;
  readonly mutantCoverage?: {
    readonly static: Readonly<Record<string, number>>;
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

type TestFunction = (context: Deno.TestContext) => void | Promise<void>;
type TestOptions = Partial<Omit<Deno.TestDefinition, "fn">> & { readonly fn?: TestFunction };

const counters: Counters = {};
(globalThis as unknown as { __stryker__: Counters })["__stryker__"] = counters;

const namesFile = Deno.env.get("MUTATE_TESTS");
const names: ReadonlySet<string> | undefined = namesFile === undefined
  ? undefined
  : new Set(JSON.parse(Deno.readTextFileSync(namesFile)) as string[]);

const define = Deno.test;

/** Replaces `Deno.test`, in every form in which a test can be defined. */
function test(...given: readonly (string | TestOptions | TestFunction)[]): void {
  const options: TestOptions = given.find((part) => typeof part === "object") ?? {};
  const fn = given.find((part) => typeof part === "function") ?? options.fn;
  const named = given.find((part) => typeof part === "string") ?? options.name ?? fn?.name;
  if (fn === undefined || named === undefined) throw new TypeError("A test needs name and code.");
  const name: string = named;
  define({
    ...options,
    name,
    ignore: options.ignore === true || (names !== undefined && !names.has(name)),
    fn: async (context) => {
      counters.currentTestId = name;
      try {
        await fn(context);
      } finally {
        counters.currentTestId = undefined;
      }
    },
  });
}

Object.assign(Deno, { test: Object.assign(test, define) });

const reached = Deno.env.get("MUTATE_REACHED");
if (reached !== undefined) {
  globalThis.addEventListener("unload", () => {
    const { static: whole = {}, perTest = {} } = counters.mutantCoverage ?? {};
    const tests = Object.entries(perTest).map(([name, counts]) => [name, Object.keys(counts)]);
    Deno.writeTextFileSync(reached, JSON.stringify({ whole: Object.keys(whole), tests }));
  });
}
