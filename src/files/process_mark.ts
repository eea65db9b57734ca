import { builtin } from "../values/builtin.ts";
import { errorCode } from "./files.ts";
import { isGranted } from "./missing_permission.ts";

export const PROCESS_MARK = String.raw`\d+-\d+-[\da-z]+`;

/** Replaces the start time of the process or the machine if covtool isn't permitted to read them. */
const UNKNOWN = "0";

/** Identifies the owner of a temporary file: the process, its start time and the machine. */
export function processMark(): string {
  const { pid } = builtin("node:process");
  return `${pid}-${processStart("self") ?? UNKNOWN}-${machine()}`;
}

/** True if a mark belongs to a process of this machine that has certainly ended. */
export function hasEnded(mark: string): boolean {
  const [pid, start = UNKNOWN, where] = mark.split("-");
  if (where === UNKNOWN || where !== machine()) return false;
  return !isProcessAlive(Number(pid), start === UNKNOWN ? undefined : start);
}

let machineMark: string | undefined;

function machine(): string {
  if (machineMark !== undefined) return machineMark;
  const parts: string[] = [];
  if (isGranted({ name: "sys", kind: "hostname" })) parts.push(builtin("node:os").hostname());
  if (builtin("node:process").platform === "linux" && isProcGranted()) {
    try {
      parts.push(builtin("node:fs").readlinkSync("/proc/self/ns/pid"));
    } catch {
      // The host name must suffice.
    }
  }
  if (parts.length === 0) return machineMark = UNKNOWN;
  // FNV-1a, as the hash needs no protection against attacks.
  let hash = 0x811c9dc5;
  for (const unit of parts.join()) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return machineMark = (hash >>> 0).toString(36);
}

/** Returns when a process started, in clock ticks since boot, as numbers are reused; undefined except on Linux. */
export function processStart(pid: number | "self"): string | undefined {
  // On Deno, /proc needs a permission of its own.
  if (builtin("node:process").platform !== "linux" || !isProcGranted()) return undefined;
  try {
    const status = builtin("node:fs").readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the name of the program in parentheses, which may contain any character.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function isProcGranted(): boolean {
  return isGranted({ name: "read", path: "/proc/self/stat" }) && isGranted({ name: "sys" });
}

/** True if a process is running, or if that is unknown. `start` rules out a later process with the same number. */
export function isProcessAlive(pid: number, start?: string): boolean {
  const started = processStart(pid);
  if (started !== undefined) return start === undefined || started === start;
  // Without the permission to send signals, a process is taken to have ended if /proc can be read but doesn't list it.
  if (!isGranted({ name: "run" })) return processStart("self") === undefined;
  try {
    builtin("node:process").kill(pid, 0);
    return true;
  } catch (error) {
    // Processes of other users reject the signal, but they exist.
    return errorCode(error) !== "ESRCH";
  }
}
