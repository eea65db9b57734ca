/**
 * Checks that JSR would take the package as it is, without a warning: no slow types, nothing that it cannot resolve.
 *
 *     deno run -A scripts/check_publish.ts
 *
 * @module
 */
import { finish } from "./print.ts";
import { run } from "./run.ts";
import { ROOT } from "./source_files.ts";

/** What a dry run of publishing complains about, one sentence each. */
export function publishProblems(code: number, said: string): string[] {
  const warnings = [...said.matchAll(/^(?:warning|error)\b.*$/gim)].map(([line]) => line);
  return code === 0 || warnings.length > 0 ? warnings : [said.trim()];
}

if (import.meta.main) {
  const { code, err } = await run(
    Deno.execPath(),
    ["publish", "--dry-run", "--allow-dirty"],
    { cwd: ROOT, env: { NO_COLOR: "1" } },
  );
  finish("package for JSR", publishProblems(code, err));
}
