/**
 * Runs the tests, including examples in comments and documentation, several files at a time. Ends with the totals and
 * with what skipped tests need.
 *
 *     deno run -A --config deno.dev.json scripts/run_tests.ts                    all tests
 *     deno run -A --config deno.dev.json scripts/run_tests.ts tests/http         some of them
 *     deno run -A --config deno.dev.json scripts/run_tests.ts --no-skips         other real descriptions each day; fails where a test is skipped
 *     deno run -A --config deno.dev.json scripts/run_tests.ts --fast             leaves out tests that need a network, other programs or minutes
 *     deno run -A --config deno.dev.json scripts/run_tests.ts --slow             those that --fast leaves out
 *     deno run -A --config deno.dev.json scripts/run_tests.ts --jobs=1           one file at a time
 *     deno run -A --config deno.dev.json scripts/run_tests.ts --limit=60         up to 60 minutes for each batch of files (default: 20)
 *     deno run -A --config deno.dev.json scripts/run_tests.ts --seed=7           other input of tests that make it at random (default: 1)
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { readSeed } from "../tests/test_seed.ts";
import { bundleProgram } from "./build.ts";
import { exampleModule, examplesIn } from "./docs/examples.ts";
import { print } from "./print.ts";
import { ROOT, sourceFiles, WITH_DEV_CONFIG } from "./source_files.ts";

export interface TestTotals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Test files that run in one process. */
export interface TestBatch {
  /** Heading of its output. */
  readonly name: string;
  /** Paths relative to the project. */
  readonly files: readonly string[];
}

// deno-lint-ignore no-control-regex -- the sequences that colour Deno's output
const COLOR = /\u001b\[[\d;]*m/g;
const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored(?: \(\d+ steps?\))?)?.*$/gm;
const SKIPPED = /^(.*) \.\.\. ignored \(.*\)$/gm;
const REASON = /\(skipped: (.+)\)$/;

/**
 * Path prefixes of files that take five seconds of processor time or more: each file is a batch of its own, and they
 * start first, in this order.
 */
const LONG = [
  ...["corpus/corpus_test", "recorders/jvm_test", "browser/", "cli/mutate_test", "runners/vitest_"],
  ...["runners/playwright_", "recorders/go_test", "recorders/python_test"],
  ...["runners/jest_", "proxy/session_test", "docs/permissions_test"],
  ...["scripts/mutate_test", "faults/", "site/", "plugins/node_test"],
  ...["runners/node_test_test", "docs/walkthroughs_test", "fuzz/cases_test"],
  ...["property/causes_test", "property/commutative_test", "property/weighted_test"],
  ...["action/build_servers_test", "corpus/", "cli/proxy_test", "proxy/soak/", "cli/convert_test"],
  ...["run/parallel_test", "cli/program_test", "scripts/check_"],
  ...["cli/secrets_of_formats_test", "traffic/logs/long_lines_test"],
].map((path) => `tests/${path}`);

/** Folders whose quick files together take half a minute or more: they start before the other folders. */
const LONG_FOLDERS = ["tests/cli", "tests/runners", "tests/proxy", "tests/suggest"];

/** The files of {@linkcode LONG} that are one batch, since they share a browser, which takes seconds to start. */
const WHOLE = "tests/browser/";

/** The number of a folder's files that run in one process, so that shared modules load once. */
const BATCH = 25;

/** Files that must not share modules with others: Playwright keeps the first working directory. */
const APART = ["tests/cli/live_page_test.ts"];

/** Path prefixes of tests that need a network, programs other than Node.js and Deno, or many seconds. */
const SLOW: readonly string[] = [
  ...["action/", "bench/", "browser/", "corpus/", "proxy/", "recorders/"],
  ...["runners/", "scripts/", "site/"],
  ...["plugins/", "run/parallel_test", "cli/proxy", "cli/live_page_test"],
  ...["docs/agents_test", "docs/permissions_test", "docs/walkthroughs_test"],
  ...["cli/convert_test", "cli/program_test", "traffic/input_limits_test"],
  ...["suggest/test_formats_test", "suggest/test_layout_test", "suggest/hostile_descriptions_test"],
  ...["redact/redactor_growth_test", "property/", "fuzz/", "endurance/", "faults/"],
].map((path) => `tests/${path}`);

/** The time limit of a batch in minutes; the longest takes about five on two cores. */
const LIMIT = 20;

/**
 * V8 flags of batches and of the processes that they start, for later optimization and a later first garbage
 * collection, as in the program. Tests that examine descriptions take a fifth less time.
 */
const ENGINE = "--invocation-count-for-turbofan=300000,--initial-old-space-size=200";

/** Options with a value. */
const VALUED: ReadonlySet<string> = new Set(["--jobs", "--limit", "--seed"]);

/** Path prefixes of files with examples in comments and documentation. */
const EXAMPLES = ["mod.ts", "src/", "README.md", "docs/"];

