import { builtin } from "./builtin.ts";
import { fileErrorSentence } from "./files.ts";
import { isGranted } from "./is_granted.ts";
import { missingPermission } from "./missing_permission.ts";
import { hasEnded, PROCESS_MARK, processMark } from "./process_mark.ts";
import { temporaryFolder } from "./temporary_folder.ts";

interface Files {
  mkdirSync(path: string, options: { recursive: boolean }): void;
  mkdtempSync(prefix: string): string;
  readdirSync(path: string): string[];
  rmSync(path: string, options: { recursive: boolean; force: boolean }): void;
  statSync(path: string): { readonly uid: number };
}

interface PathModule {
  join(...parts: readonly string[]): string;
}

interface Process {
  readonly platform: string;
  readonly getuid?: () => number;
}

/** There can be no temporary folder. The message says where, and what to do. */
export class TemporaryFolderError extends Error {
  /** Makes the error for a folder that should hold it. */
  constructor(parent: string, cause: unknown) {
    const { platform } = builtin<Process>("node:process");
    const variable = platform === "win32" ? "TEMP" : "TMPDIR";
    const reason = fileErrorSentence(cause).replace(/[:.].*$/s, "");
    super(
      `Cannot make a temporary folder in ${parent}: ${reason}. Set ${variable} to a folder that you can write to.`,
      { cause },
    );
    this.name = "TemporaryFolderError";
  }
}

/** What a temporary folder is for. */
export type TemporaryKind =
  /** Traffic of a test run. */
  | "run"
  /** Data of a proxy whose user has no folder for it. */
  | "proxy"
  /** Sockets of a proxy: their paths have to be short. */
  | "net";

const NAME = new RegExp(String.raw`^covtool-(?:run|proxy|net)-(${PROCESS_MARK})-`);

/**
 * Makes an empty folder among the temporary ones, which only its user can look into. Removes those of processes that
 * were killed, since there may be secrets in them.
 *
 * @throws {TemporaryFolderError} if that is impossible, and the runtime's error where it isn't permitted.
 */
export function makeTemporaryFolder(kind: TemporaryKind): string {
  const files = builtin<Files>("node:fs");
  const parent = temporaryFolder();
  const { join } = builtin<PathModule>("node:path");
  const prefix = join(parent, `covtool-${kind}-${processMark()}-`);
  removeAbandoned(parent);
  try {
    try {
      return files.mkdtempSync(prefix);
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== "ENOENT") throw error;
      // Some runners are given another folder for temporary files, which may not exist yet.
      files.mkdirSync(parent, { recursive: true });
      return files.mkdtempSync(prefix);
    }
  } catch (error) {
    throw missingPermission(error) === undefined ? new TemporaryFolderError(parent, error) : error;
  }
}

function removeAbandoned(parent: string): void {
  const files = builtin<Files>("node:fs");
  const { join } = builtin<PathModule>("node:path");
  const { getuid } = builtin<Process>("node:process");
  const user = isGranted({ name: "sys", kind: "uid" }) ? getuid?.() : undefined;
  let names: string[] = [];
  try {
    names = files.readdirSync(parent);
  } catch {
    // Where others may not look, those who made a folder remove it themselves.
  }
  for (const name of names) {
    const [, mark] = NAME.exec(name) ?? [];
    if (mark === undefined || !hasEnded(mark)) continue;
    const path = join(parent, name);
    try {
      if (user !== undefined && files.statSync(path).uid !== user) continue;
      files.rmSync(path, { recursive: true, force: true });
    } catch {
      // It is gone already, or belongs to somebody else.
    }
  }
}
