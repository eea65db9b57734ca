import { isFields } from "../decode/fields.ts";
import type { Problems } from "../formats/problems.ts";

/** Header fields by name. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[]>>;

/**
 * Header fields as cassettes have them: an object of names with a value or a list of values. Empty, and a problem, for
 * anything else.
 *
 * @example
 * ```ts
 * import { Problems } from "../formats/problems.ts";
 * import { cassetteHeaders } from "./cassette_headers.ts";
 * import assert from "node:assert/strict";
 *
 * const problems = new Problems("cassette.yml");
 * const headers = { Age: [3], "Set-Cookie": ["a=1", "b=2"], ":status": "200" };
 * assert.deepEqual(cassetteHeaders(headers, "interactions[0]", problems), {
 *   Age: "3",
 *   "Set-Cookie": ["a=1", "b=2"],
 * });
 * ```
 */
export function cassetteHeaders(value: unknown, place: string, problems: Problems): HeaderRecord {
  if (value === null || value === undefined) return {};
  if (!isFields(value)) {
    problems.add("headers that are not an object of names and values are ignored", place);
    return {};
  }
  const headers: [string, string | readonly string[]][] = [];
  for (const [name, field] of Object.entries(value)) {
    // HTTP/2 has the method and the URL among its headers.
    if (name.startsWith(":") || field === null || field === undefined) continue;
    const texts = (Array.isArray(field) ? field : [field]).map(headerText);
    if (texts.every((text) => text !== undefined)) {
      const [only = ""] = texts;
      headers.push([name, texts.length === 1 ? only : texts]);
    } else problems.add("a header whose value is not text is ignored", place);
  }
  return Object.fromEntries(headers);
}

function headerText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined;
}
