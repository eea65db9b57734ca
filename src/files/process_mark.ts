import { builtin } from "../values/builtin.ts";
import { errorCode } from "./files.ts";
import { isGranted } from "./missing_permission.ts";

/** The source of a regular expression for what {@linkcode processMark} gives. */
export const PROCESS_MARK = String.raw`\d+-\d+-[\da-z]+`;

/** The time at which a process began, or a machine, where we may not ask for it. */
const UNKNOWN = "0";

/** Says whose a temporary file is: the process, the time when that began, and the machine. */
export function processMark(): string {
  const { pid } = builtin("node:process");
  return `${pid}-${processStart("self") ?? UNKNOWN}-${machine()}`;
}

/** True if a mark is that of a process of this machine that has ended; in doubt it hasn't. */
export function hasEnded(mark: string): boolean {
  const [pid, start = UNKNOWN, where] = mark.split("-");
  if (where === UNKNOWN || where !== machine()) return false;
  return !isProcessAlive(Number(pid), start === UNKNOWN ? undefined : start);
}

let here: string | undefined;

/** Distinguishes machines and containers that share a folder. */
function machine(): string {
  if (here !== undefined) return here;
  const parts: string[] = [];
  if (isGranted({ name: "sys", kind: "hostname" })) {
    parts.push(builtin("node:os").hostname());
  }
  if (builtin("node:process").platform === "linux" && isProcGranted()) {
    try {
      parts.push(
        builtin("node:fs").readlinkSync("/proc/self/ns/pid"),
      );
    } catch {
      // The name has to do.
    }
  }
  if (parts.length === 0) return here = UNKNOWN;
  // FNV-1a: what has to be equal by chance isn't secret.
  let hash = 0x811c9dc5;
  for (const unit of parts.join()) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return here = (hash >>> 0).toString(36);
}

/** When a process started, in clock ticks since boot, to tell it from a later one; undefined but on Linux. */
export function processStart(pid: number | "self"): string | undefined {
  // Deno guards /proc as a whole.
  if (builtin("node:process").platform !== "linux" || !isProcGranted()) return undefined;
  try {
    const status = builtin("node:fs").readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the name of the program in parentheses, and may hold anything.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

export function isProcGranted(): boolean {
  return isGranted({ name: "read", path: "/proc/self/stat" }) && isGranted({ name: "sys" });
}

/** True if a process is running, or in doubt; `start` tells it from a later one with the same number. */
export function isProcessAlive(pid: number, start?: string): boolean {
  const started = processStart(pid);
  if (started !== undefined) return start === undefined || started === start;
  // Without the permission to ask, Linux still lists the processes.
  if (!isGranted({ name: "run" })) return processStart("self") === undefined;
  try {
    builtin("node:process").kill(pid, 0);
    return true;
  } catch (error) {
    // Processes of other users exist too, but refuse the signal.
    return errorCode(error) !== "ESRCH";
  }
}
