import { spawnSync } from "node:child_process";

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

/** Tells what its command took on the last line of standard error: seconds of processor time and by the clock, kilobytes at the peak. */
const WATCH = `
import json, resource, subprocess, sys, time
start = time.monotonic()
code = subprocess.call(sys.argv[1:])
elapsed = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, elapsed, used.ru_maxrss]), file=sys.stderr)
sys.exit(code)
`;

/** Runs a command several times and keeps the best; fails loudly where it fails. */
export function runCommand(command: string, args: readonly string[], runs = 1): CommandRun {
  let best: CommandRun | undefined;
  for (let index = 0; index < runs; index++) {
    const { status, stdout, stderr } = spawnSync("python3", ["-c", WATCH, command, ...args], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    const lines = (stderr ?? "").trimEnd().split("\n");
    if (status !== 0) {
      throw new Error(`${command} ${args.join(" ")}\n${lines.slice(-20).join("\n")}`);
    }
    const [seconds, elapsed, kilobytes] = JSON.parse(lines.at(-1) ?? "") as [
      number,
      number,
      number,
    ];
    best = {
      output: stdout,
      milliseconds: Math.min(best?.milliseconds ?? Infinity, seconds * 1000),
      elapsed: Math.min(best?.elapsed ?? Infinity, elapsed * 1000),
      megabytes: Math.min(best?.megabytes ?? Infinity, kilobytes / 1024),
    };
  }
  if (best === undefined) throw new RangeError("A command has to be run once at least.");
  return best;
}
