import { builtin } from "./builtin.ts";
import { isGranted } from "./is_granted.ts";

interface Process {
  readonly platform: string;
  kill(pid: number, signal: number): void;
}

interface Files {
  readFileSync(path: string, encoding: "latin1"): string;
}

/**
 * The time at which a process started, in clock ticks since the system booted: with it, a process can be told from a
 * later one that has the same number.
 *
 * @returns undefined if the system doesn't tell; only Linux does.
 */
export function processStart(pid: number | "self"): string | undefined {
  // Deno guards /proc as a whole.
  if (builtin<Process>("node:process").platform !== "linux" || !isProcGranted()) return undefined;
  try {
    const status = builtin<Files>("node:fs").readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the name of the program in parentheses, and may hold anything.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** True if the runtime lets us read all of /proc. */
export function isProcGranted(): boolean {
  return isGranted({ name: "read", path: "/proc/self/stat" }) && isGranted({ name: "sys" });
}

/**
 * True if a process is still running. In doubt it is: what belongs to a running process must not be removed.
 *
 * @param pid The number of the process.
 * @param start Its {@linkcode processStart}, if known: a later process with the same number is another one.
 *
 * @example
 * ```ts
 * import { isProcessAlive } from "./is_process_alive.ts";
 * import process from "node:process";
 * import assert from "node:assert/strict";
 *
 * assert.equal(isProcessAlive(process.pid), true);
 * ```
 */
export function isProcessAlive(pid: number, start?: string): boolean {
  const started = processStart(pid);
  if (started !== undefined) return start === undefined || started === start;
  // Without the permission to ask, Linux still lists the processes.
  if (!isGranted({ name: "run" })) return processStart("self") === undefined;
  try {
    builtin<Process>("node:process").kill(pid, 0);
    return true;
  } catch (error) {
    // Processes of other users exist too, but refuse the signal.
    return (error as { readonly code?: unknown }).code !== "ESRCH";
  }
}
