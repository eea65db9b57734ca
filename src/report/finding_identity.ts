import type { Finding } from "../map/results.ts";

/**
 * A text that tells findings apart, and stays the same however often they are seen.
 *
 * @example
 * ```ts
 * import { findingIdentity } from "./finding_identity.ts";
 * import assert from "node:assert/strict";
 *
 * const finding = {
 *   kind: "never_succeeded",
 *   method: "GET",
 *   path: "/books",
 *   count: 2,
 *   first_at: null,
 *   example: null,
 * } as const;
 * assert.equal(findingIdentity(finding), findingIdentity({ ...finding, count: 3 }));
 * ```
 */
export function findingIdentity(finding: Finding): string {
  const { kind, method, path } = finding;
  return JSON.stringify([kind, method, path, ...detailsOf(finding)]);
}

function detailsOf(finding: Finding): readonly string[] {
  switch (finding.kind) {
    case "keyword_not_enforced":
      return [finding.location, finding.parameter, finding.schema_path];
    case "response_violates_schema": {
      const { status_code, media_type = "", header = "", schema_path } = finding;
      return [status_code, media_type, header, schema_path];
    }
    case "undocumented_media_type":
      return [finding.status_code, finding.media_type];
    case "undocumented_body":
      return finding.status_code === undefined
        ? [finding.media_type]
        : [finding.status_code, finding.media_type];
    case "credentials_not_required":
    case "never_succeeded":
      return [];
    default:
      return [finding.status_code];
  }
}
