import { chmod, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { draftName, removeAbandonedDrafts } from "../files/draft_file.ts";
import { Authority, createAuthority, type KeyedCertificate } from "./authority.ts";

/** An authority, and whether users have to trust it first. */
export interface OpenedAuthority {
  readonly authority: Authority;
  /** `found`: used before; `created`: the first one; `renewed`: the one before expires soon, or cannot be used. */
  readonly state: "found" | "created" | "renewed";
}

const FILE = "proxy-ca.pem";
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n?/;
const KEY = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----\n?/;

/**
 * The certificate authority of this user: made on first use, kept in a folder, renewed before it expires. Key and
 * certificate are in one file that only the user can read, so that they are always of the same authority.
 *
 * @param folder Made where it does not exist.
 * @throws the file system's error where the folder cannot be used.
 */
export async function openAuthority(folder: string, now: Date): Promise<OpenedAuthority> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A key that a killed proxy was about to write must not stay.
  await removeAbandonedDrafts(folder);
  const path = join(folder, FILE);
  const kept = await readKept(path);
  if (kept !== undefined) {
    await chmod(path, 0o600);
    const authority = usable(kept, now);
    if (authority !== undefined) return { authority, state: "found" };
  }
  const made = createAuthority(now);
  const draft = join(folder, draftName());
  try {
    await writeFile(draft, made.key + made.certificate, { mode: 0o600, flag: "wx" });
    if (kept !== undefined) {
      await rename(draft, path);
      return { authority: new Authority(made), state: "renewed" };
    }
    await link(draft, path);
    return { authority: new Authority(made), state: "created" };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "EEXIST") throw error;
    // Another proxy that starts at the same time was faster: both have to use the same authority.
    const other = await readKept(path);
    if (other === undefined) throw error;
    return { authority: new Authority(other), state: "found" };
  } finally {
    await rm(draft, { force: true });
  }
}

async function readKept(path: string): Promise<KeyedCertificate | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
  return { certificate: CERTIFICATE.exec(text)?.[0] ?? "", key: KEY.exec(text)?.[0] ?? "" };
}

function usable(kept: KeyedCertificate, now: Date): Authority | undefined {
  try {
    const authority = new Authority(kept);
    return authority.isOutdated(now) ? undefined : authority;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
