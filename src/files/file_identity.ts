import { builtin, type FileIdentity } from "../values/builtin.ts";
import { realPath, toPath } from "./files.ts";

export const STANDARD_INPUT = "-";

/**
 * Returns the identity of a file, which is the same for all paths to it: relative, absolute, and through symbolic and
 * hard links. For a file that does not exist yet, it is built from the real path of the folder.
 *
 * @param path A path, a `file:` URL, or the number of a descriptor: 0 is standard input, 1 standard output.
 * @returns Undefined for a device, which may be read and written any number of times, and for a descriptor or URL that
 * isn't a file.
 */
export async function fileIdentity(path: string | URL | 0 | 1): Promise<string | undefined> {
  if (typeof path === "number") {
    try {
      const status = builtin("node:fs").fstatSync(path, { bigint: true });
      // A terminal, a pipe or a socket may be input and output at the same time.
      return status.isFile() ? statusIdentity(status, undefined) : undefined;
    } catch {
      return undefined;
    }
  }
  const files = builtin("node:fs/promises");
  const name = localPath(path);
  if (name === undefined) return undefined;
  try {
    const status = await files.stat(name, { bigint: true });
    return statusIdentity(status, normalizeCase(await realPath(name)));
  } catch {
    return `path:${normalizeCase(await realPath(name))}`;
  }
}

/** Returns the path; undefined if it can't be one. Code that opens the file reports why. */
function localPath(path: string | URL): string | undefined {
  try {
    const name = toPath(path);
    return name.includes("\0") ? undefined : name;
  } catch {
    return undefined;
  }
}

export async function fileExists(path: string): Promise<boolean> {
  try {
    await builtin("node:fs/promises").stat(path, { bigint: true });
    return true;
  } catch {
    return false;
  }
}

function statusIdentity(status: FileIdentity, path: string | undefined): string | undefined {
  if (status.isCharacterDevice()) return undefined;
  // Some file systems have no inode numbers.
  if (status.ino !== 0n) return `file:${status.dev}:${status.ino}`;
  return path === undefined ? undefined : `path:${path}`;
}

/** Windows and macOS ignore case in paths. */
function normalizeCase(path: string): string {
  const { platform } = builtin("node:process");
  return platform === "linux" ? path : path.toLowerCase();
}
