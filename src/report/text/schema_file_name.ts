/** What leads on within a schema: a file that begins with it is a schema as a whole. */
const APPLICATOR =
  /^\/(?:(?:pattern|additional|unevaluated)?properties|propertyNames|(?:prefix|additional|unevaluated)?items|contains|dependent(?:Schemas|Required)|dependencies|allOf|anyOf|oneOf|not|if|then|else|\$defs|examples)\//i;

/**
 * The name of a file that is a schema as a whole: `NewPet` for `models/NewPet.yaml#/properties/name`.
 *
 * @param path The schema path of a keyword, as reports have it.
 * @returns undefined where the path leads into the description itself, or to a schema that has a name within its file.
 *
 * @example
 * ```ts
 * import { schemaFileName } from "./schema_file_name.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(schemaFileName("models/NewPet.schema.json#/type"), "NewPet");
 * assert.equal(schemaFileName("models.yaml#/NewPet/type"), undefined);
 * ```
 */
export function schemaFileName(path: string): string | undefined {
  const hash = path.startsWith("/") ? -1 : path.indexOf("#");
  if (hash < 0) return undefined;
  const pointer = path.slice(hash + 1);
  // A keyword has a schema around it: with one token left, that is the file.
  if (pointer.lastIndexOf("/") > 0 && !APPLICATOR.test(pointer)) return undefined;
  const file = path.slice(0, hash).split(/[?]/, 1).join("");
  return file.slice(file.lastIndexOf("/") + 1).replace(/(?:\.schema)?\.(?:ya?ml|json)$/i, "");
}
