import { builtin } from "../values/builtin.ts";
import { errorCode, fileErrorSentence } from "./files.ts";
import { isGranted, missingPermission } from "./missing_permission.ts";
import { hasEnded, PROCESS_MARK, processMark } from "./process_mark.ts";

const VARIABLES = ["TMPDIR", "TMP", "TEMP"];

/** Without the permission to read the variables, Deno uses `/tmp`, so that no further permission is needed. */
export function temporaryFolder(): string {
  const { platform } = builtin("node:process");
  const isNamed = platform === "win32" ||
    VARIABLES.every((variable) => isGranted({ name: "env", variable }));
  return isNamed ? builtin("node:os").tmpdir() : "/tmp";
}

export class TemporaryFolderError extends Error {
  constructor(parent: string, cause: unknown) {
    const { platform } = builtin("node:process");
    const variable = platform === "win32" ? "TEMP" : "TMPDIR";
    const reason = fileErrorSentence(cause).replace(/[:.].*$/s, "");
    super(
      `Cannot make a temporary folder in ${parent}: ${reason}. Set ${variable} to a folder that you can write to.`,
      { cause },
    );
    this.name = "TemporaryFolderError";
  }
}

export type TemporaryKind =
  | "run"
  /** Data of a proxy for which the user chose no folder. */
  | "proxy";

const FOLDER_NAME = new RegExp(String.raw`^covtool-(?:run|proxy)-(${PROCESS_MARK})-`);

/** Creates a folder that only the user can access, and removes folders of processes that were killed. */
export function makeTemporaryFolder(kind: TemporaryKind): string {
  const files = builtin("node:fs");
  const parent = temporaryFolder();
  const { join } = builtin("node:path");
  const prefix = join(parent, `covtool-${kind}-${processMark()}-`);
  removeAbandonedFolders(parent);
  try {
    try {
      return files.mkdtempSync(prefix);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      // Some test runners set the variable to a folder that does not exist yet.
      files.mkdirSync(parent, { recursive: true });
      return files.mkdtempSync(prefix);
    }
  } catch (error) {
    throw missingPermission(error) === undefined ? new TemporaryFolderError(parent, error) : error;
  }
}

function removeAbandonedFolders(parent: string): void {
  const files = builtin("node:fs");
  const { join } = builtin("node:path");
  const { getuid } = builtin("node:process");
  const user = isGranted({ name: "sys", kind: "uid" }) ? getuid?.() : undefined;
  let names: string[] = [];
  try {
    names = files.readdirSync(parent);
  } catch {
    // If the parent can't be listed, the folders of other processes stay.
  }
  for (const name of names) {
    const [, mark] = FOLDER_NAME.exec(name) ?? [];
    if (mark === undefined || !hasEnded(mark)) continue;
    const path = join(parent, name);
    try {
      if (user !== undefined && files.statSync(path).uid !== user) continue;
      files.rmSync(path, { recursive: true, force: true });
    } catch {
      // The folder is already gone, or belongs to another user.
    }
  }
}
