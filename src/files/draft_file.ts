import { builtin } from "./builtin.ts";
import { isGranted } from "./is_granted.ts";

interface Files {
  readFile(path: string, encoding: "utf8"): Promise<string>;
  readdir(path: string): Promise<string[]>;
  readlink(path: string): Promise<string>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

interface Process {
  readonly pid: number;
  readonly platform: string;
  kill(pid: number, signal: number): void;
}

/** The process that made a draft, the time when that began, the machine, and something random. */
const NAME = /^\.covtool-(\d+)-(\d+)-([\da-z]+)-[\da-f]{12}\.tmp$/;

/**
 * A name for a file that is written beside its place: nobody can guess it, and it tells which process makes it.
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
  return `.covtool-${pid}-${await startOf("self") ?? 0}-${await machine()}-${random}.tmp`;
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
    if (pid === "" || where !== await machine() || await isAlive(pid, start)) continue;
    try {
      await files.rm(`${folder}/${name}`, { force: true });
    } catch {
      // It belongs to somebody else.
    }
  }
}

async function isAlive(pid: string, start: string): Promise<boolean> {
  const { kill, platform } = builtin<Process>("node:process");
  const started = await startOf(pid);
  if (started !== undefined) return started === start;
  // Where there is no /proc, or none that may be read.
  if (platform === "linux" && await startOf("self") !== undefined) return false;
  if (!isGranted({ name: "run" })) return true;
  try {
    kill(Number(pid), 0);
    return true;
  } catch (error) {
    // Processes of others answer too, with a refusal.
    return (error as { readonly code?: unknown }).code !== "ESRCH";
  }
}

/** When a process began, in ticks since the machine did, for numbers of processes are used again. */
async function startOf(pid: string): Promise<string | undefined> {
  // Deno guards /proc as a whole.
  if (builtin<Process>("node:process").platform !== "linux" || !isAllGranted()) return undefined;
  try {
    const status = await builtin<Files>("node:fs/promises").readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is the name of the program in parentheses, and may hold anything.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

let here: string | undefined;

/** Tells machines and containers apart that share a folder. */
async function machine(): Promise<string> {
  if (here !== undefined) return here;
  const parts: string[] = [];
  if (isGranted({ name: "sys", kind: "hostname" })) {
    parts.push(builtin<{ hostname(): string }>("node:os").hostname());
  }
  if (builtin<Process>("node:process").platform === "linux" && isAllGranted()) {
    try {
      parts.push(await builtin<Files>("node:fs/promises").readlink("/proc/self/ns/pid"));
    } catch {
      // The name has to do.
    }
  }
  // FNV-1a: what has to be equal by chance is no secret.
  let hash = 0x811c9dc5;
  for (const unit of parts.join()) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return here = (hash >>> 0).toString(36);
}

function isAllGranted(): boolean {
  return isGranted({ name: "read", path: "/proc/self/stat" }) && isGranted({ name: "sys" });
}
