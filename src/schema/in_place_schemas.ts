import { isObject } from "./schema_node.ts";
import type { SchemaNode } from "./schema_node.ts";

/** The schemas in the list of a combinator. */
export function membersOf(node: SchemaNode, keyword: "allOf" | "anyOf" | "oneOf"): SchemaNode[] {
  const value = node.schema[keyword];
  if (!node.dialect.keywords.has(keyword) || !Array.isArray(value)) return [];
  const members: SchemaNode[] = [];
  for (let index = 0; index < value.length; index++) {
    const member = node.member(keyword, String(index), value[index], true);
    if (typeof member === "object") members.push(member);
  }
  return members;
}

/**
 * The schemas that apply to an instance on a condition: those of `if`, `then` and `else`, and what having a property
 * demands (`dependentSchemas`, before 2019-09 `dependencies`).
 */
export function branchesOf(node: SchemaNode): SchemaNode[] {
  const { schema, dialect: { keywords } } = node;
  const branches: SchemaNode[] = [];
  if (keywords.has("if") && Object.hasOwn(schema, "if")) { // without it, the others mean nothing
    for (const keyword of ["if", "then", "else"]) {
      const child = node.child(keyword, true);
      if (typeof child === "object") branches.push(child);
    }
  }
  for (const keyword of ["dependentSchemas", "dependencies"]) {
    const value = schema[keyword];
    if (!keywords.has(keyword) || !isObject(value)) continue;
    for (const name in value) {
      const member = node.member(keyword, name, value[name], true);
      if (typeof member === "object") branches.push(member);
    }
  }
  return branches;
}
