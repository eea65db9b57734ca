import { listExamples } from "../../schema/examples.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import { type AppliedPart, listSubschemas, usableKeywords } from "../../schema/usable_keywords.ts";
import type { Json } from "../../values/json.ts";
import type { ExampleGoal, Goal, KeywordGoal } from "../goals.ts";
import { type Demand, match, MINIMAL, mismatch, type Wish } from "./facts.ts";
import { listBreaches } from "./gather_facts.ts";
import { type AppliedSchema, appliedSchemas, locatePart, type Place } from "./places.ts";
import type { ValueMaker } from "./value_maker.ts";

/** The most values of an `enum` that are tried if no value meets all rules. */
const MAX_ENUM_VALUES = 3;

function enumValues(node: SchemaNode, keyword: string): readonly Json[] {
  const value = node.schema[keyword] as Json;
  if (keyword === "const") return [value];
  return keyword === "enum" && Array.isArray(value) ? value.slice(0, MAX_ENUM_VALUES) : [];
}

export interface WalkTarget {
  openKeywordGoals(node: SchemaNode, keyword: string): readonly KeywordGoal[];
  openExampleGoal(schema_path: string): ExampleGoal | undefined;
  /** Sends a value; returns true if that covers the goal. */
  send(value: Json, goal: Goal): boolean;
  setReason(goal: Goal, reason: string): void;
}

export const NO_VALUE = "The other rules leave no value that shows it, or none was found.";

const MAX_TRIES = 16;
const ADDITIONAL = "additional";
/** The most places at which the goals of one schema are tried. */
const MAX_VISITS = 3;

/** Visits the places of a parameter, near ones first, and sends values for the open goals there. */
export class PlaceWalk {
  readonly #maker: ValueMaker;
  readonly #target: WalkTarget;
  readonly #visits = new Map<SchemaNode, number>();

  constructor(maker: ValueMaker, target: WalkTarget) {
    this.#maker = maker;
    this.#target = target;
  }

  walk(root: Place): void {
    const open = [root];
    for (let place = open.shift(); place !== undefined; place = open.shift()) {
      for (const applied of appliedSchemas(place.demands)) {
        const visits = this.#visits.get(applied.node.plain) ?? 0;
        if (visits >= MAX_VISITS || (visits > 0 && !this.#hasOpen(applied.node))) continue;
        this.#visits.set(applied.node.plain, visits + 1);
        const places = this.#visit(place, applied);
        if (visits === 0) open.push(...places);
      }
    }
  }

  #hasOpen(node: SchemaNode): boolean {
    return usableKeywords(node).some(({ definition: { name } }) =>
      this.#target.openKeywordGoals(node, name).length > 0
    );
  }

  /** Sends values for the goals of one schema at a place; returns the places of its parts. */
  #visit(place: Place, applied: AppliedSchema): Place[] {
    const parts = listSubschemas(applied.node).filter(({ relation }) => relation !== "in_place");
    const places = new Map<AppliedPart, Place>();
    for (const part of parts) {
      const partPlace = locatePart(place, applied, part, this.#maker);
      if (partPlace !== undefined) places.set(part, partPlace);
    }
    for (const { definition: { name } } of usableKeywords(applied.node)) {
      for (const goal of this.#target.openKeywordGoals(applied.node, name)) {
        this.#sendFor(goal, place, applied, [...places].filter(([part]) => part.keyword === name));
      }
    }
    for (const { schema_path } of listExamples(applied.node)) {
      const goal = this.#target.openExampleGoal(schema_path);
      if (goal === undefined) continue;
      for (const value of place.wrap(goal.value)) if (this.#target.send(value, goal)) break;
    }
    return [...places.values()];
  }

  #sendFor(
    goal: KeywordGoal,
    place: Place,
    applied: AppliedSchema,
    parts: readonly (readonly [AppliedPart, Place])[],
  ): void {
    let tries = 0;
    for (const value of this.#candidates(goal, place, applied, parts)) {
      if (this.#target.send(value, goal) || ++tries >= MAX_TRIES) return;
    }
    if (tries === 0) this.#target.setReason(goal, NO_VALUE);
  }

  *#candidates(
    goal: KeywordGoal,
    place: Place,
    { node, routes, breaches }: AppliedSchema,
    parts: readonly (readonly [AppliedPart, Place])[],
  ): Generator<Json> {
    const { keyword, isValid } = goal;
    const wish: Wish = { ...MINIMAL, routes, breaches, excluded: place.excluded };
    const demands = [...place.demands, match(node)];
    if (isValid) {
      for (const [, part] of parts) yield* this.#makeFew(part, part.demands, MINIMAL, 2);
      for (const isFull of [false, true]) {
        for (let variant = 0; variant < 3; variant++) {
          yield* this.#makeFew(place, demands, { ...wish, isFull, variant }, 2);
        }
      }
      for (const value of enumValues(node, keyword)) yield* place.wrap(value);
      // If keywords contradict each other, a value can meet one only if it breaks another.
      for (const breach of listBreaches(node)) {
        if (breach.node.plain === node.plain && breach.keyword === keyword) continue;
        yield* this.#makeFew(place, demands, { ...wish, breaches: [...breaches, breach] }, 2);
      }
      return;
    }
    for (const [{ schema }, part] of parts) {
      const others = part.demands.filter((demand) => demand.schema !== schema);
      yield* this.#makeFew(part, [...others, mismatch(schema)], MINIMAL, 6);
    }
    const broken = { ...wish, breaches: [...breaches, { node, keyword }] };
    yield* this.#makeFew(place, demands, broken, 16);
    yield* this.#makeFew(place, demands, { ...broken, isFull: true }, 4);
    // With an additional property, as a form without fields is no body at all.
    yield* this.#makeFew(place, demands, { ...broken, requiredPart: ADDITIONAL }, 1);
    // Without the place's other schemas, whose demands may depend on a value around it.
    yield* this.#makeFew(place, [match(node)], broken, 4);
    // A value of another type counts as breaking `type` alone, but shows the schema's other keywords broken, too.
    if (keyword !== "type" && "type" in node.schema) {
      const other = { ...wish, breaches: [...breaches, { node, keyword: "type" }] };
      yield* this.#makeFew(place, demands, other, 6);
    }
    if (routes.length === 0) return;
    yield* this.#makeFew(place, [match(node)], { ...broken, breaksFreely: true }, 4);
  }

  /** Yields the first values made for a place, each within a whole value of the parameter. */
  *#makeFew(place: Place, demands: readonly Demand[], wish: Wish, limit: number): Generator<Json> {
    let count = 0;
    for (const { value } of this.#maker.candidates(demands, place.position, wish)) {
      yield* place.wrap(value);
      if (++count >= limit) return;
    }
  }
}