/** Reads the totals from the output of `deno test`; undefined if the run ended before they were printed. */
export function testTotals(output: string): TestTotals | undefined {
  const last = [...output.replace(COLOR, "").matchAll(SUMMARY)].at(-1);
  if (last === undefined) return undefined;
  return { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) };
}

/** Returns the problem of a test run as a sentence; undefined if there is none. */
export function testProblem(
  totals: TestTotals | undefined,
  code: number,
  allowSkips: boolean,
): string | undefined {
  if (totals === undefined) return "The tests did not run to their end.";
  if (totals.failed > 0 || code !== 0) return "Some tests fail.";
  if (totals.passed + totals.skipped === 0) return "There are no tests.";
  if (totals.skipped > 0 && !allowSkips) {
    return `${totals.skipped} ${totals.skipped === 1 ? "test is" : "tests are"} skipped.`;
  }
  return undefined;
}

/** Returns the reasons given in the names of skipped tests, with the number of tests for each. */
export function skipReasons(output: string): Map<string, number> {
  const reasons = new Map<string, number>();
  for (const [, name = ""] of output.replace(COLOR, "").matchAll(SKIPPED)) {
    const reason = REASON.exec(name)?.[1] ?? `no reason given by "${name}"`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return reasons;
}

/** Divides test files into batches: long ones first, each on its own, then the others by folder, a few at a time. */
export function testBatches(files: readonly string[]): TestBatch[] {
  const rank = (file: string) => LONG.findIndex((path) => file.startsWith(path));
  const ranked = files.filter((file) => rank(file) >= 0)
    .sort((left, right) => rank(left) - rank(right));
  const quick = files.filter((file) => rank(file) < 0);
  const long = Map.groupBy(ranked, (file) => file.startsWith(WHOLE) ? WHOLE.slice(0, -1) : file);
  const topFolders = (file: string) => file.split("/").slice(0, 2).join("/");
  const isLong = (file: string) => Number(LONG_FOLDERS.includes(topFolders(file)));
  const ordered = quick.toSorted((one, other) => isLong(other) - isLong(one));
  const folders = Map.groupBy(ordered, topFolders);
  const together = [...folders].flatMap(([folder, files]) =>
    Array.from({ length: Math.ceil(files.length / BATCH) }, (_, index) => ({
      name: index === 0 ? folder : `${folder}, from ${files[index * BATCH]}`,
      files: files.slice(index * BATCH, (index + 1) * BATCH),
    }))
  );
  return [...[...long].map(([name, files]) => ({ name, files })), ...together];
}

/** Returns the source of a module that runs test files one after the other. */
export function batchModule(files: readonly string[]): string {
  const addresses = files.map((file) => JSON.stringify(String(pathToFileURL(`${ROOT}/${file}`))));
  return addresses.map((address) => `await import(${address});\n`).join("");
}

export interface Ended {
  readonly code: number;
  /** Standard output, then standard error. */
  readonly output: string;
  /** True if the program was killed because it ran too long. */
  readonly isLate: boolean;
}

/** Joins options with values that are separate arguments: `--jobs 2` becomes `--jobs=2`. */
function joinValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const argument of args) {
    const last = joined.at(-1) ?? "";
    if (VALUED.has(last)) joined[joined.length - 1] = `${last}=${argument}`;
    else joined.push(argument);
  }
  return joined;
}

