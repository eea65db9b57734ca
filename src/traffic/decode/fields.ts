/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** True if a parsed value is an object: neither null nor a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
