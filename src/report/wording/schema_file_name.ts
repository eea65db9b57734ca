import { keywordsWith } from "../../values/keyword_table.ts";

/** Keywords that lead on within a schema: a file that begins with one is a schema as a whole. */
const LEADING: ReadonlySet<string> = new Set([
  ...keywordsWith(({ kind, dialects }) =>
    // Swagger's `definitions` are separate from its schemas, not within one.
    kind === "applicator" || (kind === "definitions" && !dialects.includes("Swagger 2.0"))
  ),
  "examples",
]);

/**
 * The name of a file that is a schema as a whole: `NewPet` for `models/NewPet.yaml#/properties/name`.
 *
 * @param path The schema path of a keyword, as reports have it.
 * @returns undefined if the path leads into the description itself, or to a schema that has a name within its file.
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
  const [, first = ""] = pointer.split("/", 2);
  if (pointer.lastIndexOf("/") > 0 && !LEADING.has(first)) return undefined;
  const file = path.slice(0, hash).split(/[?]/, 1).join("");
  return file.slice(file.lastIndexOf("/") + 1).replace(/(?:\.schema)?\.(?:ya?ml|json)$/i, "");
}
