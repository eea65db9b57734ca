import type { OperationPlan } from "../map/coverage_plan.ts";
import { propertyEncodings } from "../map/parameter_encoding.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import { equal } from "../schema/equal.ts";
import { getOrAdd } from "../values/collections.ts";
import type { Json } from "../values/json.ts";
import { bodyMediaTypes, demandsOn, sentPositions, unsendable } from "./parameter_values.ts";
import type { SuggestionBase } from "./suggestion.ts";
import { Facts, LEAST, type Made } from "./values/facts.ts";
import type { ValueMaker } from "./values/value_maker.ts";
import { fileTypes } from "./write/file_parts.ts";
import { anyBody, writeBody } from "./write/write_body.ts";
import { writeParameter } from "./write/write_parameter.ts";
import type { WrittenParameter } from "./write/written_parameter.ts";

export interface CarriedParameter {
  readonly written: WrittenParameter;
  readonly origin: SuggestionBase;
}

/** Caches the values made for a parameter, for all operations that share it. */
export class SharedValues {
  readonly maker: ValueMaker;
  /** The minimal value of each parameter; undefined where a complete search found none. */
  readonly least = new Map<ParameterPlan, CarriedParameter | undefined>();
  readonly examples = new Map<ParameterPlan, readonly Made[]>();

  constructor(maker: ValueMaker) {
    this.maker = maker;
  }
}

/** Makes valid values for an operation's parameters, and writes them as a request carries them. */
export class CarriedValues {
  readonly #shared: SharedValues;
  readonly #mediaTypes: ReadonlyMap<ParameterPlan, string>;

  constructor(shared: SharedValues, operation: OperationPlan) {
    this.#shared = shared;
    this.#mediaTypes = bodyMediaTypes(operation);
  }

  get maker(): ValueMaker {
    return this.#shared.maker;
  }

  #mediaType(plan: ParameterPlan): string {
    return this.#mediaTypes.get(plan) ?? "";
  }

  isValid(plan: ParameterPlan, value: Json): boolean {
    return this.maker.isValid(demandsOn(plan), value);
  }

  /** Returns a minimal valid value that a request can carry: the parameter's own example, else a generated value. */
  least(plan: ParameterPlan): CarriedParameter | undefined {
    // Not cached: the media type of a body depends on the other bodies of its operation.
    if (plan.model.location === "body") return this.#findLeast(plan);
    const { least } = this.#shared;
    if (least.has(plan)) return least.get(plan);
    const found = this.#findLeast(plan);
    // A search that ran out of steps isn't cached: it may succeed for another operation.
    if (found !== undefined || !this.maker.isSpent) least.set(plan, found);
    return found;
  }

  #findLeast(plan: ParameterPlan): CarriedParameter | undefined {
    for (const example of this.validExamples(plan)) {
      const carried = this.carry(plan, example);
      if (carried !== undefined) return carried;
    }
    for (const position of sentPositions(plan)) {
      const excluded = unsendable(plan);
      const least = excluded.length === 0 ? LEAST : { ...LEAST, excluded };
      // A minimal array may be empty, which many parameters can't carry: the other wishes ask for an item.
      for (const wish of [least, { ...least, includes: 0 }, { ...least, isFull: true }]) {
        const carried = this.carry(plan, this.maker.valid(demandsOn(plan), position, wish));
        if (carried !== undefined) return carried;
      }
    }
    return undefined;
  }

  validExamples(plan: ParameterPlan): readonly Made[] {
    return getOrAdd(this.#shared.examples, plan, () =>
      plan.ownExamples
        .filter(({ value }) => this.isValid(plan, value))
        .map(({ value }) => ({ value, width: 1, facts: new Facts() })));
  }

  /** Returns the variant of a value with all optional parts; the first variants are the parameter's own examples. */
  variant(plan: ParameterPlan, variant: number): Made | undefined {
    const examples = this.validExamples(plan);
    const example = examples[variant];
    for (const position of sentPositions(plan)) {
      const wish = { ...LEAST, isFull: true, variant: Math.max(0, variant - examples.length) };
      const made = this.maker.valid(demandsOn(plan), position, wish) ??
        this.maker.valid(demandsOn(plan), position);
      if (made === undefined) continue;
      return { ...made, ...example, width: made.width + examples.length };
    }
    return example;
  }

  /** Writes a generated value as a request carries it; undefined if a request can't carry it. */
  carry(plan: ParameterPlan, made: Made | undefined): CarriedParameter | undefined {
    if (plan.unsupported && plan.model.location === "body") {
      return { written: anyBody(this.#mediaType(plan)), origin: "schema" };
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
    const files = fileTypes(plan.schema, properties);
    return writeBody({ shape: plan.shape, properties }, this.#mediaType(plan), value, files);
  }
}
