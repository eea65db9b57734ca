import { Buffer } from "node:buffer";
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { latin1Bytes } from "../http/body_text.ts";
import { concatBytes } from "../values/collections.ts";

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface CertificateRequest {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The certificate authority that signs; without one the certificate is an authority that signs itself. */
  readonly issuer?: { readonly name: string; readonly publicKey: KeyObject } | undefined;
  readonly signingKey: KeyObject;
  /** The host that the certificate is for, a name or an IP address without brackets; absent for an authority. */
  readonly host?: string | undefined;
}

/** RFC 5280 allows 64 characters in a common name. */
const MAX_NAME_LENGTH = 64;
/** The bytes of a point of P-256, with which a public key ends. */
const POINT_LENGTH = 65;

/** Tags of DER (X.690); those of a structure's own members, `[0]`, begin at 0x80, and at 0xa0 around other values. */
const [BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, IDENTIFIER, TEXT] = [1, 2, 3, 4, 6, 12] as const;
const [UTC_TIME, GENERALIZED_TIME, SEQUENCE, SET] = [0x17, 0x18, 0x30, 0x31] as const;

/** 2.5.4.3, which is id-at-commonName. */
const COMMON_NAME = der(IDENTIFIER, [0x55, 4, 3]);
/** 1.2.840.10045.4.3.2 */
const ECDSA_WITH_SHA256 = der(SEQUENCE, der(IDENTIFIER, [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]));
/** 1.3.6.1.5.5.7.3.1, which is id-kp-serverAuth. */
const SERVER_AUTH = der(IDENTIFIER, [0x2b, 6, 1, 5, 5, 7, 3, 1]);

/** A new key pair on the curve P-256, which every client knows. */
export function generateKeys(): KeyPair {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** Makes and signs a certificate (X.509 version 3, RFC 5280, section 4.1), as PEM. */
export function writeCertificate(request: CertificateRequest): string {
  const { name, publicKey, issuer = { name, publicKey }, notBefore, notAfter, host } = request;
  const [key, issuerKey] = [keyInfo(publicKey), keyInfo(issuer.publicKey)];
  const extensions = host === undefined
    ? authorityExtensions(key)
    : leafExtensions(host, key, issuerKey);
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, [2])), // version 3
    der(INTEGER, serialNumber()),
    ECDSA_WITH_SHA256,
    commonName(issuer.name),
    der(SEQUENCE, time(notBefore), time(notAfter)),
    commonName(name),
    key,
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const signature = der(BIT_STRING, [0], sign("sha256", content, request.signingKey));
  return pem(der(SEQUENCE, content, ECDSA_WITH_SHA256, signature));
}

function authorityExtensions(key: Uint8Array): Uint8Array[] {
  return [
    // It signs servers, never another authority: there is none on the way to them.
    extension(BASIC_CONSTRAINTS, der(SEQUENCE, der(BOOLEAN, [0xff]), der(INTEGER, [0])), true),
    extension(KEY_USAGE, der(BIT_STRING, [1, 0b110]), true), // keyCertSign, cRLSign
    extension(SUBJECT_KEY, der(OCTET_STRING, keyIdentifier(key))),
  ];
}

function leafExtensions(host: string, key: Uint8Array, issuerKey: Uint8Array): Uint8Array[] {
  const name = isIP(host) === 0 ? der(0x82, latin1Bytes(host)) : der(0x87, addressBytes(host));
  return [
    extension(BASIC_CONSTRAINTS, der(SEQUENCE), true),
    extension(KEY_USAGE, der(BIT_STRING, [7, 0x80]), true), // digitalSignature
    extension(EXTENDED_KEY_USAGE, der(SEQUENCE, SERVER_AUTH)),
    extension(SUBJECT_NAME, der(SEQUENCE, name)),
    extension(SUBJECT_KEY, der(OCTET_STRING, keyIdentifier(key))),
    extension(AUTHORITY_KEY, der(SEQUENCE, der(0x80, keyIdentifier(issuerKey)))),
  ];
}

/** The last number of the identifiers of extensions (section 4.2.1), which begin with 2.5.29. */
const [SUBJECT_KEY, KEY_USAGE, SUBJECT_NAME, BASIC_CONSTRAINTS] = [14, 15, 17, 19] as const;
const [AUTHORITY_KEY, EXTENDED_KEY_USAGE] = [35, 37] as const;

function extension(number: number, value: Uint8Array, critical = false): Uint8Array {
  const flag = critical ? [der(BOOLEAN, [0xff])] : [];
  return der(SEQUENCE, der(IDENTIFIER, [0x55, 0x1d, number]), ...flag, der(OCTET_STRING, value));
}

/** A value of DER: its tag, the length of its content, and the content; no certificate has 64 KiB. */
function der(tag: number, ...content: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const bytes = concatBytes(content.map((part) => Uint8Array.from(part)));
  const { length } = bytes;
  const size = length < 0x80
    ? [length]
    : length < 0x100
    ? [0x81, length]
    : [0x82, length >> 8, length & 0xff];
  return Uint8Array.of(tag, ...size, ...bytes);
}

function commonName(name: string): Uint8Array {
  const text = new TextEncoder().encode(name.slice(0, MAX_NAME_LENGTH));
  return der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(TEXT, text))));
}

/** A time as section 4.1.2.5 has it: up to 2049 with two digits of the year. */
function time(date: Date): Uint8Array {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, "");
  return date.getUTCFullYear() < 2050
    ? der(UTC_TIME, latin1Bytes(digits.slice(2)))
    : der(GENERALIZED_TIME, latin1Bytes(digits));
}

function addressBytes(address: string): Uint8Array {
  if (isIP(address) === 4) return Uint8Array.from(address.split("."), Number);
  // The platform knows all ways to write one, and gives the shortest, with `::` for the most zeros.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const groups = short.replace(/^(?=::)|(?<=::)$/g, "0").split("::").map((part) => part.split(":"));
  const zeros = new Array<string>(8 - groups.flat().length).fill("0");
  const all = [...groups[0] ?? [], ...zeros, ...groups[1] ?? []];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

function keyInfo(key: KeyObject): Uint8Array {
  return key.export({ type: "spki", format: "der" });
}

/** The first method of section 4.2.1.2. */
function keyIdentifier(key: Uint8Array): Uint8Array {
  return createHash("sha1").update(key.subarray(-POINT_LENGTH)).digest();
}

/** 126 random bits; the first byte makes it positive and as short as it can be written. */
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function pem(der: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...der)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
