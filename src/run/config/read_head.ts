import { closeSync, openSync, readSync } from "node:fs";

/**
 * The beginning of a text file; a folder has none.
 *
 * @throws {Error} of the system where the file cannot be read.
 */
export function readHead(path: string, bytes: number): string {
  const head = new Uint8Array(bytes);
  const file = openSync(path, "r");
  try {
    return new TextDecoder().decode(head.subarray(0, readSync(file, head)));
  } finally {
    closeSync(file);
  }
}
