import type { CredentialCounts } from "../../map/results.ts";
import type { ReportOperation } from "../report.ts";
import { formatAmount, formatNumber, sentenceList } from "./amounts.ts";

/**
 * The number of operations that refused requests without the credentials that they need; undefined where traffic doesn't
 * tell of any.
 *
 * @example
 * ```ts
 * import { credentialsText } from "./credentials_text.ts";
 * import assert from "node:assert/strict";
 *
 * const credentials = {
 *   with_credentials_succeeded: 4,
 *   without_credentials_refused: 1,
 *   without_credentials_succeeded: 0,
 *   without_credentials_unknown: 0,
 * };
 * assert.equal(
 *   credentialsText([{ credentials }, {}]),
 *   "1 of 1 operation that was called and needs credentials refused a request without",
 * );
 * ```
 */
export function credentialsText(
  operations: readonly Pick<ReportOperation, "credentials" | "excluded">[],
): string | undefined {
  const counts = operations.flatMap(({ credentials, excluded }) =>
    credentials === undefined || excluded !== undefined ? [] : [credentials]
  );
  const refused = counts.filter((one) => one.without_credentials_refused > 0).length;
  const open = counts.filter((one) => one.without_credentials_succeeded > 0).length;
  if (refused + open === 0) return undefined;
  const need = counts.length === 1
    ? "operation that was called and needs credentials"
    : "operations that were called and need credentials";
  return `${formatNumber(refused)} of ${
    formatNumber(counts.length)
  } ${need} refused a request without${
    open === 0 ? "" : `, ${formatNumber(open)} answered one with 2xx`
  }`;
}

/** The requests of one operation with and without credentials, as a sentence; empty where there were none. */
export function operationCredentialsText(counts: CredentialCounts): string {
  const parts: string[] = [];
  const add = (count: number, text: string): void => {
    if (count > 0) parts.push(`${formatAmount(count, "request")} ${text}`);
  };
  add(counts.with_credentials_succeeded, "with credentials succeeded");
  add(
    counts.without_credentials_refused,
    counts.without_credentials_refused === 1 ? "without was refused" : "without were refused",
  );
  add(counts.without_credentials_succeeded, "without succeeded");
  add(
    counts.without_credentials_unknown,
    counts.without_credentials_unknown === 1
      ? "without proves nothing, because its recording shows no credentials"
      : "without prove nothing, because their recordings show no credentials",
  );
  return parts.length === 0 ? "" : `${sentenceList(parts, "and")}.`;
}
