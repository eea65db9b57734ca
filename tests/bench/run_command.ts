import { spawnSync } from "node:child_process";
import process from "node:process";

/** A command's output and cost. */
export interface CommandRun {
  readonly output: string;
  /** Processor time of the fastest run. */
  readonly milliseconds: number;
  /** Wall-clock time of the fastest run. */
  readonly elapsed: number;
  /** Lowest peak memory. */
  readonly megabytes: number;
}

/** Options of measuring a command. */
export interface CommandOptions {
  readonly runs?: number;
  /** The file for standard input; empty by default. */
  readonly input?: string;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Prints the command's cost as the last line of stderr: seconds of processor and wall-clock time, peak kilobytes. */
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

/** Runs a command several times and keeps the best values; throws if it fails. */
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

/** The command to start covtool: a given program, possibly with arguments, or the sources. */
export function covtoolCommand(program: string | undefined): [string, ...string[]] {
  if (program === undefined) {
    return [Deno.execPath(), "run", "-A", "--quiet", new URL("../../cli.ts", import.meta.url).href];
  }
  const [command = "", ...args] = program.split(" ");
  return [command, ...args];
}

/** Ends a process unless it has already ended. */
export async function endProcess(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // it has already ended
  }
  await child.status;
}
