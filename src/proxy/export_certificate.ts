import { X509Certificate } from "node:crypto";
import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { draftName, removeAbandonedDrafts } from "../files/draft_file.ts";
import { writeNewFile } from "../files/write_new_file.ts";
import { AUTHORITY_NAME } from "./authority.ts";

/**
 * Writes a copy of the certificate for people, to where they are told that it is. That may be a folder that everybody
 * can write to: links are not followed, and what is there is replaced only where it is such a copy of this user.
 *
 * @param certificate As PEM; it isn't secret.
 * @returns whether it was written, or was there already; false if something else is there, which is left alone.
 * @throws the file system's error where it cannot be written.
 */
export async function exportCertificate(path: string, certificate: string): Promise<boolean> {
  const found = await copyAt(path);
  await removeAbandonedDrafts(dirname(path));
  if (found === "foreign" || found === certificate) return found === certificate;
  // What comes into being meanwhile is not replaced.
  if (found === undefined) return await writeNew(path, certificate);
  const draft = join(dirname(path), draftName());
  try {
    await writeFile(draft, certificate, { mode: 0o644, flag: "wx" });
    await rename(draft, path);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * The present content of the copy's path: its certificate, `foreign` for anything else, undefined if the file does not
 * exist.
 *
 * @throws the file system's error where that cannot be told.
 */
export async function copyAt(path: string): Promise<string | undefined> {
  try {
    const status = await lstat(path);
    const user = process.getuid?.() ?? status.uid;
    if (!status.isFile() || status.uid !== user) return "foreign";
    const text = await readFile(path, "utf8");
    return isAuthority(text) ? text : "foreign";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function isAuthority(text: string): boolean {
  try {
    return new X509Certificate(text).subject.startsWith(`CN=${AUTHORITY_NAME} `);
  } catch {
    return false;
  }
}

async function writeNew(path: string, certificate: string): Promise<boolean> {
  try {
    await writeNewFile(path, certificate);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    // Another proxy of the same user may have been faster.
    return await copyAt(path) === certificate;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null)?.code;
}
