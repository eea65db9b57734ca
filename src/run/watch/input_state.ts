import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError } from "../command_error.ts";
import { findRecordings } from "../find_recordings.ts";

/** The state of inputs at one moment. */
export interface InputState {
  /** Differs from that of another moment if a file was written, replaced, added or removed in between. */
  readonly text: string;
  /** True if one of the inputs isn't there. */
  readonly lacksAny: boolean;
}

/**
 * The state of files, of folders with all that is in them, and of what glob patterns match.
 *
 * @param names Files, folders and patterns.
 * @param except Files that don't count although a folder or pattern has them, such as reports: absolute paths.
 */
export async function inputState(
  names: readonly string[],
  except: ReadonlySet<string> = new Set(),
): Promise<InputState> {
  const lines: string[] = [];
  let lacksAny = false;
  for (const name of names) {
    for (const path of await filesOf(name)) {
      if (except.has(resolve(path))) continue;
      const line = await fileState(path);
      lacksAny ||= line === undefined;
      lines.push(`${path}\t${line ?? "missing"}`);
    }
  }
  return { text: lines.join("\n"), lacksAny };
}

async function filesOf(name: string): Promise<readonly string[]> {
  try {
    return (await findRecordings([name])).map(({ path }) => path);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return []; // an empty folder, or a pattern that matches nothing yet
  }
}

async function fileState(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [ino, size, mtimeMs, ctimeMs].join(" ");
  } catch {
    return undefined;
  }
}
