import type { Finding, Gap } from "../map/results.ts";

/** The fields that distinguish findings or gaps of one kind at one operation. */
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
 * Returns a text that identifies a finding or a gap of a dimension, independent of counts and equal in all reports of
 * the description.
 */
export function resultIdentity(result: Finding | Gap): string {
  const { kind, method, path } = result;
  const details = result as Partial<Record<typeof NAMES[number], string>>;
  return JSON.stringify([kind, method, path, ...NAMES.flatMap((name) => details[name] ?? [])]);
}
