import type { Finding, Gap } from "../map/results.ts";

/** What tells findings of a kind at an operation apart, and gaps. */
const NAMES = [
  "status_code",
  "media_type",
  "header",
  "location",
  "parameter",
  "schema_path",
  "state",
  "identity",
  "foreign_object",
] as const;

/**
 * A text that tells findings apart, and gaps of dimensions; the same however often they are seen, and in each report of
 * the description.
 */
export function resultIdentity(result: Finding | Gap): string {
  const { kind, method, path } = result;
  const details = result as Partial<Record<typeof NAMES[number], string>>;
  return JSON.stringify([kind, method, path, ...NAMES.flatMap((name) => details[name] ?? [])]);
}
