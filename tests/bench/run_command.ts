import { spawnSync } from "node:child_process";
import process from "node:process";

/** What a command printed and took. */
export interface CommandRun {
  readonly output: string;
  /** Processor time of the fastest run. */
  readonly milliseconds: number;
  /** What the clock said of the fastest run. */
  readonly elapsed: number;
  /** The least peak of memory. */
  readonly megabytes: number;
}

/** How often a command is run, and with what. */
export interface CommandOptions {
  readonly runs?: number;
  /** The file that is its standard input; nothing by default. */
  readonly input?: string;
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Tells what its command took on the last line of standard error: seconds of processor time and by the clock, kilobytes at the peak. */
const WATCH = `
import json, resource, subprocess, sys, time
start = time.monotonic()
code = subprocess.call(sys.argv[2:], stdin=open(sys.argv[1]))
elapsed = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(file=sys.stderr) # its last line may have no end
print(json.dumps([used.ru_utime + used.ru_stime, elapsed, used.ru_maxrss]), file=sys.stderr)
sys.exit(code)
`;

/** Runs a command several times and keeps the best; fails loudly where it fails. */
export function runCommand(
  command: string,
  args: readonly string[],
  { runs = 1, input = "/dev/null", env }: CommandOptions = {},
): CommandRun {
  let best = { output: "", milliseconds: Infinity, elapsed: Infinity, megabytes: Infinity };
  for (let index = 0; index < runs; index++) {
    const { status, stdout, stderr } = spawnSync(
      "python3",
      ["-c", WATCH, input, command, ...args],
      { encoding: "utf8", maxBuffer: 1 << 30, env: { ...process.env, ...env } },
    );
    const lines = (stderr ?? "").trimEnd().split("\n");
    if (status !== 0) {
      throw new Error(`${command} ${args.join(" ")}\n${lines.slice(-20).join("\n")}`);
    }
    const [seconds = 0, elapsed = 0, kilobytes = 0] = JSON.parse(lines.at(-1) ?? "") as number[];
    best = {
      output: stdout,
      milliseconds: Math.min(best.milliseconds, seconds * 1000),
      elapsed: Math.min(best.elapsed, elapsed * 1000),
      megabytes: Math.min(best.megabytes, kilobytes / 1024),
    };
  }
  return best;
}

/** The command that starts covtool: a program, perhaps with arguments of its own, or else the sources. */
export function covtoolCommand(program: string | undefined): [string, ...string[]] {
  if (program === undefined) {
    return [Deno.execPath(), "run", "-A", "--quiet", new URL("../../cli.ts", import.meta.url).href];
  }
  const [command = "", ...args] = program.split(" ");
  return [command, ...args];
}

/** Ends a process that may have ended already. */
export async function endProcess(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // it has
  }
  await child.status;
}
