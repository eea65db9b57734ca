import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { decodeText, errorCode } from "../../files/files.ts";
import { isGranted } from "../../files/missing_permission.ts";
import { CommandError } from "../command_error.ts";

/** Names of config files. A folder may have only one of them. */
export const CONFIG_NAMES: readonly string[] = ["covtool.yaml", "covtool.yml", "covtool.json"];

/** The number of bytes in which reports and recordings have their first keys, and descriptions their version. */
const HEAD_BYTES = 1 << 16;
const WRITTEN_BY_OTHERS = 0o002;

/** Finds the nearest config file, up to the root of the repository; not in shared folders such as `/tmp`. */
export function findConfig(folder: string = process.cwd()): string | undefined {
  const start = resolve(folder);
  for (let at = start;; at = dirname(at)) {
    // Without the permission, Deno would prompt the user.
    if (!isGranted({ name: "read", path: at })) return undefined;
    const [found, other] = at !== start && isSharedFolder(at) ? [] : configsIn(at);
    if (other !== undefined) {
      throw new CommandError(
        `${at} has ${found} and ${other}. Keep one of them, or name one with --config.`,
      );
    }
    if (found !== undefined) return relativePath(join(at, found));
    if (existsSync(join(at, ".git")) || dirname(at) === at) return undefined;
  }
}

function configsIn(folder: string): string[] {
  return CONFIG_NAMES.filter((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true && !isOutput(path);
  });
}

/** True for covtool's own reports and traffic files, which may happen to have such a name. */
function isOutput(path: string): boolean {
  if (!path.endsWith(".json")) return false;
  return /^\s*\{\s*"(?:format_version|interactions|schemaVersion)"/.test(readHead(path));
}

function isSharedFolder(folder: string): boolean {
  return process.platform !== "win32" && (statSync(folder).mode & WRITTEN_BY_OTHERS) !== 0;
}

function relativePath(path: string): string {
  const inside = relative(process.cwd(), path);
  return inside.startsWith("..") ? path : inside;
}

/** Reads the beginning of a text file; throws for a folder. */
function readHead(path: string): string {
  const head = new Uint8Array(HEAD_BYTES);
  const file = openSync(path, "r");
  try {
    return decodeText(head.subarray(0, readSync(file, head)));
  } finally {
    closeSync(file);
  }
}

const VERSION = /(?:^|[{,\s])["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/;

/** True for a URL, a file with an OpenAPI version, or a missing file, so that loading it reports the error. */
export function looksLikeDescription(path: string): boolean {
  if (/^(?:https?|file):/i.test(path)) return true;
  if (path === "-") return false;
  try {
    return VERSION.test(readHead(path));
  } catch (error) {
    return errorCode(error) === "ENOENT" && !/[*?[{]/.test(path);
  }
}
