import type { Finding, Gap } from "../map/results.ts";

/** A text that tells findings apart, and stays the same however often they are seen. */
export function findingIdentity(finding: Finding): string {
  const { kind, method, path } = finding;
  return JSON.stringify([kind, method, path, ...findingDetails(finding)]);
}

function findingDetails(finding: Finding): readonly string[] {
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
    case "allowed_unexpectedly":
    case "refused_unexpectedly":
      return [finding.identity, finding.foreign_object ?? ""];
    case "credentials_not_required":
    case "never_succeeded":
      return [];
    default:
      return [finding.status_code];
  }
}

/** The identity of a gap: different for every gap of a report, and the same in each report of the description. */
export function gapIdentity(gap: Gap): string {
  const { kind, method, path } = gap;
  const rest = (["status_code", "location", "parameter", "schema_path", "state"] as const)
    .flatMap((name) => (gap as Partial<Record<typeof name, string>>)[name] ?? []);
  return JSON.stringify([kind, method, path, ...rest]);
}
