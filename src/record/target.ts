import type { BodyDecoder } from "../http/body.ts";
import type { Decoded } from "../http/decoded.ts";
import type { FormFields } from "../http/form_plan.ts";
import type { ParameterDecoder } from "../http/parameter_style.ts";
import type { ParameterHits } from "../map/operation_hits.ts";
import type { OwnExample, ParameterPlan } from "../map/parameter_plan.ts";
import type { Evaluate } from "../schema/keywords/keyword.ts";
import { type Counters, NO_COUNTERS } from "../schema/counters.ts";
import type { SchemaUnit } from "../schema/schema_unit.ts";
import type { DocumentedBody } from "./documented_bodies.ts";

/**
 * Everything for counting a value of a parameter in one object, starting with what every value needs: fetching objects
 * takes longer than most evaluations. All parameters use the same object layout, so that the engine can optimize the
 * code for it.
 */
export class Target {
  /** The unit's evaluation function; set when the first value is evaluated. */
  evaluate: Evaluate | undefined = undefined;
  /** The offset of the unit's counters; set when the first value is evaluated. */
  base = 0;
  /** The parameter's counters; set when the first value is evaluated. */
  counters: Counters = NO_COUNTERS;
  /** The index of the counter of hits; negative until the first hit. */
  at = -1;
  /** The types that its text is converted to, if it is always a single value. */
  readonly types: number;
  readonly examples: readonly OwnExample[];
  /** The index of each value that the schema lists; undefined if it lists none. */
  readonly values: ReadonlyMap<unknown, number> | undefined;
  /** The next path parameter. */
  next: Target | undefined = undefined;
  /** The index of its template among the captures; negative if it isn't in the path. */
  readonly template: number;
  /** The number of the last request with this parameter; not updated for path parameters. */
  lastRequest = 0;
  /** Finds and decodes the parameter in a request; undefined if it is always a single value. */
  readonly decode: ParameterDecoder | undefined;
  readonly unit: SchemaUnit | undefined;
  hits: ParameterHits | undefined = undefined;
  readonly index: number;
  /** True if the schema is `false`, which rejects every value. */
  readonly rejectsAll: boolean;

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
    this.rejectsAll = plan.schema === false;
  }
}

export class BodyTarget implements DocumentedBody {
  readonly value: Target;
  readonly mediaType: string | undefined;
  readonly consumes: readonly string[];
  readonly items: Target;
  readonly plan: ParameterPlan;
  /** Decodes bodies other than JSON. */
  decode: BodyDecoder | undefined = undefined;

  constructor(plan: ParameterPlan, value: Target, items: Target) {
    this.value = value;
    this.mediaType = plan.model.mediaType;
    this.consumes = plan.model.consumes ?? [];
    this.items = items;
    this.plan = plan;
  }
}

/** A form field (Swagger 2.0). */
export interface FieldTarget {
  readonly value: Target;
  readonly decode: (fields: FormFields) => Decoded | undefined;
}
