/**
 * Checks that JSR would accept the package without a warning: no slow types, no unresolved imports. That its types are
 * right is what `deno task check` checks of all code.
 *
 *     deno run -A scripts/check_publish.ts
 *
 * @module
 */
import { finish } from "./print.ts";
import { run } from "./run.ts";
import { ROOT } from "./source_files.ts";

/** Modules that load the test runner that they run in, which is its user's and no dependency. */
const IN_RUNNERS = ["src/runners/set_up_node_test.ts", "src/runners/set_up_vitest.ts"];

/** What a dry run of publishing complains about, one sentence each. */
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
  const { code, err } = await run(
    Deno.execPath(),
    ["publish", "--dry-run", "--allow-dirty", "--no-check"],
    { cwd: ROOT, env: { NO_COLOR: "1" } },
  );
  finish("package for JSR", publishProblems(code, err, ROOT));
}
