/** The dates between which a certificate is good, as `getPeerCertificate()` gives them. */
export interface CertificateDates {
  readonly valid_from?: string | undefined;
  readonly valid_to?: string | undefined;
}

/** True if an error may stand for a certificate that has expired: Deno says that it cannot verify it, and no more. */
export function isUnclear(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
}

/** The error that Node.js would give; undefined if the dates are not what is wrong. */
export function dateError(
  { valid_from, valid_to }: CertificateDates,
  now: number,
): Error | undefined {
  if (valid_to !== undefined && Date.parse(valid_to) < now) {
    return Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
  }
  if (valid_from !== undefined && Date.parse(valid_from) > now) {
    const error = new Error("certificate is not yet valid");
    return Object.assign(error, { code: "CERT_NOT_YET_VALID" });
  }
  return undefined;
}
