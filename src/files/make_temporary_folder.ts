import { builtin } from "../values/builtin.ts";
import { errorCode, fileErrorSentence } from "./files.ts";
import { isGranted, missingPermission } from "./missing_permission.ts";
import { hasEnded, PROCESS_MARK, processMark } from "./process_mark.ts";

/** The variables that name the folder, in the order in which they are looked at. */
const VARIABLES = ["TMPDIR", "TMP", "TEMP"];

/** The usual one where Deno doesn't let us read the variables that name it: nobody has to permit more. */
export function temporaryFolder(): string {
  const { platform } = builtin("node:process");
  const isNamed = platform === "win32" ||
    VARIABLES.every((variable) => isGranted({ name: "env", variable }));
  return isNamed ? builtin("node:os").tmpdir() : "/tmp";
}

/** There can be no temporary folder. The message says where, and what to do. */
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
  /** Traffic of a test run. */
  | "run"
  /** Data of a proxy whose user has no folder for it. */
  | "proxy";

const NAME = new RegExp(String.raw`^covtool-(?:run|proxy)-(${PROCESS_MARK})-`);

/** Makes a folder that only its user can look into, and removes those of processes that were killed. */
export function makeTemporaryFolder(kind: TemporaryKind): string {
  const files = builtin("node:fs");
  const parent = temporaryFolder();
  const { join } = builtin("node:path");
  const prefix = join(parent, `covtool-${kind}-${processMark()}-`);
  removeAbandoned(parent);
  try {
    try {
      return files.mkdtempSync(prefix);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      // Some runners are given another folder for temporary files, which may not exist yet.
      files.mkdirSync(parent, { recursive: true });
      return files.mkdtempSync(prefix);
    }
  } catch (error) {
    throw missingPermission(error) === undefined ? new TemporaryFolderError(parent, error) : error;
  }
}

function removeAbandoned(parent: string): void {
  const files = builtin("node:fs");
  const { join } = builtin("node:path");
  const { getuid } = builtin("node:process");
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
