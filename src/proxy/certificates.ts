import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from "@peculiar/asn1-x509";
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

export interface CertificateRequest {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The authority that signs; undefined for an authority's own certificate, which is self-signed. */
  readonly issuer?: { readonly name: string; readonly publicKey: KeyObject } | undefined;
  readonly signingKey: KeyObject;
  /** The host that the certificate is for, a name or an IP address without brackets; undefined for an authority. */
  readonly host?: string | undefined;
}

const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
/** Maximum length of a common name (RFC 5280). */
const MAX_NAME_LENGTH = 64;

/** Generates a key pair on the curve P-256, which all clients support. */
export function generateKeys(): Record<"privateKey" | "publicKey", KeyObject> {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** Creates and signs a certificate (X.509 version 3, RFC 5280). Returns it as PEM. */
export function writeCertificate(request: CertificateRequest): string {
  const subjectKey = keyInfo(request.publicKey);
  const issuerKey = request.issuer === undefined ? subjectKey : keyInfo(request.issuer.publicKey);
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const content = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer: commonName(request.issuer?.name ?? request.name),
    subject: commonName(request.name),
    validity: new Validity({ notBefore: request.notBefore, notAfter: request.notAfter }),
    subjectPublicKeyInfo: subjectKey,
    extensions: new Extensions(
      request.host === undefined
        ? authorityExtensions(subjectKey)
        : leafExtensions(request.host, subjectKey, issuerKey),
    ),
  });
  const signature = sign(
    "sha256",
    new Uint8Array(AsnConvert.serialize(content)),
    request.signingKey,
  );
  const certificate = new Certificate({
    tbsCertificate: content,
    signatureAlgorithm: algorithm,
    signatureValue: toArrayBuffer(signature),
  });
  return certificatePem(new Uint8Array(AsnConvert.serialize(certificate)));
}

function authorityExtensions(key: SubjectPublicKeyInfo): Extension[] {
  return [
    // The authority may sign certificates of servers, but no other authorities.
    extension(
      id_ce_basicConstraints,
      new BasicConstraints({ cA: true, pathLenConstraint: 0 }),
      true,
    ),
    extension(
      id_ce_keyUsage,
      new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign),
      true,
    ),
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(key))),
  ];
}

function leafExtensions(
  host: string,
  key: SubjectPublicKeyInfo,
  issuerKey: SubjectPublicKeyInfo,
): Extension[] {
  const version = isIP(host);
  // The library misreads IPv6 addresses that end in IPv4 notation (`::ffff:1.2.3.4`); `URL` rewrites them.
  const address = version === 6 ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host;
  const name = version === 0
    ? new GeneralName({ dNSName: host })
    : new GeneralName({ iPAddress: address });
  return [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
    extension(id_ce_subjectAltName, new SubjectAlternativeName([name])),
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(key))),
    extension(
      id_ce_authorityKeyIdentifier,
      new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdentifier(issuerKey)) }),
    ),
  ];
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({
    extnID,
    critical,
    extnValue: new OctetString(AsnConvert.serialize(value)),
  });
}

function commonName(name: string): Name {
  return new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({
        type: COMMON_NAME,
        value: new AttributeValue({ utf8String: name.slice(0, MAX_NAME_LENGTH) }),
      }),
    ]),
  ]);
}

function keyInfo(key: KeyObject): SubjectPublicKeyInfo {
  return AsnConvert.parse(key.export({ type: "spki", format: "der" }), SubjectPublicKeyInfo);
}

/** Returns the key identifier by the first method of RFC 5280, section 4.2.1.2. */
function keyIdentifier(key: SubjectPublicKeyInfo): ArrayBuffer {
  return toArrayBuffer(createHash("sha1").update(new Uint8Array(key.subjectPublicKey)).digest());
}

/** Returns 126 random bits. The first byte makes the number positive and its encoding minimal. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return toArrayBuffer(bytes);
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function certificatePem(der: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...der)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
