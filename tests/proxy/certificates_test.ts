import { AsnConvert } from "@peculiar/asn1-schema";
import {
  BasicConstraints,
  Certificate,
  id_ce_basicConstraints,
  id_ce_keyUsage,
} from "@peculiar/asn1-x509";
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { generateKeys, writeCertificate } from "../../src/proxy/certificates.ts";

const notBefore = new Date("2026-01-01T00:00:00Z");
const notAfter = new Date("2026-02-01T00:00:00Z");

Deno.test("writeCertificate() makes an authority, and leaves for names and addresses", () => {
  const root = generateKeys();
  const leaf = generateKeys();
  const authority = new X509Certificate(writeCertificate({
    name: "An authority",
    publicKey: root.publicKey,
    signingKey: root.privateKey,
    notBefore,
    notAfter,
  }));
  assert.ok(authority.ca && authority.verify(root.publicKey));
  for (
    const [host, alternative] of [["api.example", "DNS:"], ["127.0.0.1", "IP Address:"]] as const
  ) {
    const certificate = new X509Certificate(writeCertificate({
      name: host,
      publicKey: leaf.publicKey,
      issuer: { name: "An authority", publicKey: root.publicKey },
      signingKey: root.privateKey,
      notBefore,
      notAfter,
      host,
    }));
    assert.equal(certificate.subjectAltName, `${alternative}${host}`);
    assert.ok(!certificate.ca && certificate.checkIssued(authority));
    assert.equal(Date.parse(certificate.validTo), notAfter.getTime());
  }
});

Deno.test("a common name has at most 64 characters, and serial numbers are positive and unique", () => {
  const { publicKey, privateKey } = generateKeys();
  const make = (): X509Certificate =>
    new X509Certificate(writeCertificate({
      name: "n".repeat(99),
      publicKey,
      signingKey: privateKey,
      notBefore,
      notAfter,
    }));
  const [one, other] = [make(), make()];
  assert.equal(one.subject, `CN=${"n".repeat(64)}`);
  assert.match(one.serialNumber, /^[4-7][0-9A-F]{31}$/);
  assert.notEqual(one.serialNumber, other.serialNumber);
});

Deno.test("what a certificate may be used for is critical, and an authority signs no other authority", () => {
  const { publicKey, privateKey } = generateKeys();
  const keys = { publicKey, signingKey: privateKey };
  const extensionsOf = (host: string | undefined) => {
    const pem = writeCertificate({ name: "A name", ...keys, notBefore, notAfter, host });
    const { raw } = new X509Certificate(pem);
    return [...(AsnConvert.parse(raw, Certificate).tbsCertificate.extensions ?? [])];
  };
  for (const host of [undefined, "api.example"]) {
    const critical = extensionsOf(host).filter(({ critical }) => critical);
    assert.deepEqual(
      critical.map(({ extnID }) => extnID),
      [id_ce_basicConstraints, id_ce_keyUsage],
    );
    const value = critical[0]?.extnValue ?? new ArrayBuffer(0);
    const constraints = AsnConvert.parse(value, BasicConstraints);
    assert.equal(constraints.cA, host === undefined);
    assert.equal(constraints.pathLenConstraint, host === undefined ? 0 : undefined);
  }
});
