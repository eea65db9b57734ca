import { builtin } from "./builtin.ts";
import { isGranted } from "./is_granted.ts";
import { hasEnded, PROCESS_MARK, processMark } from "./process_mark.ts";

interface Files {
  readdir(path: string): Promise<string[]>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** The process that made a draft, and something random. */
const NAME = new RegExp(String.raw`^\.covtool-(${PROCESS_MARK})-[\da-f]{12}\.tmp$`);

/**
 * A name for a file that is written next to its final place: it can't be guessed, and contains the process that makes
 * it.
 *
 * @example
 * ```ts
 * import { draftName } from "./draft_file.ts";
 * import assert from "node:assert/strict";
 *
 * assert.match(draftName(), /^\.covtool-\d+-\d+-[\da-z]+-[\da-f]{12}\.tmp$/);
 * ```
 */
export function draftName(): string {
  return `.covtool-${processMark()}-${crypto.randomUUID().slice(-12)}.tmp`;
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
    const [, mark] = NAME.exec(name) ?? [];
    if (mark === undefined || !hasEnded(mark)) continue;
    try {
      await files.rm(`${folder}/${name}`, { force: true });
    } catch {
      // It belongs to somebody else.
    }
  }
}
