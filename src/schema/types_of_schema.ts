import { NULL } from "../json_type.ts";
import { typesOfValues } from "./keywords/enum.ts";
import { typesNamed } from "./keywords/type.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";

/**
 * The types that a schema names, as bits of `json_type.ts`: by its own `type`, else through its reference and
 * combinators, else as the types of the values of its `enum` or `const` (semantics, section 3); 0 where it names none.
 */
export function typesOfSchema(schema: Subschema | undefined): number {
  if (typeof schema !== "object") return 0;
  return ownTypes(schema) ?? known.get(schema) ?? new TypeSearch().of(schema);
}

/** What `type` says. */
function ownTypes(node: SchemaNode): number | undefined {
  const value = node.schema["type"];
  if (value === undefined || node.isReferenceOnly) return undefined;
  const types = typesNamed(value, node);
  return types === 0 ? undefined : types;
}

/** How many schemas are looked into, each inside the one before; what lies deeper names nothing. */
const MAX_NESTED = 500;

/** The types of schemas once they are known for good. */
const known = new WeakMap<SchemaNode, number>();

/** Looks at each schema once, however many ways lead to it; one that comes back to itself in place names nothing there. */
class TypeSearch {
  /** The schemas that are open within each other, with their depths. */
  readonly #open = new Map<SchemaNode, number>();
  /** What came back to an open schema, so that it may name other types when that one is not open. */
  readonly #provisional = new Map<
    SchemaNode,
    { readonly types: number; readonly backTo: number }
  >();
  /** The depth of the outermost schema that was come back to. */
  #backTo = Infinity;

  of(node: SchemaNode): number {
    const settled = ownTypes(node) ?? known.get(node);
    if (settled !== undefined) return settled;
    const openAt = this.#open.get(node);
    const found = openAt === undefined ? this.#provisional.get(node) : { types: 0, backTo: openAt };
    if (found !== undefined) {
      this.#backTo = Math.min(this.#backTo, found.backTo);
      return found.types;
    }
    const depth = this.#open.size;
    if (depth > MAX_NESTED) return 0;
    const outer = this.#backTo;
    this.#backTo = Infinity;
    this.#open.set(node, depth);
    const types = typesOfNode(node, this);
    this.#open.delete(node);
    if (this.#backTo < depth) {
      this.#provisional.set(node, { types, backTo: this.#backTo });
      this.#backTo = Math.min(outer, this.#backTo);
    } else {
      known.set(node, types);
      for (const [other, { backTo }] of this.#provisional) {
        if (backTo >= depth) this.#provisional.delete(other);
      }
      this.#backTo = outer;
    }
    return types;
  }
}

function typesOfNode(node: SchemaNode, search: TypeSearch): number {
  const schema = node.schema;
  const target = node.target;
  const ofTarget = typeof target === "object" ? search.of(target) : 0;
  if (node.isReferenceOnly) return ofTarget;
  const keywords = node.dialect.keywords;
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
  for (const member of membersOf(node, "allOf")) narrow(search.of(member));
  for (const keyword of ["anyOf", "oneOf"]) {
    let either = 0;
    for (const member of membersOf(node, keyword)) either |= search.of(member);
    narrow(either);
  }
  if (keywords.has("if") && Object.hasOwn(schema, "if")) {
    let either = 0;
    for (const keyword of ["if", "then", "else"]) {
      const child = node.child(keyword, true);
      if (typeof child === "object") either |= search.of(child);
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