/** Runs Deno, and kills it if it takes too long. */
export async function runLimited(
  args: readonly string[],
  limit: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const outputs: string[][] = [[], []];
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>, index: number) => {
    for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
      outputs[index]?.push(piece);
    }
  };
  const hasEnded = Promise.all([child.status, read(child.stdout, 0), read(child.stderr, 1)]);
  let timer;
  const isLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limit);
  });
  // Programs that the tests started may hold the output open after the tests have ended.
  const ended = await Promise.race([hasEnded, isLate]);
  clearTimeout(timer);
  if (ended === undefined) {
    try {
      child.kill("SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
  const output = outputs.map((pieces) => pieces.join("")).join("");
  return { code: ended?.[0].code ?? 1, output, isLate: ended === undefined };
}

/** Returns the test files that arguments (files and folders) name; all test files if there are no arguments. */
async function testFiles(named: readonly string[]): Promise<string[]> {
  const all = await sourceFiles(ROOT, ["_test.ts", "_test.tsx"]);
  const tests = all.filter((file) => file.startsWith("tests/"));
  if (named.length === 0) return tests;
  return named.flatMap((name) => {
    const path = name.replace(/^\.\//, "").replace(/\/$/, "");
    const found = tests.filter((file) => file === path || file.startsWith(`${path}/`));
    return found.length > 0 ? found : [path];
  });
}

/** Writes a module that runs all examples of comments and documentation. */
async function writeExamples(folder: string): Promise<string> {
  const { imports, scopes } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.dev.json`)) as {
    readonly imports: Readonly<Record<string, string>>;
    readonly scopes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  const modules: string[] = [];
  for (const path of await sourceFiles(ROOT, [".ts", ".tsx", ".md"])) {
    if (!EXAMPLES.some((start) => path.startsWith(start))) continue;
    const packages = { ...imports, ...path.startsWith("docs/") ? scopes["./docs/"] : {} };
    for (const { line, code } of examplesIn(await Deno.readTextFile(`${ROOT}/${path}`))) {
      const module = `example_${modules.length}.ts`;
      const text = exampleModule(`${path}:${line}`, `${ROOT}/${path}`, code, packages);
      await Deno.writeTextFile(`${folder}/${module}`, text);
      modules.push(`await import("./${module}");\n`);
    }
  }
  await Deno.writeTextFile(`${folder}/examples_test.ts`, modules.join(""));
  return `${folder}/examples_test.ts`;
}

async function main(given: readonly string[]): Promise<number> {
  const args = joinValues(given);
  const allowSkips = !args.includes("--no-skips");
  const isFast = args.includes("--fast");
  const leavesOutFast = args.includes("--slow");
  const argumentValue = (option: string) =>
    args.find((argument) => argument.startsWith(option))?.slice(option.length);
  const seed = readSeed(argumentValue("--seed=") ?? Deno.env.get("TEST_SEED"));
  // One more than there are cores, since some batches wait.
  const jobs = Number(argumentValue("--jobs=") ?? navigator.hardwareConcurrency + 1);
  const limit = Number(argumentValue("--limit=") ?? LIMIT);
  const named = args.filter((argument) => !argument.startsWith("--"));
  const isSlow = (file: string) => SLOW.some((path) => file.startsWith(path));
  const files = (await testFiles(named)).filter((file) => isSlow(file) ? !isFast : !leavesOutFast);
  const batches = testBatches(files);
  const folder = await Deno.makeTempDir({ prefix: "covtool-tests-" });
  const days = Math.floor(Date.now() / 86_400_000);
  const variables = {
    TEST_SEED: String(seed),
    DENO_V8_FLAGS: ENGINE,
    // A different part of the real descriptions each day.
    ...(!allowSkips && { TEST_CORPUS: Deno.env.get("TEST_CORPUS") ?? `${days % 10}` }),
    // The bundled program starts in half the time of the sources. Fast tests start few programs and must not need a
    // network, which Deno needs once to download its bundler.
    ...(files.some(isSlow) && { TEST_PROGRAM: await bundleProgram(`${folder}/program`) }),
  };
  const runs = batches.map(({ name, files }, index) => {
    const shared = files.filter((file) => !APART.includes(file));
    const module = `${folder}/batch_${index}_test.ts`;
    if (shared.length > 1) Deno.writeTextFileSync(module, batchModule(shared));
    const apart = shared.length > 1
      ? [module, ...files.filter((file) => APART.includes(file))]
      : files;
    return { name, args: ["--no-check", ...apart] };
  });
  if (named.length === 0 && !leavesOutFast) {
    runs.unshift({
      name: "examples in comments and documentation",
      args: ["--no-check", await writeExamples(folder)],
    });
  }

  let [passed, failed, skipped, worst] = [0, 0, 0, 0];
  const problems: string[] = [];
  const reasons = new Map<string, number>();
  let next = 0;
  const work = async () => {
    for (let batch = runs[next++]; batch !== undefined; batch = runs[next++]) {
      const start = performance.now();
      const { code, output, isLate } = await runLimited(
        ["test", "-A", ...WITH_DEV_CONFIG, "--quiet", ...batch.args],
        limit * 60_000,
        variables,
      );
      const totals = testTotals(output);
      const problem = isLate
        ? `Ended after ${limit} minutes. The last line of its output names the test that was running; --limit=MINUTES allows more.`
        : testProblem(totals, code, allowSkips);
      passed += totals?.passed ?? 0;
      failed += totals?.failed ?? 0;
      skipped += totals?.skipped ?? 0;
      for (const [reason, count] of skipReasons(output)) {
        reasons.set(reason, (reasons.get(reason) ?? 0) + count);
      }
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      if (problem !== undefined) {
        worst ||= code || 1;
        problems.push(`${batch.name}: ${problem}`);
        print(output.trimEnd());
      }
      print(
        `${problem === undefined ? "ok" : "not ok"} | ${batch.name} | ${
          totals === undefined ? "no result" : `${totals.passed} passed`
        } | ${seconds} s`,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  await Deno.remove(folder, { recursive: true });

  for (const problem of problems) print(problem);
  if (problems.length > 0) print(`Input that tests make at random is that of --seed=${seed}.`);
  if (skipped > 0) {
    print(`${skipped} skipped. What they need:`);
    for (const [reason, count] of reasons) print(`  ${count}: ${reason}`);
  }
  print(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return passed === 0 ? 1 : worst;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
