import { referenced } from "../../schema/scope.ts";
import { listExamples } from "../../schema/examples.ts";
import { undeclaredProperties } from "../../schema/keywords/objects.ts";
import { namedTypes } from "../../schema/keywords/type.ts";
import { positionsBelow } from "../../schema/part_positions.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { listSubschemas } from "../../schema/usable_keywords.ts";
import { ANY_TYPE, ARRAY, OBJECT } from "../../values/json_type.ts";
import { NOWHERE, type Position } from "../../values/position.ts";

/** A place where a schema applies, with the schema through which it applies there. */
export interface SchemaContext {
  /** The outermost schema of the place: the schema itself, or one that applies it in place. */
  readonly root: SchemaNode;
  readonly position: Position;
  readonly isRoot: boolean;
  /** False if a failure there need not make the request invalid: in an alternative, in a condition, under `not`. */
  readonly isCertain: boolean;
  /** The number of rules that any value at the place breaks, up to 2. */
  readonly broken: number;
  /** The types that all schemas accept: where `type` fails, a schema's other keywords don't count. */
  readonly types: number;
}

type OpenPlace = Omit<SchemaContext, "root" | "types"> & { readonly schema: Subschema };

/** The keywords whose subschemas all have to hold. */
const CONJUNCTIVE: ReadonlySet<string> = new Set([
  "allOf",
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "prefixItems",
  "additionalItems",
]);

/** The most places that are considered for one schema, and (`MAX_PLACES`) for one parameter. */
const MAX_CONTEXTS = 24;
const MAX_PLACES = 20_000;

/** Finds all places of a parameter's schemas: what holds at each of them holds for every value in a request. */
export class SchemaContexts {
  readonly #contexts = new Map<SchemaNode, SchemaContext[]>();
  readonly #visited = new Map<SchemaNode, OpenPlace[]>();
  readonly #examples = new Map<string, SchemaNode>();
  readonly #rootContexts: SchemaContext[] = [];
  #isComplete = true;

  constructor(roots: readonly Pick<OpenPlace, "schema" | "position" | "isRoot">[]) {
    const open = roots.map((root): OpenPlace => ({ ...root, isCertain: true, broken: 0 }));
    let places = 0;
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (this.#isKnown(place)) continue;
      if (++places > MAX_PLACES) {
        this.#isComplete = false;
        return;
      }
      open.push(...this.#visit(place));
    }
  }

  /** Returns all places of a schema; undefined if not all are known. */
  of(node: SchemaNode): readonly SchemaContext[] | undefined {
    if (!this.#isComplete || node.graph.references.dynamic) return undefined;
    const found = this.#contexts.get(node.plain) ?? [];
    return found.length > MAX_CONTEXTS ? undefined : found;
  }

  rootContexts(): readonly SchemaContext[] | undefined {
    return this.#isComplete ? this.#rootContexts : undefined;
  }

  /** Returns all places of the schema that has an example; undefined if not all are known. */
  exampleContexts(schema_path: string): readonly SchemaContext[] | undefined {
    const node = this.#examples.get(schema_path);
    return node === undefined ? this.#isComplete ? [] : undefined : this.of(node);
  }

  #isKnown(place: OpenPlace): boolean {
    const { schema, position, isCertain, broken, isRoot } = place;
    if (typeof schema === "boolean" || position === NOWHERE) return true;
    const seen = this.#visited.get(schema.plain) ?? [];
    const isKnown = seen.some((known) =>
      known.position === position && known.isCertain === isCertain && known.broken === broken &&
      known.isRoot === isRoot
    );
    if (!isKnown) this.#visited.set(schema.plain, [...seen, place]);
    return isKnown;
  }

  #visit({ schema, position, isRoot, isCertain, broken }: OpenPlace): OpenPlace[] {
    if (typeof schema === "boolean") return [];
    const applied = appliedSchemas(schema, isCertain);
    const certain = applied.filter((one) => one.isCertain);
    const types = certain.reduce(
      (left, { node }) => left & (namedTypes(node.schema["type"], node) ?? ANY_TYPE),
      ANY_TYPE,
    );
    const closed = certain.filter(({ node }) => node.schema["additionalProperties"] === false)
      .map(({ node }) => undeclaredProperties(node));
    const below: OpenPlace[] = [];
    for (const { node, isCertain } of applied) {
      this.#addContext(node, { root: schema, position, isRoot, isCertain, broken, types });
      for (const { schema: part, keyword, relation, part: where } of listSubschemas(node)) {
        const container = relation === "item" ? ARRAY : OBJECT;
        if (relation === "in_place" || (position.types & container) === 0) continue;
        const refusing = closed.filter(({ has }) => typeof where === "string" && has(where));
        const isPartCertain = isCertain && CONJUNCTIVE.has(keyword) && (types & container) !== 0;
        for (const at of positionsBelow(position, relation, where)) {
          below.push({
            schema: part,
            position: at,
            isRoot: false,
            isCertain: isPartCertain,
            broken: isPartCertain ? Math.min(2, broken + refusing.length) : 0,
          });
        }
      }
    }
    return below;
  }

  #addContext(node: SchemaNode, context: SchemaContext): void {
    const known = this.#contexts.get(node.plain);
    if (context.isRoot && node === context.root) this.#rootContexts.push(context);
    if (known === undefined) {
      this.#contexts.set(node.plain, [context]);
      for (const { schema_path } of listExamples(node)) this.#examples.set(schema_path, node);
    } else if (known.length <= MAX_CONTEXTS) known.push(context);
  }
}

/** Lists the schemas that apply to the same value as `root`; `isCertain` if all values have to match them. */
function appliedSchemas(root: SchemaNode, isCertain: boolean) {
  const found = new Map<SchemaNode, { readonly node: SchemaNode; readonly isCertain: boolean }>();
  const open: { schema: Subschema; isCertain: boolean }[] = [{ schema: root, isCertain }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { schema: node, isCertain } = next;
    if (typeof node === "boolean") continue;
    const known = found.get(node.plain);
    // Visited again if it first was in an alternative, where it may fail, and now has to hold.
    if (known !== undefined && (isCertain || !known.isCertain)) continue;
    found.set(node.plain, { node, isCertain });
    for (const schema of referenced(node)) open.push({ schema, isCertain });
    for (const { schema, keyword, relation } of listSubschemas(node)) {
      if (relation !== "in_place") continue;
      open.push({ schema, isCertain: isCertain && CONJUNCTIVE.has(keyword) });
    }
  }
  return [...found.values()];
}
