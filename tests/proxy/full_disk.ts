import { run } from "../../scripts/run.ts";
const SCRIPT = `
"$DENO" cache --quiet --no-check "$MODULE" # Deno may not write to its cache later on either
trap "" XFSZ
ulimit -f 0
exec "$DENO" eval "$PROGRAM"`;

/** Runs a program in which every file stays empty, as on a full disk. */
export async function runOnFullDisk(
  name: string,
  program: string,
): Promise<{ readonly code: number; readonly err: string }> {
  const url = new URL(`../../src/proxy/${name}.ts`, import.meta.url).href;
  return await run("sh", ["-c", SCRIPT], {
    env: {
      ...{ NO_COLOR: "1", DENO: Deno.execPath(), MODULE: url },
      PROGRAM: `const module = await import(${JSON.stringify(url)});\n${program}`,
    },
  });
}
