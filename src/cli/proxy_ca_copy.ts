import { fileErrorSentence } from "../files/files.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { copyAt, exportCertificate } from "../proxy/export_certificate.ts";
import { CommandError } from "../run/command_error.ts";

/**
 * Writes the copy of the certificate for people.
 *
 * @returns why there is none, with the sentence for them; undefined if there is one.
 */
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

/**
 * Makes sure that people are not told to trust what somebody else put there.
 *
 * @throws {CommandError} if somebody did.
 */
export async function checkCaCopy(path: string): Promise<void> {
  const found = await copyAt(path).catch((error: unknown) => {
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
