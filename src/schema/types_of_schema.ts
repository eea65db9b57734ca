import { NULL, typeOf } from "../values/json_type.ts";
import { keywordDefinitions } from "./keywords/keyword_definitions.ts";
import { typesNamed } from "./keywords/type.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { ALL_OF, ANY_OF, branchesOf, membersOf } from "./in_place_schemas.ts";
import { enterScope, referenced, type Scope, scopeKey } from "./scope.ts";

/**
 * The types that a schema names, as bits of `json_type.ts`: by its own `type`, else through its references and
 * combinators, as the types of the values of its `enum` or `const`, or as what its `properties` and `items` are for
 * (semantics, section 3); 0 if it names none.
 *
 * @param scope The schema resources entered on the way to it, outermost first; asked where references are dynamic.
 */
export function typesOfSchema(schema: Subschema | undefined, scope: Scope = []): number {
  if (typeof schema !== "object") return 0;
  return ownTypes(schema) ?? known.get(schema) ?? new TypeSearch(schema, scope).of(schema);
}

/** The types that `type` names. */
function ownTypes(node: SchemaNode): number | undefined {
  const value = node.schema["type"];
  if (value === undefined || node.isReferenceOnly) return undefined;
  const types = typesNamed(value, node);
  return types === 0 ? undefined : types;
}

/** The maximum nesting depth of schemas to look into; deeper ones name nothing. */
const MAX_NESTED = 500;

/** The types of schemas once they are known for good; of those alone whose references are the same everywhere. */
const known = new WeakMap<SchemaNode, number>();

/** The key of a schema in a search: itself, or where references are dynamic, an object for it in its scope. */
type Key = object;

/** Looks at each schema once, however many ways lead to it; one that comes back to itself in place names nothing there. */
class TypeSearch {
  /** The schema resources entered, outermost first; empty if no reference is dynamic. */
  scope: Scope;
  readonly #dynamic: boolean;
  readonly #keys = new Map<SchemaNode, Map<string, Key>>();
  readonly #known: WeakMap<Key, number>;
  /** The schemas that are open within each other, with their depths. */
  readonly #open = new Map<Key, number>();
  /** Schemas that came back to an open one, so that they may name other types when that one is not open. */
  readonly #provisional = new Map<Key, { readonly types: number; readonly backTo: number }>();
  /** The depth of the outermost schema that was come back to. */
  #backTo = Infinity;

  constructor(start: SchemaNode, scope: Scope) {
    this.scope = scope;
    this.#dynamic = start.graph.references.dynamic;
    this.#known = this.#dynamic ? new WeakMap() : known;
  }

  of(node: SchemaNode): number {
    const outer = this.scope;
    if (this.#dynamic) this.scope = enterScope(outer, node.resource);
    const types = ownTypes(node) ?? this.#search(node, this.#keyOf(node));
    this.scope = outer;
    return types;
  }

  #keyOf(node: SchemaNode): Key {
    if (!this.#dynamic) return node;
    let keys = this.#keys.get(node);
    if (keys === undefined) this.#keys.set(node, keys = new Map());
    const scope = scopeKey(this.scope);
    let key = keys.get(scope);
    if (key === undefined) keys.set(scope, key = {});
    return key;
  }

  #search(node: SchemaNode, key: Key): number {
    const settled = this.#known.get(key);
    if (settled !== undefined) return settled;
    const openAt = this.#open.get(key);
    const found = openAt === undefined ? this.#provisional.get(key) : { types: 0, backTo: openAt };
    if (found !== undefined) {
      this.#backTo = Math.min(this.#backTo, found.backTo);
      return found.types;
    }
    const depth = this.#open.size;
    if (depth > MAX_NESTED) return 0;
    const outer = this.#backTo;
    this.#backTo = Infinity;
    this.#open.set(key, depth);
    const types = typesOfNode(node, this);
    this.#open.delete(key);
    if (this.#backTo < depth) {
      this.#provisional.set(key, { types, backTo: this.#backTo });
      this.#backTo = Math.min(outer, this.#backTo);
    } else {
      this.#known.set(key, types);
      for (const [other, { backTo }] of this.#provisional) {
        if (backTo >= depth) this.#provisional.delete(other);
      }
      this.#backTo = outer;
    }
    return types;
  }
}

function typesOfNode(node: SchemaNode, search: TypeSearch): number {
  const { schema } = node;
  let types = 0;
  const narrow = (other: number) => {
    if (other === 0) return;
    // What has to be all of them names what they share; contradictions name all.
    types = types === 0 ? other : (types & other) === 0 ? types | other : types & other;
  };
  for (const target of referenced(node, search.scope)) {
    if (typeof target === "object") narrow(search.of(target));
  }
  if (node.isReferenceOnly) return types;
  const keywords = node.dialect.keywords;
  const nullable = keywords.has("nullable") && schema["nullable"] === true ? NULL : 0;
  narrow(typesOfValues(node));
  for (const keyword of ALL_OF) {
    for (const member of membersOf(node, keyword)) narrow(search.of(member));
  }
  for (const keyword of ANY_OF) {
    let either = 0;
    for (const member of membersOf(node, keyword)) either |= search.of(member);
    narrow(either);
  }
  if (types === 0) types = typesOfContents(node);
  if (types === 0) {
    for (const branch of branchesOf(node)) types |= search.of(branch);
  }
  return types === 0 ? 0 : types | nullable;
}

const DEFINITIONS = [...keywordDefinitions.values()];
/** The last definition first: `const` before `enum`, since a single value says more than a list. */
const ADMITTING = DEFINITIONS.filter(({ admitted }) => admitted !== undefined).reverse();
const ASSUMING = DEFINITIONS.filter(({ assumedTypes }) => assumedTypes !== undefined);

/** The types of the only values that a schema admits. */
function typesOfValues(node: SchemaNode): number {
  const { schema, dialect } = node;
  for (const { name, admitted, problem } of ADMITTING) {
    if (!dialect.keywords.has(name) || !Object.hasOwn(schema, name)) continue;
    if (problem(schema[name], node) !== undefined) continue;
    let types = 0;
    for (const value of admitted?.(schema[name]) ?? []) types |= typeOf(value);
    return types;
  }
  return 0;
}

/** The types implied by keywords for parts of an instance. */
function typesOfContents(node: SchemaNode): number {
  let types = 0;
  for (const { name, assumedTypes } of ASSUMING) {
    if (node.dialect.keywords.has(name)) types |= assumedTypes?.(node.schema[name], node) ?? 0;
  }
  return types;
}
