import { enterScope, referenced, type Scope, scopeKey } from "./scope.ts";
import { getOrAdd } from "../values/collections.ts";
import { jsonType, NULL } from "../values/json_type.ts";
import { keywordDefinitions } from "./keywords/keyword_definitions.ts";
import { namedTypes } from "./keywords/type.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { ALL_OF, ANY_OF, conditionalSchemas, memberSchemas } from "./in_place_schemas.ts";
import { decideComponents } from "./strong_components.ts";

/** Returns the types that a schema names, as bits of `json_type.ts` (semantics, section 3); 0 if it names none. */
export function typesOfSchema(schema: Subschema | undefined, scope: Scope = []): number {
  if (typeof schema !== "object") return 0;
  return ownTypes(schema) ?? knownTypes.get(schema) ?? new TypeSearch(schema).find(schema, scope);
}

function ownTypes(node: SchemaNode): number | undefined {
  const value = node.schema["type"];
  if (value === undefined || node.isReferenceOnly) return undefined;
  const types = namedTypes(value, node);
  return types === 0 ? undefined : types;
}

/** A cache of types, for schemas without dynamic references, whose types don't depend on the scope. */
const knownTypes = new WeakMap<SchemaNode, number>();

interface Vertex {
  readonly node: SchemaNode;
  readonly scope: Scope;
  /** The schemas that it depends on, except those whose types were known. */
  readonly dependencies: Vertex[];
  types: number;
  isKnown: boolean;
  changes: number;
}

type FindTypes = (node: SchemaNode) => number;

/** After this many changes, a schema keeps its previous types too: contradictions in a cycle could change forever. */
const MAX_CHANGES = 8;

/** Evaluates each schema once; those in a cycle together until nothing changes, so that the order doesn't matter. */
class TypeSearch {
  readonly #dynamic: boolean;
  readonly #vertices = new Map<SchemaNode, Map<string, Vertex>>();

  constructor(start: SchemaNode) {
    this.#dynamic = start.graph.references.dynamic;
  }

  find(node: SchemaNode, scope: Scope): number {
    const start = this.#vertex(node, scope);
    decideComponents(start, {
      next: (vertex) => this.#findDependencies(vertex),
      isDecided: ({ isKnown }) => isKnown,
      decide: (members, isCycle) => this.#decide(members.map(({ vertex }) => vertex), isCycle),
    });
    return start.types;
  }

  #vertex(node: SchemaNode, outer: Scope): Vertex {
    const scope = this.#dynamic ? enterScope(outer, node.resource) : outer;
    const byScope = getOrAdd(this.#vertices, node, () => new Map());
    const key = scopeKey(scope);
    let vertex = byScope.get(key);
    if (vertex === undefined) {
      const types = knownTypes.get(node);
      const isKnown = types !== undefined;
      vertex = { node, scope, dependencies: [], types: types ?? 0, isKnown, changes: 0 };
      byScope.set(key, vertex);
    }
    return vertex;
  }

  /** Finds the schemas that a schema depends on; as their types are unknown (0), that is the largest possible set. */
  #findDependencies(vertex: Vertex): readonly Vertex[] {
    vertex.types = typesOfNode(vertex.node, vertex.scope, (node) => {
      const own = ownTypes(node);
      if (own !== undefined) return own;
      const other = this.#vertex(node, vertex.scope);
      if (!other.isKnown) vertex.dependencies.push(other);
      return other.types;
    });
    return vertex.dependencies;
  }

  #decide(members: readonly Vertex[], isCycle: boolean): void {
    if (isCycle) this.#decideCycle(members);
    for (const vertex of members) {
      if (!isCycle && vertex.dependencies.length > 0) vertex.types = this.#vertexTypes(vertex);
      vertex.isKnown = true;
      if (!this.#dynamic) knownTypes.set(vertex.node, vertex.types);
    }
  }

  #decideCycle(members: readonly Vertex[]): void {
    const dependents = new Map(members.map((vertex) => [vertex, [] as Vertex[]]));
    for (const vertex of members) {
      vertex.types = 0;
      for (const other of vertex.dependencies) dependents.get(other)?.push(vertex);
    }
    for (let open = new Set(members); open.size > 0;) {
      const found = Array.from(open, (vertex) => [vertex, this.#vertexTypes(vertex)] as const);
      open = new Set();
      for (const [vertex, types] of found) {
        const newTypes = vertex.changes < MAX_CHANGES ? types : types | vertex.types;
        if (newTypes === vertex.types) continue;
        vertex.types = newTypes;
        vertex.changes++;
        for (const other of dependents.get(vertex) ?? []) open.add(other);
      }
    }
  }

  #vertexTypes({ node, scope }: Vertex): number {
    return typesOfNode(node, scope, (other) => ownTypes(other) ?? this.#vertex(other, scope).types);
  }
}

function typesOfNode(node: SchemaNode, scope: Scope, findTypes: FindTypes): number {
  const { schema } = node;
  let types = 0;
  const narrow = (other: number) => {
    if (other === 0) return;
    // Types that must all apply are intersected; contradictory ones are combined.
    types = types === 0 ? other : (types & other) === 0 ? types | other : types & other;
  };
  for (const target of referenced(node, scope)) {
    if (typeof target === "object") narrow(findTypes(target));
  }
  if (node.isReferenceOnly) return types;
  const keywords = node.dialect.keywords;
  const nullable = keywords.has("nullable") && schema["nullable"] === true ? NULL : 0;
  narrow(typesOfValues(node));
  for (const keyword of ALL_OF) {
    for (const member of memberSchemas(node, keyword)) narrow(findTypes(member));
  }
  for (const keyword of ANY_OF) {
    let alternatives = 0;
    for (const member of memberSchemas(node, keyword)) alternatives |= findTypes(member);
    narrow(alternatives);
  }
  if (types === 0) types = typesOfContents(node);
  if (types === 0) {
    for (const branch of conditionalSchemas(node)) types |= findTypes(branch);
  }
  return types === 0 ? 0 : types | nullable;
}

const DEFINITIONS = [...keywordDefinitions.values()];
/** In reverse order: `const` before `enum`, because a single value is more specific than a list. */
const LISTING_KEYWORDS = DEFINITIONS.filter(({ admitted }) => admitted !== undefined).reverse();
const ASSUMING_KEYWORDS = DEFINITIONS.filter(({ assumedTypes }) => assumedTypes !== undefined);

/** Returns the types of the values that a schema lists; 0 if it lists none. */
function typesOfValues(node: SchemaNode): number {
  const { schema, dialect } = node;
  for (const { name, admitted, problem } of LISTING_KEYWORDS) {
    if (!dialect.keywords.has(name) || !Object.hasOwn(schema, name)) continue;
    if (problem(schema[name], node) !== undefined) continue;
    let types = 0;
    for (const value of admitted?.(schema[name]) ?? []) types |= jsonType(value);
    return types;
  }
  return 0;
}

/** Returns the types implied by keywords for parts of an instance. */
function typesOfContents(node: SchemaNode): number {
  let types = 0;
  for (const { name, assumedTypes } of ASSUMING_KEYWORDS) {
    if (node.dialect.keywords.has(name)) types |= assumedTypes?.(node.schema[name], node) ?? 0;
  }
  return types;
}
