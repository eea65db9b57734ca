/** The possible first tokens of a document that is a schema itself. */
const SCHEMA_TOKENS = new Set([
  ...["properties", "patternProperties", "additionalProperties", "items", "prefixItems"],
  ...["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "type", "required", "enum"],
  ...["content", "schema", "parameters", "responses", "requestBody", "get", "post", "put"],
  ...["patch", "delete", "head", "options", "trace", "query", "examples", "example", "default"],
]);

/** Tables of Swagger 2.0 and of JSON Schema at the root of a document. */
const TABLES = new Set(["definitions", "$defs", "parameters", "responses", "schemas"]);

/**
 * The schema path of the part of a description that something belongs to when it is shown: the operation that holds it,
 * else the component, the parameter of a path item, the entry of a file of schemas, or a whole file.
 *
 * @param path The schema path of a keyword, parameter, example or response.
 * @param operations The schema paths of all operations.
 *
 * @example
 * ```ts
 * import { regionPath } from "./region_path.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(regionPath("/components/schemas/User/type", new Set()), "/components/schemas/User");
 * assert.equal(regionPath("user.yaml#/properties/name/type", new Set()), "user.yaml#");
 * ```
 */
export function regionPath(path: string, operations: ReadonlySet<string>): string {
  const start = path.startsWith("/") ? 0 : path.indexOf("#") + 1;
  const ends: number[] = [];
  for (let at = path.indexOf("/", start); at >= 0 && ends.length < 6;) {
    const next = path.indexOf("/", at + 1);
    const end = next < 0 ? path.length : next;
    if (operations.has(path.slice(0, end))) return path.slice(0, end);
    ends.push(end);
    at = next;
  }
  const upTo = (tokens: number): string => path.slice(0, ends[tokens - 1] ?? path.length);
  const first = path.slice(start + 1, ends[0]);
  const inEntry = start === 0;
  if (first === "components") return upTo(3);
  if (first === "paths") return upTo(4);
  if (TABLES.has(first) && (inEntry || ends.length > 2)) return upTo(2);
  if (inEntry) return upTo(1);
  return SCHEMA_TOKENS.has(first) ? path.slice(0, start) : upTo(1);
}
