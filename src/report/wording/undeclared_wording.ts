import type { ReportUndocumentedProperty } from "../report.ts";
import { formatAmount } from "./amounts.ts";

/**
 * An undocumented property as a sentence without its operation.
 *
 * @example
 * ```ts
 * import { undeclaredWording } from "./undeclared_wording.ts";
 * import assert from "node:assert/strict";
 *
 * const property = {
 *   method: "GET",
 *   path: "/books",
 *   status_code: "200",
 *   media_type: "application/json",
 *   property: "/0/isbn",
 *   count: 2,
 *   first_at: null,
 * };
 * assert.equal(undeclaredWording(property), "/0/isbn came in 2 responses with 200.");
 * ```
 */
export function undeclaredWording(
  { property, count, status_code }: ReportUndocumentedProperty,
): string {
  return `${property} came in ${formatAmount(count, "response")} with ${status_code}.`;
}
