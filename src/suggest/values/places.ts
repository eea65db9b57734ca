import { referenced } from "../../schema/scope.ts";
import { equal } from "../../schema/equal.ts";
import { findMatch } from "../../schema/pattern/find_text.ts";
import {
  type PartSelector,
  positionsBelow,
  type PropertyRange,
} from "../../schema/part_positions.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { type AppliedPart, listSubschemas, usableKeywords } from "../../schema/usable_keywords.ts";
import { setOwn, takeFirst } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import { findMember } from "../../values/json_pointer.ts";
import { JSON_POSITION, NOWHERE, type Position } from "../../values/position.ts";
import {
  type Breach,
  type Demand,
  type MadeValue,
  match,
  MINIMAL,
  type Route,
  type Step,
  type Wish,
} from "./facts.ts";
import { gatherFacts } from "./gather_facts.ts";
import { FREE_NAMES } from "./make_object.ts";
import type { ValueMaker } from "./value_maker.ts";

/** A place in the values of a parameter: the root, a property, an item or the name of a property. */
export interface Place {
  readonly demands: readonly Demand[];
  readonly position: Position;
  readonly depth: number;
  /** Values that a request can't carry at this place, whatever the schemas allow. */
  readonly excluded: readonly Json[];
  /** Yields whole values with this value at the place, the plainest first; later ones vary what is around it. */
  wrap(value: Json): Iterable<Json>;
  /** The value at this place in a recorded whole value; undefined if there is none. */
  readonly recorded: Json | undefined;
  /** Returns the recorded whole value with another value at this place. */
  wrapRecorded(value: Json): Json;
}

export interface AppliedSchema {
  readonly node: SchemaNode;
  readonly routes: readonly Route[];
  readonly breaches: readonly Breach[];
}

export const MAX_DEPTH = 24;

/** Lists the schemas that apply to a place directly, by reference or in combinators, each with the first way to it. */
export function appliedSchemas(demands: readonly Demand[]): AppliedSchema[] {
  const applied: AppliedSchema[] = [];
  const visited = new Set<SchemaNode>();
  const open = demands.map(({ schema }): Way & { readonly schema: Subschema } => ({
    schema,
    routes: [],
    breaches: [],
  }));
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { schema: node, ...way } = next;
    if (typeof node === "boolean" || visited.has(node)) continue;
    visited.add(node);
    applied.push({ node, ...way });
    for (const schema of referenced(node)) open.push({ schema, ...way });
    for (const { schema, keyword, relation, part } of listSubschemas(node)) {
      if (relation !== "in_place") continue;
      open.push({ schema, ...extendWay(node, keyword, part, way) });
    }
  }
  return applied;
}

type Way = Omit<AppliedSchema, "node">;

function extendWay(node: SchemaNode, keyword: string, where: PartSelector, way: Way): Way {
  const { routes, breaches } = way;
  switch (keyword) {
    case "anyOf":
    case "oneOf":
      return { routes: [...routes, { node, keyword, index: Number(where) }], breaches };
    case "not":
      return { routes, breaches: [...breaches, { node, keyword }] };
    case "if":
    case "then":
      return { routes: [...routes, { node, keyword: "if", index: 0 }], breaches };
    case "else":
      return { routes: [...routes, { node, keyword: "if", index: 1 }], breaches };
    case "dependentSchemas":
    case "dependencies":
      return { routes: [...routes, { node, keyword: `${keyword} ${where}`, index: 0 }], breaches };
    default:
      return way;
  }
}

/** Returns the place of a part; undefined if no value that contains the part could be made. */
export function locatePart(
  place: Place,
  applied: AppliedSchema,
  part: AppliedPart,
  maker: ValueMaker,
): Place | undefined {
  if (place.depth >= MAX_DEPTH) return undefined;
  const { routes, breaches, node } = applied;
  const wish: Wish = { ...MINIMAL, routes, breaches };
  const demands = [...place.demands, match(node)];
  if (part.relation === "name") return namePlace(place, demands, wish, part, maker);
  const step = chooseStep(part.part, place.position);
  if (step === undefined) return undefined;
  const position = positionAt(place.position, step, part.part);
  if (position === NOWHERE) return undefined;
  const frameWish: Wish = { ...wish, requiredPart: step };
  const first = firstFrame(maker, demands, place.position, frameWish);
  if (first === undefined) return undefined;
  let others: readonly Json[] | undefined; // made when they are asked for
  const { facts } = first;
  const partDemands = typeof step === "string" ? facts.demandsOn(step) : facts.demandsOnItem(step);
  return {
    demands: partDemands.length === 0 ? [match(part.schema)] : partDemands,
    position,
    depth: place.depth + 1,
    excluded: [],
    recorded: findMember(place.recorded, String(step)) as Json | undefined,
    wrapRecorded: (value) => place.wrapRecorded(replacePart(place.recorded ?? null, step, value)),
    *wrap(value) {
      if (canHold(place.recorded, step)) {
        yield place.wrapRecorded(replacePart(place.recorded ?? null, step, value));
      }
      yield* place.wrap(replacePart(first.value, step, value));
      others ??= otherFrames(maker.candidates(demands, place.position, frameWish), first, step);
      for (const frame of others) {
        for (const whole of place.wrap(replacePart(frame, step, value))) {
          yield whole;
          break; // not varied on two levels at once
        }
      }
    },
  };
}

