/**
 * Checks that every export is documented, members included, and that the types it refers to are exported too, unless
 * they are marked `@internal`.
 *
 *     deno run -A scripts/check_exports.ts
 *
 * @module
 */
import { finish } from "./print.ts";
import { run } from "./run.ts";
import { ROOT } from "./source_files.ts";

/**
 * What the linter of documentation finds undocumented or unreachable, one problem a line that begins with file, line and column.
 */
export function exportProblems(said: string, root: string): string[] {
  return [...said.matchAll(/^error\[(?:missing-jsdoc|private-type-ref)\]: (.*)\n\s*--> (\S+)/gm)]
    .map(([, what, where = ""]) => `${where.replace(`${root}/`, "")}: ${what}`);
}

if (import.meta.main) {
  const { exports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const { code, err } = await run(
    Deno.execPath(),
    ["doc", "--lint", "--quiet", ...Object.values(exports)],
    { cwd: ROOT, env: { NO_COLOR: "1" } },
  );
  const failed = code !== 0 && !err.includes("documentation lint error");
  finish("documentation of exports", failed ? [err.trim()] : exportProblems(err, ROOT));
}
