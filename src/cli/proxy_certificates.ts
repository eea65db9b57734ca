import { access, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";

/** Where Linux distributions and BSDs keep the authorities that the system trusts. */
const SYSTEM_FILES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/** Where the certificate that clients have to trust is written unless `--export-ca` names a file. */
export function defaultCaFile(platform: string): string {
  return platform === "win32" ? join(tmpdir(), "covtool-ca.pem") : "/tmp/covtool-ca.pem";
}

/**
 * Writes a file with all authorities that the machine trusts and one more, for clients that know but one file.
 *
 * @param variables A file that SSL_CERT_FILE names is what the user has chosen to trust.
 */
export async function writeBundle(
  path: string,
  certificate: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const trusted = await readTrusted([variables["SSL_CERT_FILE"], ...SYSTEM_FILES], path);
  await writeFile(path, `${trusted.trimEnd()}\n${certificate}`);
}

async function readTrusted(
  candidates: readonly (string | undefined)[],
  own: string,
): Promise<string> {
  for (const candidate of candidates) {
    if (candidate === undefined || candidate === "" || candidate === own) continue;
    try {
      await access(candidate);
      return await readFile(candidate, "utf8");
    } catch {
      // The next one may be there.
    }
  }
  return rootCertificates.join("\n");
}
