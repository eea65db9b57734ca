import { type KeywordContent, keywordsWith } from "../values/keyword_table.ts";
import { isObject, type SchemaNode } from "./schema_node.ts";

function inPlaceKeywords(content: KeywordContent): readonly string[] {
  return keywordsWith(({ relation, holds }) => relation === "in_place" && holds?.[0] === content);
}

/** The keywords that apply a list of schemas to the same instance, such as `allOf`. */
export const IN_PLACE_LISTS: readonly string[] = inPlaceKeywords("schema_list");

/** The keywords that apply schemas by name to the same instance, such as `dependentSchemas`. */
const IN_PLACE_MAPS: readonly string[] = inPlaceKeywords("schemas_by_name");

/** The keywords whose schemas must all match: `allOf`. */
export const ALL_OF: readonly string[] = keywordsWith(({ matches }) => matches === "all");

/** The keywords with alternatives, at least one of which must match: `anyOf` and `oneOf`. */
export const ANY_OF: readonly string[] = keywordsWith(({ matches }) => matches === "any");

export function memberSchemas(node: SchemaNode, keyword: string): SchemaNode[] {
  const value = node.schema[keyword];
  if (!node.dialect.keywords.has(keyword) || !Array.isArray(value)) return [];
  const members: SchemaNode[] = [];
  for (let index = 0; index < value.length; index++) {
    const member = node.member(keyword, String(index), value[index], true);
    if (typeof member === "object") members.push(member);
  }
  return members;
}

/** Returns the conditional schemas: `if`, `then`, `else`, and those that the presence of a property requires. */
export function conditionalSchemas(node: SchemaNode): SchemaNode[] {
  const { schema, dialect: { keywords } } = node;
  const branches: SchemaNode[] = [];
  if (keywords.has("if") && Object.hasOwn(schema, "if")) { // Without `if`, the others have no effect.
    for (const keyword of ["if", "then", "else"]) {
      const child = node.child(keyword, true);
      if (typeof child === "object") branches.push(child);
    }
  }
  for (const keyword of IN_PLACE_MAPS) {
    const value = schema[keyword];
    if (!keywords.has(keyword) || !isObject(value)) continue;
    for (const name in value) {
      const member = node.member(keyword, name, value[name], true);
      if (typeof member === "object") branches.push(member);
    }
  }
  return branches;
}
