import { isPrivateHeader } from "../../http/private_headers.ts";
import { Redactor } from "../../redact/redactor.ts";
import { type Fields, isFields } from "../decode/fields.ts";

const redactor = new Redactor();

/** Header fields as pairs of names and values. */
export type PublicHeaders = Record<string, string | readonly string[]>;

/**
 * The header fields of a log without those that say who sent the request: addresses, users, referrers, cookies. Of the
 * others, secrets are masked.
 *
 * @param value An object of names with a value or a list of values; undefined is given for anything else.
 *
 * @example
 * ```ts
 * import { publicHeaders } from "./public_headers.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(
 *   publicHeaders({ Accept: ["text/csv"], Cookie: ["sid=1"], "X-Real-IP": "10.0.0.1", "X-Api-Key": "k1" }),
 *   { Accept: "text/csv", "X-Api-Key": "a1" },
 * );
 * ```
 */
export function publicHeaders(value: unknown): PublicHeaders | undefined {
  if (!isFields(value)) return undefined;
  const headers: PublicHeaders = {};
  for (const [name, field] of Object.entries(value)) {
    const kept = publicHeader(name, field);
    if (kept !== undefined) headers[name] = kept;
  }
  return headers;
}

/** The value of one header field; undefined if it isn't kept. */
export function publicHeader(
  name: string,
  value: unknown,
): string | readonly string[] | undefined {
  if (isPrivateHeader(name)) return undefined;
  const values = (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
    typeof item === "string" || typeof item === "number"
      ? [redactor.header(name, String(item))]
      : []
  );
  const [first] = values;
  return values.length > 1 ? values : first;
}

/** The value of a header field, whatever the case of its name; undefined if there is none. */
export function headerOf(headers: unknown, name: string): string | undefined {
  if (!isFields(headers as Fields)) return undefined;
  for (const [key, value] of Object.entries(headers as Fields)) {
    if (key.toLowerCase() !== name) continue;
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === "string" && first !== "") return first;
  }
  return undefined;
}
