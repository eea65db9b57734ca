/**
 * Runs every check that a change has to pass, as many steps at a time as there are cores.
 *
 *     deno run -A --config deno.dev.json scripts/ok.ts               everything
 *     deno run -A --config deno.dev.json scripts/ok.ts --no-tests    everything except the tests
 *     deno run -A --config deno.dev.json scripts/ok.ts --fast        a minute, without network, browsers or installs
 *
 * @module
 */
import { print } from "./print.ts";
import { ROOT, WITH_DEV_CONFIG } from "./source_files.ts";

/** A step, with the arguments of `deno`. */
interface Step {
  readonly name: string;
  readonly args: readonly string[];
}

/**
 * Code to type-check, with the examples in comments and documentation: everything except the projects in examples/
 * whose libraries npm installs.
 */
const COMPILED: readonly string[] = [
  ...[...Deno.readDirSync(ROOT)].map(({ name }) => name).filter((name) => name.endsWith(".ts"))
    .sort(),
  ...["action", "examples/deno-hono", "scripts", "src", "tests", "README.md", "docs"],
];

const CHECKS: readonly Step[] = [
  { name: "format", args: ["fmt", "--check"] },
  { name: "lint", args: ["lint"] },
  { name: "types", args: ["check", ...WITH_DEV_CONFIG, "--quiet", "--doc", ...COMPILED] },
  { name: "types of the web alone", args: ["run", "-A", "scripts/check_web_types.ts"] },
  { name: "imports", args: ["run", "--allow-read", "scripts/check_imports.ts"] },
  { name: "links", args: ["run", "--allow-read", "scripts/check_links.ts"] },
  { name: "size", args: ["run", "-A", "scripts/check_size.ts"] },
  { name: "versions", args: ["run", "--allow-read", "scripts/check_version.ts"] },
  {
    name: "the page's code",
    args: ["run", "-A", ...WITH_DEV_CONFIG, "scripts/build_page.ts", "--check"],
  },
  { name: "documentation of exports", args: ["run", "-A", "scripts/check_jsr.ts", "exports"] },
  { name: "package for JSR", args: ["run", "-A", "scripts/check_jsr.ts", "package"] },
  { name: "README.md", args: ["run", "-A", "scripts/readme_excerpt.ts", "--check"] },
];

const TESTS: Step = {
  name: "tests",
  args: ["run", "-A", ...WITH_DEV_CONFIG, "scripts/run_tests.ts"],
};

/** Checks that ask registries or compile every module on its own. */
const NOT_FAST: readonly string[] = ["package for JSR", "types of the web alone"];

/** The other checks, with the tests of `scripts/run_tests.ts --fast`: no network, browser or installation. */
const FAST: readonly Step[] = [
  ...CHECKS.filter(({ name }) => !NOT_FAST.includes(name)),
  { name: "fast tests", args: [...TESTS.args, "--fast"] },
];

/** Runs all steps, several at a time, even if one fails; prints their output. Returns the names of failed steps. */
export async function runSteps(
  steps: readonly Step[],
  cwd: string,
  jobs: number = navigator.hardwareConcurrency,
): Promise<string[]> {
  const failed = new Set<string>();
  const waiting = [...steps];
  const decoder = new TextDecoder();
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const start = performance.now();
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [...step.args],
        cwd,
        stdin: "null",
      }).output();
      if (code !== 0) failed.add(step.name);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      print(`── ${step.name} (${seconds} s)`);
      const said = (decoder.decode(stdout) + decoder.decode(stderr)).trimEnd();
      if (said !== "") print(said);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return steps.map(({ name }) => name).filter((name) => failed.has(name));
}

if (import.meta.main) {
  const has = (option: string) => Deno.args.includes(option);
  const failed = has("--fast") ? await runSteps(FAST, ROOT) : await runSteps(CHECKS, ROOT);
  // The tests use every core themselves.
  if (!has("--fast") && !has("--no-tests")) failed.push(...await runSteps([TESTS], ROOT, 1));
  print(failed.length === 0 ? "── all ok" : `── not ok: ${failed.join(", ")}`);
  Deno.exit(failed.length === 0 ? 0 : 1);
}
