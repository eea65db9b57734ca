import { AsnConvert } from "@peculiar/asn1-schema";
import {
  BasicConstraints,
  Certificate,
  id_ce_basicConstraints,
  id_ce_keyUsage,
  id_ce_subjectAltName,
} from "@peculiar/asn1-x509";
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { generateKeys, writeCertificate } from "../../src/proxy/certificates.ts";

const notBefore = new Date("2026-01-01T00:00:00Z");
const notAfter = new Date("2026-02-01T00:00:00Z");

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

Deno.test("usages of a certificate are critical, and an authority can't sign other authorities", () => {
  const { publicKey, privateKey } = generateKeys();
  const keys = { publicKey, signingKey: privateKey };
  const readExtensions = (host: string | undefined) => {
    const pem = writeCertificate({ name: "A name", ...keys, notBefore, notAfter, host });
    const { raw } = new X509Certificate(pem);
    return [...(AsnConvert.parse(raw, Certificate).tbsCertificate.extensions ?? [])];
  };
  for (const host of [undefined, "api.example"]) {
    const critical = readExtensions(host).filter(({ critical }) => critical);
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

Deno.test("a certificate is for a host name or an IP address, and dates may be in any year", () => {
  const { publicKey, privateKey } = generateKeys();
  const [early, late] = [new Date("2049-12-31T23:59:59Z"), new Date("2050-01-01T00:00:00Z")];
  const hosts = [
    ["api.example", "820b6170692e6578616d706c65"],
    ["127.0.0.1", "87047f000001"],
    ["::", `8710${"00".repeat(16)}`],
    ["fe80::", `8710fe80${"00".repeat(14)}`],
    ["2001:db8::17", `871020010db8${"00".repeat(11)}17`],
    ["::ffff:1.2.3.4", `8710${"00".repeat(10)}ffff01020304`],
  ] as const;
  for (const [host, expected] of hosts) {
    const { raw } = new X509Certificate(writeCertificate({
      name: "A name",
      publicKey,
      signingKey: privateKey,
      notBefore: early,
      notAfter: late,
      host,
    }));
    const { extensions = [], validity } = AsnConvert.parse(raw, Certificate).tbsCertificate;
    const names = [...extensions].find(({ extnID }) => extnID === id_ce_subjectAltName)?.extnValue;
    const hex = Array.from(
      new Uint8Array(names?.buffer ?? new ArrayBuffer(0)),
      (byte) => byte.toString(16).padStart(2, "0"),
    ).join("");
    assert.ok(hex.endsWith(expected), `${host}: ${hex}`);
    assert.deepEqual(
      [validity.notBefore.utcTime, validity.notAfter.generalTime],
      [early, late],
    );
  }
});
