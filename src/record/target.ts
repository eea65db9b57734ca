import type { BodyDecoder } from "../http/body.ts";
import type { Decoded } from "../http/decoded.ts";
import type { FormFields } from "../http/form_plan.ts";
import type { ParameterDecoder } from "../http/parameter_style.ts";
import type { ParameterHits } from "../map/operation_hits.ts";
import type { OwnExample, ParameterPlan } from "../map/parameter_plan.ts";
import type { Evaluate } from "../schema/keywords/keyword.ts";
import { type Counters, NO_COUNTERS } from "../schema/evaluation_context.ts";
import type { SchemaUnit } from "../schema/schema_unit.ts";
import type { DocumentedBody } from "./documented_bodies.ts";

/**
 * Everything that counting a value of a parameter needs, in one object, with what every value needs first: fetching it
 * costs more than most evaluations. All parameters have the same object layout, so that the engine optimizes the code
 * that counts them for it.
 */
export class Target {
  /** The evaluation of the unit, once a value was evaluated. */
  evaluate: Evaluate | undefined = undefined;
  /** The offset of the unit's counters; set when the first value is evaluated. */
  base = 0;
  /** The counters of the parameter, once a value was evaluated. */
  counters: Counters = NO_COUNTERS;
  /** The index of the count of its hits; negative until the first. */
  at = -1;
  /** The types that its text is read as, where it is always one value. */
  readonly types: number;
  /** The examples of the parameter itself, outside its schema. */
  readonly examples: readonly OwnExample[];
  /** The index of each value that the schema names; undefined if it names none. */
  readonly values: ReadonlyMap<unknown, number> | undefined;
  /** The parameter that is asked for after it. */
  next: Target | undefined = undefined;
  /** The index of its template in the path; negative if it isn't in the path. */
  readonly template: number;
  /** The request that sent it last, by number; not kept for parameters of the path. */
  lastRequest = 0;
  /** Finds and decodes it; undefined where it is one value. */
  readonly decode: ParameterDecoder | undefined;
  readonly unit: SchemaUnit | undefined;
  hits: ParameterHits | undefined = undefined;
  /** The parameter's, in its operation. */
  readonly index: number;
  /** True if the schema is `false`, which refuses every value. */
  readonly refuses: boolean;

  constructor(
    index: number,
    plan: ParameterPlan,
    unit: SchemaUnit | undefined,
    types = 0,
    decode?: ParameterDecoder,
    template = -1,
  ) {
    this.types = types;
    this.examples = plan.ownExamples;
    const { values } = plan;
    this.values = values.length === 0 ? undefined : new Map(values.map((value, at) => [value, at]));
    this.template = template;
    this.decode = decode;
    this.unit = unit;
    this.index = index;
    this.refuses = plan.schema === false;
  }
}

export class BodyTarget implements DocumentedBody {
  readonly value: Target;
  readonly mediaType: string | undefined;
  readonly consumes: readonly string[];
  readonly items: Target;
  readonly plan: ParameterPlan;
  /** Decodes it; JSON, as most are, is decoded without. */
  decode: BodyDecoder | undefined = undefined;

  constructor(plan: ParameterPlan, value: Target, items: Target) {
    this.value = value;
    this.mediaType = plan.model.mediaType;
    this.consumes = plan.model.consumes ?? [];
    this.items = items;
    this.plan = plan;
  }
}

/** A field of a form (Swagger 2.0). */
export interface FieldTarget {
  readonly value: Target;
  readonly decode: (fields: FormFields) => Decoded | undefined;
}
