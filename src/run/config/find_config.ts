import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { isGranted } from "../../files/is_granted.ts";
import { CommandError } from "../command_error.ts";
import { readHead } from "./read_head.ts";

/** The names of config files. A folder may have only one of them. */
export const CONFIG_NAMES: readonly string[] = ["covtool.yaml", "covtool.yml", "covtool.json"];

/** Enough of a file to tell a report or a recording by its first keys. */
const HEAD_BYTES = 4096;
/** A folder that others may write to, as a mode. */
const WRITTEN_BY_OTHERS = 0o002;

/**
 * Finds the config file for a folder: in itself, or in the nearest folder above it that has one. The search ends at the
 * root of a repository (the folder with `.git`). Folders above that everybody may write to, such as `/tmp`, are left
 * out, since anybody could have put a file there.
 *
 * @param folder Where to begin (default: the working directory).
 * @returns the path, relative to the working directory if the file is in it; undefined if none is found.
 * @throws {CommandError} if a folder has several.
 */
export function findConfig(folder: string = process.cwd()): string | undefined {
  const start = resolve(folder);
  for (let at = start;; at = dirname(at)) {
    // Deno would ask the user.
    if (!isGranted({ name: "read", path: at })) return undefined;
    const [found, other] = at !== start && isSharedFolder(at) ? [] : configsIn(at);
    if (other !== undefined) {
      throw new CommandError(
        `${at} has ${found} and ${other}. Keep one of them, or name one with --config.`,
      );
    }
    if (found !== undefined) return shownPath(join(at, found));
    if (existsSync(join(at, ".git")) || dirname(at) === at) return undefined;
  }
}

function configsIn(folder: string): string[] {
  return CONFIG_NAMES.filter((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true && !isOutput(path);
  });
}

/** Reports and traffic files of covtool may have been given this name. */
function isOutput(path: string): boolean {
  if (!path.endsWith(".json")) return false;
  return /^\s*\{\s*"(?:format_version|interactions|schemaVersion)"/.test(
    readHead(path, HEAD_BYTES),
  );
}

function isSharedFolder(folder: string): boolean {
  return process.platform !== "win32" && (statSync(folder).mode & WRITTEN_BY_OTHERS) !== 0;
}

function shownPath(path: string): string {
  const inside = relative(process.cwd(), path);
  return inside.startsWith("..") ? path : inside;
}
