import { compareText, getOrAdd, groupItems } from "../values/collections.ts";
import { operationName, parameterIdentity, unnamedOperation } from "../values/operation_name.ts";
import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import { referenced } from "../schema/scope.ts";
import { usableKeywords } from "../schema/usable_keywords.ts";
import type { OperationModel } from "../openapi/model.ts";
import { parameterName, type ParameterPlan } from "./parameter_plan.ts";
import type { Gap } from "./results.ts";
import { encodeHash, hashText, isComparedValue, mixHash, ValueHashes } from "./value_hash.ts";
import { listClasses, type NamedClass } from "./value_places.ts";

/** Digits and letters, without letters that people mistake for others. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const PATTERN = /^g-[0-9a-hjkmnp-tv-z]{8}$/;
interface PlannedOperation {
  readonly model: OperationModel;
  readonly parameters: readonly ParameterPlan[];
}

const [OPERATION_DIGITS, PLACE_DIGITS, VALUE_DIGITS] = [3, 3, 2] as const;

/** Seeds, so that the same text hashes differently in different roles. */
const [OPERATION, PARAMETER, STEP, RESPONSE] = [1, 2, 3, 4] as const;

export function isGapId(text: string): boolean {
  return PATTERN.test(text);
}

/** True if two ids differ at most in the value of a keyword or example, as when `maximum: 100` becomes 50. */
export function isSamePlace(one: string, other: string): boolean {
  return one.slice(0, -VALUE_DIGITS) === other.slice(0, -VALUE_DIGITS);
}

/**
 * Makes ids of gaps from their operation, parameter, place in the parameter's value, and keyword with its value.
 * An id doesn't depend on the order of a description, on its other parts, or on how schemas refer to each other.
 */
export class GapIds {
  readonly #operations = new Map<string, NamedOperation>();
  readonly #hashes = new ValueHashes();
  readonly #partIdentities = new WeakMap<ParameterPlan, ReadonlyMap<string, Identity>>();
  readonly #classIdentities = new WeakMap<ParameterPlan, ReadonlyMap<string, Identity>>();
  readonly #places = new WeakMap<SchemaNode, ReadonlyMap<SchemaNode, number>>();

  constructor(operations: readonly PlannedOperation[]) {
    for (const plan of operations) {
      const hash = hashText(unnamedOperation(plan.model), OPERATION);
      const digits = encodeHash(hash, OPERATION_DIGITS, DIGITS);
      const operation = { plan, hash, digits, parameters: undefined };
      this.#operations.set(operationName(plan.model), operation);
    }
  }

  id(gap: Gap): string {
    const operation = this.#operations.get(operationName(gap));
    if (operation === undefined) throw new TypeError(`No operation ${operationName(gap)}.`);
    const { place, value, twin = 0 } = this.#identity(gap, operation);
    // Both states of a keyword have the same hash; one bit distinguishes them.
    const state = gap.kind === "keyword_uncovered" && gap.state === "invalid" ? 1 : 0;
    // The operation is part of this hash, too: operations with colliding digits often have the same parameters.
    const placeHash = hashText(gap.kind, mixHash(operation.hash, place));
    const valueHash = hashText("", mixHash(placeHash, value)) + twin << 1 | state;
    return `g-${operation.digits}${encodeHash(placeHash, PLACE_DIGITS, DIGITS)}${
      encodeHash(valueHash, VALUE_DIGITS, DIGITS)
    }`;
  }

  /** True if an id may belong to a gap of an operation, judging by its first digits. */
  mayBelongTo(id: string, operation: Pick<OperationModel, "method" | "path">): boolean {
    return id.startsWith(`g-${this.#operations.get(operationName(operation))?.digits}`);
  }

