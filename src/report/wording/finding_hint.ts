import type { Finding } from "../../map/results.ts";
import { keywordAdvice } from "./keyword_advice.ts";

/**
 * A sentence that says how to see a finding again, without any value of the traffic.
 *
 * @param value The keyword's value, as the page has it; null if unknown.
 *
 * @example
 * ```ts
 * import { findingHint } from "./finding_hint.ts";
 * import assert from "node:assert/strict";
 *
 * const finding = {
 *   kind: "keyword_not_enforced",
 *   method: "GET",
 *   path: "/books",
 *   location: "query",
 *   parameter: "limit",
 *   schema_path: "/paths/~1books/get/parameters/0/schema/maximum",
 *   count: 1,
 *   first_at: null,
 *   example: null,
 * } as const;
 * assert.equal(
 *   findingHint(finding, "100"),
 *   "To see it again, break only this rule. Send more than 100.",
 * );
 * ```
 */
export function findingHint(finding: Finding, value: string | null): string {
  switch (finding.kind) {
    case "server_error":
      return finding.valid > 0
        ? "To see it again, repeat the valid requests to this operation."
        : "To see it again, repeat the invalid requests, which should be refused with 4xx.";
    case "keyword_not_enforced": {
      const keyword = finding.schema_path.slice(finding.schema_path.lastIndexOf("/") + 1);
      return finding.missing === true
        ? `To see it again, leave out only ${
          finding.location === "body" ? "the body" : `${finding.location} ${finding.parameter}`
        }.`
        : `To see it again, break only this rule. ${keywordAdvice(keyword, value, "invalid")}`;
    }
    case "credentials_not_required":
      return "To see it again, leave out the credentials. An API that requires them answers 401 or 403.";
    case "valid_request_refused":
      return "To see it again, send a valid request. The API wants more than its description says.";
    case "undocumented_status":
      return `Document ${finding.status_code}, or let the API answer with another status.`;
    case "response_violates_schema":
      return finding.missing === true
        ? "Let the API send the header, or don't require it in the description."
        : "Let the API return what the description says, or describe what it returns.";
    case "undocumented_media_type":
      return "Document the media type, or let the API answer with one that is documented.";
    case "undocumented_body":
      if (finding.status_code !== undefined) {
        return "Document the body, or let the API answer without one.";
      }
      return "Document the media type, or send one that is documented.";
    case "never_succeeded":
      return "Send a valid request, with the credentials and data that it needs.";
  }
}
