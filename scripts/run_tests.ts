/**
 * Runs the tests, the examples in comments and documentation included, and says at the end how many there were.
 *
 *     deno run -A scripts/run_tests.ts                    all tests
 *     deno run -A scripts/run_tests.ts tests/http         some of them
 *     deno run -A scripts/run_tests.ts --no-skips         fails where a test is skipped
 *
 * @module
 */
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

/** What the tests came to. */
export interface TestTotals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

// deno-lint-ignore no-control-regex -- the sequences that colour Deno's output
const COLOR = /\u001b\[[\d;]*m/g;
const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored(?: \(\d+ steps?\))?)?.*$/gm;

/** Reads the totals from what `deno test` prints; undefined where it did not get as far as to say them. */
export function testTotals(output: string): TestTotals | undefined {
  const last = [...output.replace(COLOR, "").matchAll(SUMMARY)].at(-1);
  if (last === undefined) return undefined;
  return { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) };
}

/** What is wrong with a run of the tests, as a sentence; undefined where nothing is. */
export function testProblem(
  totals: TestTotals | undefined,
  code: number,
  allowSkips: boolean,
): string | undefined {
  if (totals === undefined) return "The tests did not run to their end.";
  if (totals.failed > 0 || code !== 0) return "Some tests fail.";
  if (totals.passed === 0) return "There are no tests.";
  if (totals.skipped > 0 && !allowSkips) {
    return `${totals.skipped} ${totals.skipped === 1 ? "test is" : "tests are"} skipped.`;
  }
  return undefined;
}

async function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--doc", ...args],
    cwd: ROOT,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    Deno.stdout.writeSync(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  return { code: (await child.status).code, output };
}

/** Where tests and examples stand. */
const EVERYTHING = ["mod.ts", "src", "tests", "README.md", "docs"];

if (import.meta.main) {
  const allowSkips = !Deno.args.includes("--no-skips");
  const args = Deno.args.filter((argument) => argument !== "--no-skips");
  const named = args.some((argument) => !argument.startsWith("-"));
  const { code, output } = await run(named ? args : [...args, ...EVERYTHING]);
  const totals = testTotals(output);
  const problem = testProblem(totals, code, allowSkips);
  if (problem !== undefined) print(problem);
  print(
    `${totals?.passed ?? 0} passed, ${totals?.failed ?? 0} failed, ${totals?.skipped ?? 0} skipped`,
  );
  Deno.exit(problem === undefined ? 0 : code === 0 ? 1 : code);
}
