/**
 * Checks what JSR shows and would accept.
 *
 *     deno run -A scripts/check_jsr.ts exports    every export is documented, members included, and the types it refers to
 *                                                 are exported too, unless they are marked `@internal`
 *     deno run -A scripts/check_jsr.ts package    no slow types, no unresolved imports, no warning; that types are right is
 *                                                 what `deno task check` checks of all code
 *
 * @module
 */
import { finish } from "./print.ts";
import { run } from "./run.ts";
import { ROOT } from "./source_files.ts";

/** Returns the undocumented or unreachable types that `deno doc --lint` reports, each with file, line and column. */
export function exportProblems(said: string, root: string): string[] {
  return [...said.matchAll(/^error\[(?:missing-jsdoc|private-type-ref)\]: (.*)\n\s*--> (\S+)/gm)]
    .map(([, what, where = ""]) => `${where.replace(`${root}/`, "")}: ${what}`);
}

/** Modules that import the test runner that they run in; it belongs to the user and isn't a dependency. */
const IN_RUNNERS = ["src/runners/set_up_node_test.ts", "src/runners/set_up_vitest.ts"];

/** Returns the problems that `deno publish --dry-run` reports, one sentence each. */
export function publishProblems(code: number, said: string, root: string): string[] {
  const problems: string[] = [];
  for (
    const [, what = "", path = ""] of said.matchAll(
      /^((?:warning|error)\b.*)(?:\n\s*--> (\S+))?/gim,
    )
  ) {
    const place = path.replace(`${root}/`, "");
    const isExpected = IN_RUNNERS.some((module) => place.startsWith(`${module}:`)) &&
      what.startsWith("warning[unanalyzable-dynamic-import]");
    if (!isExpected) problems.push(place === "" ? what : `${place}: ${what}`);
  }
  return code === 0 || problems.length > 0 ? problems : [said.trim()];
}

if (import.meta.main) {
  const options = { cwd: ROOT, env: { NO_COLOR: "1" } };
  if (Deno.args[0] === "exports") {
    const { exports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as {
      readonly exports: Readonly<Record<string, string>>;
    };
    const args = ["doc", "--lint", "--quiet", ...Object.values(exports)];
    const { code, err } = await run(Deno.execPath(), args, options);
    const failed = code !== 0 && !err.includes("documentation lint error");
    finish("documentation of exports", failed ? [err.trim()] : exportProblems(err, ROOT));
  }
  const args = ["publish", "--dry-run", "--allow-dirty", "--no-check"];
  const { code, err } = await run(Deno.execPath(), args, options);
  finish("package for JSR", publishProblems(code, err, ROOT));
}