/** The most values that are tried around a part. */
const MAX_FRAMES = 4;

function firstFrame(
  maker: ValueMaker,
  demands: readonly Demand[],
  position: Position,
  wish: Wish,
): MadeValue | undefined {
  const hole = { ...wish, isPartReplaced: true };
  return (wish.breaches.length === 0
    ? asFrame(maker.make(demands, position, wish), wish)
    : undefined) ??
    makeBrokenFrame(demands, position, wish, maker) ??
    asFrame(takeFirst(maker.candidates(demands, position, wish), 1)[0], wish) ??
    asFrame(takeFirst(maker.candidates(demands, position, hole), 1)[0], wish) ??
    bareFrame(demands, wish);
}

/** Lists the values around a part that result from other decisions. */
function otherFrames(values: Iterable<MadeValue>, first: MadeValue, step: Step): readonly Json[] {
  const frames: Json[] = [];
  let count = 0;
  for (const { value } of values) {
    if (!canHold(value, step)) continue;
    if (!equal(first.value, value) && !frames.some((known) => equal(known, value))) {
      frames.push(value);
    }
    if (++count >= MAX_FRAMES) break;
  }
  return frames;
}

function asFrame(made: MadeValue | undefined, { requiredPart }: Wish): MadeValue | undefined {
  return made !== undefined && canHold(made.value, requiredPart ?? "") ? made : undefined;
}

/** Makes a value that breaks a single rule: contradictory schemas have no valid value, but their parts can be shown. */
function makeBrokenFrame(
  demands: readonly Demand[],
  position: Position,
  wish: Wish,
  maker: ValueMaker,
): MadeValue | undefined {
  if (wish.breaches.length > 0) return undefined;
  let tries = 0;
  for (const { node } of appliedSchemas(demands)) {
    for (const { definition: { name } } of usableKeywords(node)) {
      if (!FORBIDDING.has(name)) continue;
      const brokenWish = { ...wish, breaches: [{ node, keyword: name }] };
      for (const made of maker.candidates(demands, position, brokenWish)) {
        if (
          canHold(made.value, wish.requiredPart ?? "") &&
          maker.countBroken(demands, made.value) === 1
        ) return made;
        if (++tries >= MAX_BROKEN_FRAMES) return undefined;
      }
    }
  }
  return undefined;
}

/** Keywords that may forbid a part that another schema requires. */
const FORBIDDING: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "type",
  "enum",
  "required",
  "maxProperties",
  "maxItems",
]);
const MAX_BROKEN_FRAMES = 12;

/** Makes an object or array with nothing but the part, whatever the schemas demand. */
function bareFrame(demands: readonly Demand[], wish: Wish): MadeValue | undefined {
  const step = wish.requiredPart;
  if (step === undefined) return undefined;
  const { facts } = gatherFacts(demands, wish, 0);
  const value = typeof step === "string" ? {} : Array.from({ length: step }, () => null);
  return { value, variants: 1, facts };
}

/** Returns the place for names of properties; wrapping a name adds a property to an object. */
function namePlace(
  place: Place,
  demands: readonly Demand[],
  wish: Wish,
  { schema }: AppliedPart,
  maker: ValueMaker,
): Place | undefined {
  const made = maker.make(demands, place.position, wish);
  if (made === undefined || typeof made.value !== "object" || made.value === null) return undefined;
  const { facts, value: frame } = made;
  return {
    demands: [match(schema)],
    position: JSON_POSITION,
    depth: place.depth + 1,
    excluded: [],
    recorded: undefined,
    wrapRecorded: (value) => value,
    *wrap(name) {
      const text = typeof name === "string" ? name : JSON.stringify(name);
      const member = maker.make(facts.demandsOn(text), JSON_POSITION)?.value ?? null;
      yield* place.wrap(replacePart(frame, text, member));
    },
  };
}

function chooseStep(where: PartSelector, position: Position): Step | undefined {
  if (typeof where === "string" || typeof where === "number") return where;
  return "from" in where ? where.from : chooseName(where, position);
}

function chooseName({ has, pattern }: PropertyRange, position: Position): string | undefined {
  const isFree = (name: string) => has(name) && !position.names.has(name);
  if (pattern === undefined) {
    for (const name of FREE_NAMES) if (isFree(name)) return name;
    return [...position.names].find(has);
  }
  return findMatch(pattern, has);
}

function positionAt(position: Position, step: Step, where: PartSelector): Position {
  if (position.json) return JSON_POSITION;
  if (typeof step === "string" && typeof where !== "string") {
    return position.names.has(step) ? position.property(step) : position.undeclared([]);
  }
  const relation = typeof step === "string" ? "property" : "item";
  return positionsBelow(position, relation, step)[0] ?? NOWHERE;
}

/** True if a value is an object, or an array with room at the step, so that a part can be put there. */
function canHold(value: Json | undefined, step: Step): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value)
    ? typeof step === "number" && step <= value.length
    : typeof step === "string";
}

/** Copies an array or object with one part replaced. */
export function replacePart(frame: Json, step: Step, value: Json): Json {
  if (Array.isArray(frame)) {
    const items = frame.slice();
    items[Number(step)] = value;
    return items;
  }
  const object: Record<string, Json> = {};
  if (typeof frame === "object" && frame !== null) {
    for (const [name, member] of Object.entries(frame)) setOwn(object, name, member as Json);
  }
  setOwn(object, String(step), value);
  return object;
}
