import { NULL } from "../json_type.ts";
import { typesOfValues } from "./keywords/enum.ts";
import { typesNamed } from "./keywords/type.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";

/**
 * The types that a schema names, as bits of `json_type.ts`: by its own `type`, else through its reference and
 * combinators, else as the types of the values of its `enum` or `const` (semantics, section 3); 0 where it names none.
 */
export function typesOfSchema(schema: Subschema | undefined): number {
  return typeof schema === "object" ? typesOf(schema, new Set()) : 0;
}

function typesOf(node: SchemaNode, open: Set<SchemaNode>): number {
  if (open.has(node)) return 0;
  open.add(node);
  const types = typesOfNode(node, open);
  open.delete(node);
  return types;
}

function typesOfNode(node: SchemaNode, open: Set<SchemaNode>): number {
  const schema = node.schema;
  const target = node.target;
  const ofTarget = typeof target === "object" ? typesOf(target, open) : 0;
  if (node.isReferenceOnly) return ofTarget;
  const keywords = node.dialect.keywords;
  if (schema["type"] !== undefined) {
    const named = typesNamed(schema["type"], node);
    if (named !== undefined && named !== 0) return named;
  }
  const nullable = keywords.has("nullable") && schema["nullable"] === true ? NULL : 0;
  let types = ofTarget;
  const narrow = (other: number) => {
    if (other === 0) return;
    // What has to be all of them names what they share; contradictions name all.
    types = types === 0 ? other : (types & other) === 0 ? types | other : types & other;
  };
  if (keywords.has("const") && Object.hasOwn(schema, "const")) {
    narrow(typesOfValues([schema["const"]]));
  } else if (Array.isArray(schema["enum"])) narrow(typesOfValues(schema["enum"]));
  for (const member of membersOf(node, "allOf")) narrow(typesOf(member, open));
  for (const keyword of ["anyOf", "oneOf"]) {
    let either = 0;
    for (const member of membersOf(node, keyword)) either |= typesOf(member, open);
    narrow(either);
  }
  if (keywords.has("if") && Object.hasOwn(schema, "if")) {
    let either = 0;
    for (const keyword of ["if", "then", "else"]) {
      const child = node.child(keyword, true);
      if (typeof child === "object") either |= typesOf(child, open);
    }
    if (types === 0) types = either;
  }
  return types === 0 ? 0 : types | nullable;
}

function membersOf(node: SchemaNode, keyword: string): SchemaNode[] {
  const value = node.schema[keyword];
  if (!node.dialect.keywords.has(keyword) || !Array.isArray(value)) return [];
  const members: SchemaNode[] = [];
  for (let index = 0; index < value.length; index++) {
    const member = node.member(keyword, String(index), value[index], true);
    if (typeof member === "object") members.push(member);
  }
  return members;
}
