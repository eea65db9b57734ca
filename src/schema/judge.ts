import { ANY_TYPE } from "../json_type.ts";
import type { Judge, Satisfiability } from "./keywords/keyword.ts";
import type { SchemaPosition } from "./position.ts";
import type { Resource } from "./reference.ts";
import type { SchemaNode, Subschema } from "./schema_node.ts";
import { usableKeywords } from "./usable_keywords.ts";
import type { UsedKeyword } from "./usable_keywords.ts";

/** Whether a keyword can pass and fail at a position (semantics, section 5). */
export function satisfiabilityOf(
  { definition, value }: UsedKeyword,
  node: SchemaNode,
  position: SchemaPosition,
  judge: Judge,
): Satisfiability {
  if (!position.json) {
    const types = definition.typesOf?.(value) ?? definition.types;
    if ((types & position.types) === 0) return "Positive";
  }
  return definition.satisfiability?.(value, node, position, judge) ?? "Normal";
}

/** How many schemas may be open within each other; what lies deeper is taken to fail, as nearly every schema can. */
const MAX_OPEN = 500;

/** Answers whether schemas can fail or pass; a schema that comes back to itself can do both until a keyword says otherwise. */
export class SchemaJudge implements Judge {
  readonly #open: { readonly node: SchemaNode; readonly position: SchemaPosition }[] = [];
  readonly #passing = new Set<SchemaNode>();
  /** The schema resources entered, outermost first; asked where references are dynamic. */
  scope: readonly Resource[] = [];
  /** The outermost open schema whose answer was assumed, by its index in the list of open ones. */
  #assumed = Infinity;

  canFail(schema: Subschema, position: SchemaPosition): boolean {
    if (typeof schema === "boolean") return !schema;
    const dynamic = schema.graph.references.dynamic;
    if (position.json && schema.canFailInJson !== undefined) return schema.canFailInJson;
    const index = this.#open.findIndex((open) =>
      open.node === schema && open.position === position
    );
    if (index >= 0) {
      this.#assumed = Math.min(this.#assumed, index);
      return false;
    }
    const own = this.#open.length;
    if (own >= MAX_OPEN) return true;
    const before = this.#assumed;
    this.#assumed = Infinity;
    this.#open.push({ node: schema, position });
    const scope = this.scope;
    if (dynamic) this.scope = enterScope(scope, schema.resource);
    const answer = this.#hasWhatFails(schema, position);
    this.scope = scope;
    this.#open.pop();
    const settled = answer || this.#assumed >= own;
    if (position.json && settled && !dynamic) schema.canFailInJson = answer;
    this.#assumed = Math.min(before, settled ? Infinity : this.#assumed);
    return answer;
  }

  #hasWhatFails(node: SchemaNode, position: SchemaPosition): boolean {
    for (const part of referenced(node, this.scope)) if (this.canFail(part, position)) return true;
    return usableKeywords(node).some((used) =>
      satisfiabilityOf(used, node, position, this) !== "Positive"
    );
  }

  canPass(schema: Subschema, position: SchemaPosition): boolean {
    if (typeof schema === "boolean") return schema;
    if (this.#passing.has(schema)) return true;
    this.#passing.add(schema);
    const scope = this.scope;
    if (schema.graph.references.dynamic) this.scope = enterScope(scope, schema.resource);
    const answer = referenced(schema, this.scope).every((part) => this.canPass(part, position)) &&
      !usableKeywords(schema).some((used) =>
        used.definition.types === ANY_TYPE &&
        satisfiabilityOf(used, schema, position, this) === "Negative"
      );
    this.scope = scope;
    this.#passing.delete(schema);
    return answer;
  }
}

/** A dynamic scope with one more resource; what is in it already adds nothing. */
export function enterScope(scope: readonly Resource[], resource: Resource): readonly Resource[] {
  return scope.includes(resource) ? scope : [...scope, resource];
}

/** The schemas that the references of a schema lead to, in a dynamic scope. */
export function referenced(node: SchemaNode, scope: readonly Resource[] = []): Subschema[] {
  const found: Subschema[] = [];
  const target = node.target;
  if (target !== undefined) found.push(target);
  const dynamic = node.dialect.dynamicReference;
  if (dynamic !== undefined && typeof node.schema[dynamic] === "string") {
    found.push(node.graph.dynamicTarget(node, scope));
  }
  return found;
}