  #identity(gap: Gap, operation: NamedOperation): Identity {
    if (gap.kind === "operation_uncovered") return { place: OPERATION, value: 0 };
    if (gap.kind === "response_uncovered") {
      return { place: hashText(gap.status_code.toUpperCase(), RESPONSE), value: 0 };
    }
    const { location, parameter } = gap;
    const named = (operation.parameters ??= nameParameters(operation.plan))
      .get(`${location} ${parameter}`);
    if (named === undefined) throw new TypeError(`No parameter ${parameter} in ${location}.`);
    const { plan, hash: parameterHash } = named;
    if (gap.kind === "parameter_uncovered") return { place: parameterHash, value: 0 };
    const identities = gap.kind === "value_uncovered"
      ? getOrAdd(this.#classIdentities, plan, () => this.#identifyClasses(plan))
      : getOrAdd(this.#partIdentities, plan, () => this.#identifyParts(plan));
    const key = gap.kind === "value_uncovered" ? classKey(gap) : gap.schema_path;
    const identity = identities.get(key) ?? { place: 0, value: 0 };
    return { ...identity, place: mixHash(parameterHash, identity.place) };
  }

  #identifyParts(plan: ParameterPlan): ReadonlyMap<string, Identity> {
    const { keywords, examples } = plan.inventory;
    const places = [plan.schema, plan.itemSchema].map((schema) => this.#placeHashes(schema));
    const identities: KeyedIdentity[] = [];
    for (const { node, keyword, schema_path } of keywords) {
      const place = this.#placeHash(node, plan);
      const value = node.schema[keyword];
      const isCompared = isComparedValue(keyword, value);
      identities.push({
        key: schema_path,
        place: hashText(keyword, place),
        value: isCompared ? this.#hashes.number(value, keyword) : 0,
        subschemas: isCompared ? undefined : value,
      });
    }
    if (examples.length > 0) {
      const byPath = new Map(
        places.flatMap((map) => Array.from(map, ([node, place]) => [node.schemaPath(), place])),
      );
      for (const { schema_path: key, value } of examples) {
        const [place, valueHash] = [examplePlace(key, byPath), this.#hashes.number(value)];
        identities.push({ key, ...valueIdentity(place, valueHash, ONE_OF_EXAMPLES.test(key)) });
      }
    }
    return numberTwins(identities);
  }

  /** Identifies the classes of a parameter's values by {@linkcode classKey}. */
  #identifyClasses(plan: ParameterPlan): ReadonlyMap<string, Identity> {
    const identities: KeyedIdentity[] = [];
    for (const { name, node, schemaClass } of listClasses(plan, () => true)) {
      const schemaPlace = node === undefined ? STEP : this.#placeHash(node, plan);
      // Each property, alternative and `enum` member is a place of its own.
      const innerPlace = typeof schemaClass?.schema === "object"
        ? stepInto(schemaPlace, schemaClass.schema.plain, schemaClass.pointer)
        : schemaClass?.schema === undefined
        ? schemaPlace
        : hashText(schemaClass.pointer, schemaPlace);
      const place = hashText(name.class, innerPlace);
      const { value: boundary } = name;
      const isRange = name.class === "between" || name.class === "several_items";
      const value = boundary === undefined || isRange ? 0 : this.#hashes.number(boundary);
      const isMember = name.class === "enum" || name.class === "boolean";
      identities.push({ key: classKey(name), ...valueIdentity(place, value, isMember) });
    }
    return numberTwins(identities);
  }

  #placeHash(node: SchemaNode, { schema, itemSchema }: ParameterPlan): number {
    return this.#placeHashes(schema).get(node) ?? this.#placeHashes(itemSchema).get(node) ??
      hashText(node.schemaPath(), STEP);
  }

  /** Returns hashes of the places of all schemas reachable from a schema, by their shortest paths within a value. */
  #placeHashes(root: Subschema | undefined): ReadonlyMap<SchemaNode, number> {
    if (typeof root !== "object") return NO_PLACES;
    return getOrAdd(this.#places, root.plain, () => findPlaces(root.plain));
  }
}

const NO_PLACES: ReadonlyMap<SchemaNode, number> = new Map();

interface KeyedIdentity extends Identity {
  readonly key: string;
  /** The value of a keyword that holds schemas, to order identities that are otherwise equal. */
  readonly subschemas?: unknown;
}

/** Returns the identity of a value at a place. Each of several values there is a place of its own. */
function valueIdentity(place: number, value: number, isMember: boolean): Identity {
  return isMember ? { place: mixHash(place, value), value: 0 } : { place, value };
}

