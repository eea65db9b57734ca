import { keywordTable } from "../../values/keyword_table.ts";
import { escapeToken, pointerTokens } from "../../values/json_pointer.ts";

/**
 * The part of a value that a schema applies to, derived from the schema's pointer: the names of properties and the
 * places of items, without the keywords that apply schemas in place. Two schemas of one parameter with the same path
 * check the same values, wherever they are written.
 *
 * @example
 * ```ts
 * import { instancePath } from "./instance_path.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(instancePath("/allOf/1/properties/author/properties/name"), ".author.name");
 * assert.equal(instancePath("/properties/tags/items"), ".tags/items");
 * ```
 */
export function instancePath(pointer: string): string {
  const tokens = pointerTokens(pointer);
  let path = "";
  for (let index = 0; index < tokens.length; index++) {
    const keyword = tokens[index] as string; // within its bounds
    const facts = keywordTable.get(keyword);
    if (facts?.kind !== "applicator") return path; // an example's place
    const key = tokens[index + 1];
    const isKeyed = key !== undefined && (facts.holds?.includes("schemas_by_name") === true ||
      (facts.holds?.includes("schema_list") === true && /^\d+$/.test(key)));
    if (isKeyed) index++;
    if (facts.relation === "in_place") continue;
    path += keyword === "properties"
      ? `.${escapeToken(key ?? "")}`
      : `/${keyword}${isKeyed ? `/${escapeToken(key)}` : ""}`;
  }
  return path;
}
