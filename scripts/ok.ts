/**
 * Everything that has to hold before a change is done, one step after the other.
 *
 *     deno run -A scripts/ok.ts               all of it
 *     deno run -A scripts/ok.ts --no-tests    all but the tests
 *
 * @module
 */
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

/** One step: what it is called, and what `deno` is run with. */
interface Step {
  readonly name: string;
  readonly args: readonly string[];
}

/** What is compiled: all but the projects in examples/ that npm installs, which have libraries of their own. */
const COMPILED: readonly string[] = [
  ...[...Deno.readDirSync(ROOT)].map(({ name }) => name).filter((name) => name.endsWith(".ts"))
    .sort(),
  ...["action", "examples/deno-hono", "scripts", "src", "tests"],
];

const CHECKS: readonly Step[] = [
  { name: "format", args: ["fmt", "--check"] },
  { name: "lint", args: ["lint"] },
  { name: "types", args: ["check", "--quiet", ...COMPILED] },
  { name: "types of the web alone", args: ["run", "-A", "scripts/check_web_types.ts"] },
  { name: "imports", args: ["run", "--allow-read", "scripts/check_imports.ts"] },
  { name: "links", args: ["run", "--allow-read", "scripts/check_links.ts"] },
  { name: "versions", args: ["run", "--allow-read", "scripts/check_version.ts"] },
  { name: "the page's code", args: ["run", "-A", "scripts/build_page.ts", "--check"] },
  { name: "documentation of exports", args: ["run", "-A", "scripts/check_exports.ts"] },
  { name: "package for JSR", args: ["run", "-A", "scripts/check_publish.ts"] },
  { name: "README.md", args: ["run", "-A", "scripts/readme_excerpt.ts", "--check"] },
];

const TESTS: Step = { name: "tests", args: ["run", "-A", "scripts/run_tests.ts"] };

/** Runs every step, also behind one that fails. Gives the names of those that failed. */
export async function runSteps(
  steps: readonly Step[],
  cwd: string,
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, args } of steps) {
    print(`── ${name}`);
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd,
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    if (code !== 0) failed.push(name);
  }
  return failed;
}

if (import.meta.main) {
  const steps = Deno.args.includes("--no-tests") ? CHECKS : [...CHECKS, TESTS];
  const failed = await runSteps(steps, ROOT);
  print(failed.length === 0 ? "── all ok" : `── not ok: ${failed.join(", ")}`);
  Deno.exit(failed.length === 0 ? 0 : 1);
}