/** Returns identities by key. Equal ones are numbered, independently of their order. */
function numberTwins(identities: readonly KeyedIdentity[]): ReadonlyMap<string, Identity> {
  const byKey = new Map<string, Identity>();
  for (const twins of groupItems(identities, ({ place, value }) => `${place} ${value}`).values()) {
    const sorted = twins.length === 1
      ? twins
      : twins.toSorted((a, b) =>
        compareText(subschemaNames(a.subschemas), subschemaNames(b.subschemas)) ||
        compareText(a.key, b.key)
      );
    for (const [twin, { key, place, value }] of sorted.entries()) {
      byKey.set(key, { place, value, twin });
    }
  }
  return byKey;
}

function subschemaNames(schemas: unknown): string {
  return typeof schemas === "object" && schemas !== null
    ? Object.keys(schemas).sort().join("\n")
    : "";
}

/** Returns the key of a class within its parameter. `true` and `false` need the value, as they share a pointer. */
function classKey({ class: name, schema_path, value }: NamedClass): string {
  return `${name} ${name === "boolean" ? value : ""} ${schema_path}`;
}

/** Hashes of the place within an operation that a gap is about, and of the value there. */
interface Identity {
  readonly place: number;
  readonly value: number;
  /** The number among equal identities. */
  readonly twin?: number;
}

interface NamedOperation {
  readonly plan: PlannedOperation;
  readonly hash: number;
  readonly digits: string;
  /** Keyed by location and name; undefined until first needed. */
  parameters: ReadonlyMap<string, NamedParameter> | undefined;
}

interface NamedParameter {
  readonly plan: ParameterPlan;
  readonly hash: number;
}

function nameParameters(
  { model: { path }, parameters }: PlannedOperation,
): ReadonlyMap<string, NamedParameter> {
  const parameterKey = parameterIdentity(path);
  return new Map(parameters.map((plan) => {
    const { location, name } = plan.model;
    return [parameterName(plan), { plan, hash: hashText(parameterKey(location, name), PARAMETER) }];
  }));
}

/** Matches pointers of `examples`, where each example is a place of its own. */
const ONE_OF_EXAMPLES = /\/examples\/[^/]+(?:\/value)?$/;

/** Returns the place of the schema that contains an example (`default`, `examples/0`), if a schema contains it. */
function examplePlace(path: string, places: ReadonlyMap<string, number>): number {
  const schema = path.slice(0, path.lastIndexOf("/"));
  return places.get(schema) ?? places.get(schema.slice(0, schema.lastIndexOf("/"))) ?? STEP;
}

/** Searches schemas breadth-first. Of equally short paths to a schema, the one with the smallest hash counts. */
function findPlaces(root: SchemaNode): ReadonlyMap<SchemaNode, number> {
  const places = new Map<SchemaNode, number>();
  let reached = new Map<SchemaNode, number>([[root, STEP]]);
  while (reached.size > 0) {
    for (const [node, hash] of reached) places.set(node, hash);
    const next = new Map<SchemaNode, number>();
    const reach = (child: Subschema, hash: number): void => {
      if (typeof child !== "object" || places.has(child.plain)) return;
      const smallest = next.get(child.plain);
      if (smallest === undefined || hash < smallest) next.set(child.plain, hash);
    };
    for (const [node, hash] of reached) {
      for (const target of referenced(node)) reach(target, hash);
      const pathLength = node.schemaPath().length;
      for (const { definition, value } of usableKeywords(node)) {
        definition.subschemas?.(value, node, (child) => {
          if (typeof child !== "object") return;
          reach(child, stepInto(hash, child.plain, child.plain.schemaPath().slice(pathLength)));
        });
      }
    }
    reached = next;
  }
  return places;
}

/** Returns the hash of a place after a step such as `/oneOf/0`. Alternatives with `$ref` hash the referenced name. */
function stepInto(hash: number, { schema }: SchemaNode, step: string): number {
  if (step.startsWith("/allOf/")) return hash;
  const reference = schema["$ref"];
  const name = typeof reference === "string" && /^\/(?:any|one)Of\//.test(step)
    ? reference.slice(reference.lastIndexOf("/"))
    : step;
  return hashText(name, hash);
}
