import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { generateKeys, writeCertificate } from "./certificates.ts";
import { chmod, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../files/files.ts";
import { draftName, removeAbandonedDrafts } from "../files/write_new_file.ts";

export interface OpenedAuthority {
  readonly authority: Authority;
  /** `found`: used before; `created`: the first one; `renewed`: the previous one expires soon or cannot be used. */
  readonly state: "found" | "created" | "renewed";
}

const FILE = "proxy-ca.pem";
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n?/;
const KEY = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----\n?/;

/** Opens the user's certificate authority. It is created on first use and renewed before it expires. */
export async function openAuthority(folder: string, now: Date): Promise<OpenedAuthority> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A draft of a killed proxy contains a private key.
  await removeAbandonedDrafts(folder);
  const path = join(folder, FILE);
  const stored = await readAuthorityFile(path);
  if (stored !== undefined) {
    await chmod(path, 0o600);
    const authority = parseUsable(stored, now);
    if (authority !== undefined) return { authority, state: "found" };
  }
  const created = createAuthority(now);
  const draft = join(folder, draftName());
  try {
    await writeFile(draft, created.key + created.certificate, { mode: 0o600, flag: "wx" });
    if (stored !== undefined) {
      await rename(draft, path);
      return { authority: new Authority(created), state: "renewed" };
    }
    await link(draft, path);
    return { authority: new Authority(created), state: "created" };
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    // Another proxy that is starting at the same time was first: both must use the same authority.
    const other = await readAuthorityFile(path);
    if (other === undefined) throw error;
    return { authority: new Authority(other), state: "found" };
  } finally {
    await rm(draft, { force: true });
  }
}

async function readAuthorityFile(path: string): Promise<KeyedCertificate | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  return { certificate: CERTIFICATE.exec(text)?.[0] ?? "", key: KEY.exec(text)?.[0] ?? "" };
}

function parseUsable(stored: KeyedCertificate, now: Date): Authority | undefined {
  try {
    const authority = new Authority(stored);
    return authority.isOutdated(now) ? undefined : authority;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface LeafCertificate extends KeyedCertificate {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const DAY = 24 * 60 * 60 * 1000;
/** Lifetime of an authority. It is long, since users must trust each new authority by hand. */
const AUTHORITY_DAYS = 1825;
/** An authority is replaced this long before it expires, so that it doesn't expire during a session. */
const RENEWAL_DAYS = 60;
/** Some clients reject server certificates that are valid for more than 398 days. */
const LEAF_DAYS = 397;

export const AUTHORITY_NAME = "covtool proxy CA";

/** Creates a certificate authority. Its name is unique, so that authorities of two machines aren't confused. */
export function createAuthority(now: Date): KeyedCertificate {
  const { publicKey, privateKey } = generateKeys();
  const suffix = crypto.randomUUID().slice(0, 8);
  const certificate = writeCertificate({
    name: `${AUTHORITY_NAME} ${suffix}`,
    publicKey,
    signingKey: privateKey,
    notBefore: new Date(now.getTime() - DAY),
    notAfter: new Date(now.getTime() + AUTHORITY_DAYS * DAY),
  });
  return { certificate, key: keyPem(privateKey) };
}

export class Authority {
  /** The certificate that clients must trust, as PEM. */
  readonly certificate: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly #name: string;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  // All leaf certificates share one key: with separate keys, a new host would take three times as long.
  readonly #leafKeys = generateKeys();
  readonly #leafKeyPem = keyPem(this.#leafKeys.privateKey);

  /** Throws a TypeError if the certificate or the key can't be read, or they do not belong together. */
  constructor({ certificate, key }: KeyedCertificate) {
    let parsed: X509Certificate;
    try {
      parsed = new X509Certificate(certificate);
      this.#key = createPrivateKey(key);
    } catch (cause) {
      throw new TypeError("The certificate authority cannot be read.", { cause });
    }
    this.#publicKey = createPublicKey(this.#key);
    if (!parsed.verify(this.#publicKey)) {
      throw new TypeError("The key of the certificate authority doesn't match its certificate.");
    }
    this.certificate = certificate;
    this.notBefore = new Date(parsed.validFrom);
    this.notAfter = new Date(parsed.validTo);
    this.#name = parsed.subject.replace(/^CN=/, "");
  }

  /** True if a new authority is needed: this one expires soon, or was created while the clock was ahead. */
  isOutdated(now: Date): boolean {
    return this.notAfter.getTime() - now.getTime() < RENEWAL_DAYS * DAY || now < this.notBefore;
  }

  /** Issues a certificate for a host: a name, or an IP address without brackets. */
  issueLeaf(host: string, now: Date): LeafCertificate {
    const notBefore = new Date(now.getTime() - DAY);
    const notAfter = new Date(Math.min(now.getTime() + LEAF_DAYS * DAY, this.notAfter.getTime()));
    const certificate = writeCertificate({
      name: host,
      publicKey: this.#leafKeys.publicKey,
      issuer: { name: this.#name, publicKey: this.#publicKey },
      signingKey: this.#key,
      notBefore,
      notAfter,
      host: isIP(host) === 0 ? host.toLowerCase() : host,
    });
    return { certificate, key: this.#leafKeyPem, notBefore, notAfter };
  }
}

function keyPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
