import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { generateKeys, writeCertificate } from "./certificates.ts";

/** A certificate and its private key, both as PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate of a server, and the time in which it is good. */
export interface LeafCertificate extends KeyedCertificate {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const DAY = 24 * 60 * 60 * 1000;
/** The lifetime of an authority: long, since users have to trust each new one by hand. */
const AUTHORITY_DAYS = 1825;
/** An authority that is about to expire is replaced, so that no session outlives it. */
const RENEWAL_DAYS = 60;
/** Some clients refuse certificates of servers that are good for longer than 398 days. */
const LEAF_DAYS = 397;

/** The prefix of the names of covtool's authorities. */
export const AUTHORITY_NAME = "covtool proxy CA";

/** A new certificate authority. Its name is its own: authorities of two machines are never mixed up. */
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

/**
 * Issues the certificates with which the proxy answers for other hosts.
 *
 * @example
 * ```ts
 * import { X509Certificate } from "node:crypto";
 * import { Authority, createAuthority } from "./authority.ts";
 * import assert from "node:assert/strict";
 *
 * const authority = new Authority(createAuthority(new Date()));
 * const leaf = new X509Certificate(authority.leaf("api.example", new Date()).certificate);
 * assert.equal(leaf.checkHost("api.example"), "api.example");
 * assert.ok(leaf.checkIssued(new X509Certificate(authority.certificate)));
 * ```
 */
export class Authority {
  /** The certificate that clients have to trust, as PEM. */
  readonly certificate: string;
  /** The time from which on it is good. */
  readonly notBefore: Date;
  /** The time at which it expires. */
  readonly notAfter: Date;
  readonly #name: string;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  // One key for all of them: a key each would triple the time that a new host takes.
  readonly #leafKeys = generateKeys();
  readonly #leafKeyPem = keyPem(this.#leafKeys.privateKey);

  /**
   * Uses an authority that was made before.
   *
   * @throws {TypeError} if the certificate or the key cannot be read, or they do not belong together.
   */
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
      throw new TypeError(
        "The key of the certificate authority doesn't match its certificate.",
      );
    }
    this.certificate = certificate;
    this.notBefore = new Date(parsed.validFrom);
    this.notAfter = new Date(parsed.validTo);
    this.#name = parsed.subject.replace(/^CN=/, "");
  }

  /** The name that users see in their lists of authorities. */
  get name(): string {
    return this.#name;
  }

  /** True if it is time for a new authority: this one expires soon, or was made when the clock was ahead. */
  isOutdated(now: Date): boolean {
    return this.notAfter.getTime() - now.getTime() < RENEWAL_DAYS * DAY || now < this.notBefore;
  }

  /** A certificate for a host: a name or an IP address without brackets. */
  leaf(host: string, now: Date): LeafCertificate {
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
