import { builtin } from "./builtin.ts";
import { isGranted } from "./is_granted.ts";
import { isProcessAlive, isProcGranted, processStart } from "./is_process_alive.ts";

interface Process {
  readonly pid: number;
  readonly platform: string;
}

/** The source of a regular expression for what {@linkcode processMark} gives. */
export const PROCESS_MARK = String.raw`\d+-\d+-[\da-z]+`;

/** The time at which a process began, or a machine, where we may not ask for it. */
const UNKNOWN = "0";

/**
 * A part for names of temporary files and folders, which says whose they are: the process, the time when that began,
 * and the machine.
 *
 * @example
 * ```ts
 * import { PROCESS_MARK, processMark } from "./process_mark.ts";
 * import assert from "node:assert/strict";
 *
 * assert.match(processMark(), new RegExp(`^${PROCESS_MARK}$`));
 * ```
 */
export function processMark(): string {
  const { pid } = builtin<Process>("node:process");
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
    parts.push(builtin<{ hostname(): string }>("node:os").hostname());
  }
  if (builtin<Process>("node:process").platform === "linux" && isProcGranted()) {
    try {
      parts.push(
        builtin<{ readlinkSync(path: string): string }>("node:fs").readlinkSync(
          "/proc/self/ns/pid",
        ),
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
