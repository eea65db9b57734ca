import { createHash, X509Certificate } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rootCertificates } from "node:tls";
import { fileErrorSentence } from "../files/files.ts";
import { temporaryFolder } from "../files/make_temporary_folder.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { draftName } from "../files/write_new_file.ts";
import { exportCertificate, readCertificateCopy } from "../proxy/client_trust.ts";
import { CommandError } from "../run/command_error.ts";
import { concatBytes } from "../values/collections.ts";

/** The files in which Linux distributions and BSDs store the certificate authorities that the system trusts. */
const SYSTEM_FILES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

export function defaultCaFile(platform: string): string {
  return platform === "win32" ? join(temporaryFolder(), "covtool-ca.pem") : "/tmp/covtool-ca.pem";
}

/** The files that make clients trust the proxy, in a private folder that only this user can write to. */
export interface CertificateFiles {
  readonly caFile: string;
  /** The certificate and all authorities that the machine trusts, for clients that read a single file. */
  readonly bundleFile: string;
  readonly javaFile: string;
}

/** Writes the files, with the authority's serial number in their names so that other proxies don't overwrite them. */
export async function writeCertificates(
  folder: string,
  certificate: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<CertificateFiles> {
  const name = join(folder, `ca-${new X509Certificate(certificate).serialNumber.slice(0, 8)}`);
  const bundleFile = `${name}-bundle.pem`;
  const trusted = await readTrusted([variables["SSL_CERT_FILE"], ...SYSTEM_FILES], bundleFile);
  const files = { caFile: `${name}.pem`, bundleFile, javaFile: `${name}.jks` };
  await replaceFile(files.caFile, certificate);
  await replaceFile(bundleFile, `${trusted.trimEnd()}\n${certificate}`);
  await replaceFile(files.javaFile, javaTrustStore([...readDer(certificate), ...readDer(trusted)]));
  return files;
}

/** Replaces a file atomically, because clients of another proxy may be reading it. */
async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = join(dirname(path), draftName());
  try {
    await writeFile(draft, content, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the readable certificates of a PEM file. With an unreadable one, Java would reject the whole trust store. */
function readDer(pem: string): Uint8Array[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [])
    .flatMap((text) => {
      try {
        return [new X509Certificate(text).raw];
      } catch {
        return [];
      }
    });
}

async function readTrusted(
  candidates: readonly (string | undefined)[],
  own: string,
): Promise<string> {
  let isDenied = false;
  for (const candidate of candidates) {
    if (candidate === undefined || candidate === "" || candidate === own) continue;
    try {
      return await readFile(candidate, "utf8");
    } catch (error) {
      // Another candidate may be readable.
      isDenied ||= missingPermission(error) !== undefined;
    }
  }
  try {
    return rootCertificates.join("\n");
  } catch (error) {
    if (missingPermission(error) === undefined) throw error;
    throw new CommandError(
      `Deno doesn't permit reading the certificates that this machine trusts, which clients of the proxy need: add ${
        isDenied ? "--allow-read=/etc/ssl,/etc/pki or --allow-sys" : "--allow-sys"
      } to its options.`,
      error,
    );
  }
}

export async function writeCaCopy(
  path: string,
  certificate: string,
): Promise<CommandError | undefined> {
  try {
    return await exportCertificate(path, certificate) ? undefined : foreign(path);
  } catch (error) {
    const sentence = `Cannot write the certificate to ${path}: ${fileErrorSentence(error)}`;
    return new CommandError(`${sentence} Choose another file with --export-ca.`, error);
  }
}

/** Throws if the file isn't covtool's, so that users aren't told to trust somebody else's certificate. */
export async function checkCaCopy(path: string): Promise<void> {
  const found = await readCertificateCopy(path).catch((error: unknown) => {
    if (missingPermission(error) !== undefined) throw error;
    return "foreign";
  });
  if (found === "foreign") throw foreign(path);
}

function foreign(path: string): CommandError {
  return new CommandError(
    `${path} is not a certificate that covtool wrote for you, so it was not replaced. Don't trust it. Choose another file with --export-ca.`,
  );
}

export function proxyCaHelp(caFile: string): string {
  return `To read HTTPS, the proxy presents certificates issued by its own certificate
authority, whose certificate is written to ${caFile}
when the proxy starts. Its key never leaves your data folder.

  covtool proxy openapi.yaml -- npm test     sets all variables for one command

curl       CURL_CA_BUNDLE=${caFile}
           or curl --cacert ${caFile} …
Node.js    NODE_EXTRA_CA_CERTS=${caFile}
Deno       DENO_CERT=${caFile}
Python     REQUESTS_CA_BUNDLE=${caFile} (requests)
           SSL_CERT_FILE=${caFile} (httpx, urllib)
Java       keytool -importcert -noprompt -alias covtool \\
             -file ${caFile} -keystore covtool.p12 -storepass covtool
           java -Djavax.net.ssl.trustStore=covtool.p12 \\
             -Djavax.net.ssl.trustStorePassword=covtool …
Chromium   Linux: certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n covtool \\
             -i ${caFile}
           macOS and Windows: see System below
Firefox    Settings, Privacy & Security, View Certificates, Authorities, Import
System     Debian, Ubuntu: sudo cp ${caFile} \\
             /usr/local/share/ca-certificates/covtool.crt &&
             sudo update-ca-certificates
           Fedora: sudo trust anchor ${caFile}
           macOS: security add-trusted-cert \\
             -k ~/Library/Keychains/login.keychain-db ${caFile}
           Windows: certutil -user -addstore Root ${caFile}

CURL_CA_BUNDLE, REQUESTS_CA_BUNDLE and SSL_CERT_FILE replace the certificates
that the system trusts. To reach servers that the proxy doesn't intercept, use a
file that contains both.
`;
}

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const TRUSTED_CERTIFICATE = 2;
/** Protects the integrity of the trust store. Java's default password, which most programs try. */
const PASSWORD = "changeit";

/** Returns a Java trust store with the certificates, in the format that every version of Java reads (JKS). */
export function javaTrustStore(certificates: readonly Uint8Array[]): Uint8Array {
  const parts = [uint32(MAGIC), uint32(VERSION), uint32(certificates.length)];
  for (const [index, certificate] of certificates.entries()) {
    // The creation date is 0, so that equal certificates give equal files.
    parts.push(uint32(TRUSTED_CERTIFICATE), text(`covtool-${index}`), uint32(0), uint32(0));
    parts.push(text("X.509"), uint32(certificate.length), certificate);
  }
  const body = concatBytes(parts);
  const digest = createHash("sha1");
  for (const unit of PASSWORD) digest.update(Uint8Array.of(0, unit.charCodeAt(0)));
  digest.update("Mighty Aphrodite");
  digest.update(body);
  return concatBytes([body, digest.digest()]);
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return concatBytes([Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes]);
}
