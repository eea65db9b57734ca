import type { ShellBlock } from "./shell_blocks.ts";

export interface BlockOutcome {
  /** Everything that the commands printed, without spaces at the ends of lines. */
  readonly output: string;
  /** Its problem, as a sentence; undefined if there is none. */
  readonly problem?: string;
}

/** Timeout of a command, in milliseconds. */
const TIME_LIMIT = 300_000;

/** Runs the commands of a block in Bash. */
export async function runBlock(
  { script, code, prints }: ShellBlock,
  cwd: string,
  env: Readonly<Record<string, string>>,
  prefix: readonly string[] = [],
): Promise<BlockOutcome> {
  const [command = "bash", ...args] = [...prefix, "bash", "-e", "-c", `exec 2>&1\n${script}`];
  const ended = await new Deno.Command(command, {
    args,
    cwd,
    env: { ...env },
    clearEnv: prefix.length > 0,
    stdin: "null",
    stderr: "piped",
    signal: AbortSignal.timeout(TIME_LIMIT),
  }).output();
  const decoder = new TextDecoder();
  const output = trimmed(decoder.decode(ended.stdout) + decoder.decode(ended.stderr));
  if (ended.code !== code) {
    return { output, problem: `It ends with ${ended.code}, not ${code}:\n${output}` };
  }
  if (prints !== undefined && timeless(trimmed(prints.text)) !== timeless(output)) {
    return { output, problem: `It prints something else than the page shows:\n${output}` };
  }
  return { output };
}

/** Removes the times of requests, which differ in each run. */
function timeless(text: string): string {
  return text.replace(
    /, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\s+to\s+(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d)?\s+UTC$/gm,
    "",
  );
}

function trimmed(text: string): string {
  return text.replace(/[ \t\r]+$/gm, "").trim();
}
