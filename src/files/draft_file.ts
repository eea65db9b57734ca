import { builtin } from "./builtin.ts";
import { isGranted } from "./is_granted.ts";
import { isProcessAlive, isProcGranted, processStart } from "./is_process_alive.ts";

interface Files {
  readdir(path: string): Promise<string[]>;
  readlink(path: string): Promise<string>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

interface Process {
  readonly pid: number;
  readonly platform: string;
}

/** The process that made a draft, the time when that began, the machine, and something random. */
const NAME = /^\.covtool-(\d+)-(\d+)-([\da-z]+)-[\da-f]{12}\.tmp$/;

/**
 * A name for a file that is written next to its final place: it can't be guessed, and contains the process that makes
 * it.
 *
 * @example
 * ```ts
 * import { draftName } from "./draft_file.ts";
 * import assert from "node:assert/strict";
 *
 * assert.match(await draftName(), /^\.covtool-\d+-\d+-[\da-z]+-[\da-f]{12}\.tmp$/);
 * ```
 */
export async function draftName(): Promise<string> {
  const { pid } = builtin<Process>("node:process");
  const random = crypto.randomUUID().slice(-12);
  return `.covtool-${pid}-${processStart("self") ?? 0}-${await machine()}-${random}.tmp`;
}

/**
 * Removes the drafts in a folder whose process was killed. Those of processes that live, or of another machine or
 * container, are left alone.
 */
export async function removeAbandonedDrafts(folder: string): Promise<void> {
  if (!isGranted({ name: "read", path: folder })) return;
  const files = builtin<Files>("node:fs/promises");
  let names: string[] = [];
  try {
    names = await files.readdir(folder);
  } catch {
    return; // a folder that may be written to only
  }
  for (const name of names) {
    const [, pid = "", start = "", where = ""] = NAME.exec(name) ?? [];
    if (pid === "" || where === UNKNOWN || where !== await machine()) continue;
    if (isProcessAlive(Number(pid), start)) continue;
    try {
      await files.rm(`${folder}/${name}`, { force: true });
    } catch {
      // It belongs to somebody else.
    }
  }
}

let here: string | undefined;

/** Any machine or container: processes of others with the same number can't be told from ours. */
const UNKNOWN = "0";

/** Distinguishes machines and containers that share a folder, where the runtime lets us know them. */
async function machine(): Promise<string> {
  if (here !== undefined) return here;
  const parts: string[] = [];
  if (isGranted({ name: "sys", kind: "hostname" })) {
    parts.push(builtin<{ hostname(): string }>("node:os").hostname());
  }
  if (builtin<Process>("node:process").platform === "linux" && isProcGranted()) {
    try {
      parts.push(await builtin<Files>("node:fs/promises").readlink("/proc/self/ns/pid"));
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
