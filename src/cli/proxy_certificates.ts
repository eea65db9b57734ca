import { X509Certificate } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rootCertificates } from "node:tls";
import { draftName } from "../files/draft_file.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { temporaryFolder } from "../files/temporary_folder.ts";
import { CommandError } from "../run/command_error.ts";
import { javaTrustStore } from "./java_trust_store.ts";

/** The files in which Linux distributions and BSDs keep the authorities that the system trusts. */
const SYSTEM_FILES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/** The default file for a copy of the certificate (`--export-ca` names another). */
export function defaultCaFile(platform: string): string {
  return platform === "win32" ? join(temporaryFolder(), "covtool-ca.pem") : "/tmp/covtool-ca.pem";
}

/** Files by which clients come to trust the proxy, in the private folder, where only this user can write. */
export interface CertificateFiles {
  /** The certificate of the proxy's authority. */
  readonly caFile: string;
  /** The certificate and all that the machine trusts, for clients that read only one file. */
  readonly bundleFile: string;
  /** The same for Java. */
  readonly javaFile: string;
}

/**
 * Writes them anew. They are called after the authority, so that no other proxy ever changes what they say.
 *
 * @param folder The private folder.
 * @param variables A file that SSL_CERT_FILE names is what the user has chosen to trust.
 */
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
  await replaceFile(files.javaFile, javaTrustStore([...derOf(certificate), ...derOf(trusted)]));
  return files;
}

/** Clients of another proxy may be reading it at this moment. */
async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = join(dirname(path), draftName());
  try {
    await writeFile(draft, content, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The certificates of a PEM file, without those that cannot be read: Java would read none of the file then. */
function derOf(pem: string): Uint8Array[] {
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
      // The next one may be there.
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
