import type { OperationPlan } from "../map/coverage_plan.ts";
import { propertyEncodings } from "../map/parameter_encoding.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import { equal } from "../schema/equal.ts";
import { getOrAdd } from "../values/collections.ts";
import type { Json } from "../values/json.ts";
import { JSON_POSITION, type Position } from "../values/position.ts";
import type { SuggestionBase } from "./suggestion.ts";
import { type Demand, Facts, type MadeValue, match, MINIMAL } from "./values/facts.ts";
import type { Place } from "./values/places.ts";
import type { ValueMaker } from "./values/value_maker.ts";
import { fileTypes } from "./write/file_parts.ts";
import { concreteMediaType, writeBody } from "./write/write_body.ts";
import { writeParameter } from "./write/write_parameter.ts";
import type { WrittenParameter } from "./write/written_parameter.ts";

export function demandsOn({ schema }: ParameterPlan): readonly Demand[] {
  return [match(schema ?? true)];
}

export function sentPositions(plan: ParameterPlan): readonly Position[] {
  return plan.positions.length === 0 ? [JSON_POSITION] : plan.positions;
}

/** Texts that can't be a path segment: the empty text, and dot segments, which URLs leave out. */
const UNSENDABLE_SEGMENTS: readonly Json[] = ["", ".", ".."];

export function unsendableValues({ model }: ParameterPlan): readonly Json[] {
  return model.location === "path" ? UNSENDABLE_SEGMENTS : [];
}

/** Returns the root places of a parameter: its value, and the items of sequential JSON. */
export function listRoots(plan: ParameterPlan, base: Json | undefined): Place[] {
  const demands = demandsOn(plan);
  const roots: Place[] = plan.positions.map((position) => ({
    demands,
    position,
    depth: 0,
    excluded: unsendableValues(plan),
    recorded: base,
    wrap: (value) => [value],
    wrapRecorded: (value) => value,
  }));
  const { itemSchema } = plan;
  if (itemSchema === undefined) return roots;
  const items = plan.itemPositions.map((position): Place => ({
    demands: [match(itemSchema)],
    position,
    depth: 1,
    excluded: [],
    recorded: undefined,
    wrap: (value) => [[value]],
    wrapRecorded: (value) => [value],
  }));
  return [...roots, ...items];
}

/** Returns the media type to send for each body; in Swagger 2.0, JSON if `consumes` has it, else the first one. */
export function bodyMediaTypes(
  { parameters }: Pick<OperationPlan, "parameters">,
): ReadonlyMap<ParameterPlan, string> {
  const bodies = parameters.filter(({ model: { location } }) => location === "body");
  const types = bodies.map(({ model: { mediaType, consumes = [] } }) =>
    mediaType ?? consumes.find((one) => /json/.test(one)) ?? consumes[0] ?? "application/json"
  );
  return new Map(bodies.map((body, index) => [body, concreteMediaType(types[index] ?? "", types)]));
}

export interface SuggestedParameter {
  readonly written: WrittenParameter;
  readonly origin: SuggestionBase;
}

/** Caches the values made for a parameter, for all operations that share it. */
export class SharedParameters {
  readonly maker: ValueMaker;
  /** The minimal value of each parameter; undefined where a complete search found none. */
  readonly minimal = new Map<ParameterPlan, SuggestedParameter | undefined>();
  readonly examples = new Map<ParameterPlan, readonly MadeValue[]>();

  constructor(maker: ValueMaker) {
    this.maker = maker;
  }
}

export class ParameterMaker {
  readonly #shared: SharedParameters;
  readonly #mediaTypes: ReadonlyMap<ParameterPlan, string>;

  constructor(shared: SharedParameters, operation: OperationPlan) {
    this.#shared = shared;
    this.#mediaTypes = bodyMediaTypes(operation);
  }

  get maker(): ValueMaker {
    return this.#shared.maker;
  }

  isValid(plan: ParameterPlan, value: Json): boolean {
    return this.maker.isValid(demandsOn(plan), value);
  }

  /** Returns a minimal valid value that a request can carry: the parameter's own example, else a generated value. */
  minimal(plan: ParameterPlan): SuggestedParameter | undefined {
    // Not cached: the media type of a body depends on the other bodies of its operation.
    if (plan.model.location === "body") return this.#findMinimal(plan);
    const { minimal } = this.#shared;
    if (minimal.has(plan)) return minimal.get(plan);
    const parameter = this.#findMinimal(plan);
    // A search that ran out of steps isn't cached: it may succeed for another operation.
    if (parameter !== undefined || !this.maker.isOutOfSteps) minimal.set(plan, parameter);
    return parameter;
  }

  #findMinimal(plan: ParameterPlan): SuggestedParameter | undefined {
    for (const example of this.validExamples(plan)) {
      const carried = this.writeMade(plan, example);
      if (carried !== undefined) return carried;
    }
    for (const position of sentPositions(plan)) {
      const excluded = unsendableValues(plan);
      const minimal = excluded.length === 0 ? MINIMAL : { ...MINIMAL, excluded };
      // A minimal array may be empty, which many parameters can't carry: the other wishes ask for an item.
      for (const wish of [minimal, { ...minimal, requiredPart: 0 }, { ...minimal, isFull: true }]) {
        const carried = this.writeMade(plan, this.maker.make(demandsOn(plan), position, wish));
        if (carried !== undefined) return carried;
      }
    }
    return undefined;
  }

  validExamples(plan: ParameterPlan): readonly MadeValue[] {
    return getOrAdd(this.#shared.examples, plan, () =>
      plan.ownExamples
        .filter(({ value }) => this.isValid(plan, value))
        .map(({ value }) => ({ value, variants: 1, facts: new Facts() })));
  }

  /** Returns the variant of a value with all optional parts; the first variants are the parameter's own examples. */
  makeVariant(plan: ParameterPlan, variant: number): MadeValue | undefined {
    const examples = this.validExamples(plan);
    const example = examples[variant];
    for (const position of sentPositions(plan)) {
      const wish = { ...MINIMAL, isFull: true, variant: Math.max(0, variant - examples.length) };
      const made = this.maker.make(demandsOn(plan), position, wish) ??
        this.maker.make(demandsOn(plan), position);
      if (made === undefined) continue;
      return { ...made, ...example, variants: made.variants + examples.length };
    }
    return example;
  }

  /** Writes a generated value as a request carries it; undefined if a request can't carry it. */
  writeMade(plan: ParameterPlan, made: MadeValue | undefined): SuggestedParameter | undefined {
    if (plan.unsupported && plan.model.location === "body") {
      // The content makes no difference, as covtool doesn't read it.
      const contentType = this.#mediaTypes.get(plan) ?? "";
      return { written: { kind: "body", contentType, body: "content" }, origin: "schema" };
    }
    if (made === undefined) return undefined;
    const written = this.write(plan, made.value);
    if (written === undefined || (written.kind === "path" && written.text === "")) return undefined;
    const examples = [...plan.ownExamples.map(({ value }) => value), ...made.facts.examples];
    const isDocumented = examples.some((value) => equal(value, made.value));
    return { written, origin: isDocumented ? "examples" : "schema" };
  }

  write(plan: ParameterPlan, value: Json): WrittenParameter | undefined {
    if (plan.model.location !== "body") return writeParameter(plan, value);
    const properties = propertyEncodings(plan.model);
    const mediaType = this.#mediaTypes.get(plan) ?? "";
    const files = fileTypes(plan.schema, properties);
    return writeBody({ shape: plan.shape, properties }, mediaType, value, files);
  }
}
