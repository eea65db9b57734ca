import type { BodyDecoder } from "../http/body.ts";
import type { Decoded } from "../http/decoded.ts";
import type { FormFields } from "../http/form_fields.ts";
import type { ParameterDecoder } from "../http/parameter_style.ts";
import type { ParameterHits } from "../map/operation_hits.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { Evaluate } from "../schema/keywords/keyword.ts";
import type { SchemaUnit } from "../schema/schema_unit.ts";
import type { DocumentedBody } from "./documented_bodies.ts";

/**
 * What counting a value of a parameter needs, side by side in one object: fetching it costs more than most evaluations.
 */
export class Target {
  /** The parameter's, in its operation. */
  readonly index: number;
  /** The schema of the value. */
  readonly unit: SchemaUnit | undefined;
  /** The examples beside the schema. */
  readonly examples: readonly SchemaExample[];
  /** The hits of the parameter; undefined before the first. */
  hits: ParameterHits | undefined = undefined;
  /** The evaluation of the unit, once a value was evaluated. */
  evaluate: Evaluate | undefined = undefined;
  /** The offset of the unit's counters; set when the first value is evaluated. */
  base = 0;

  /** Starts without hits. */
  constructor(index: number, plan: ParameterPlan, unit: SchemaUnit | undefined) {
    this.index = index;
    this.unit = unit;
    this.examples = plan.ownExamples;
  }
}

/** A parameter that is one of a path's templates, and always one value. */
export class CapturedTarget extends Target {
  /** The index of the template in the path. */
  readonly template: number;
  /** The types that its text is read as. */
  readonly types: number;

  /** Starts without hits. */
  constructor(
    index: number,
    plan: ParameterPlan,
    unit: SchemaUnit | undefined,
    template: number,
    types: number,
  ) {
    super(index, plan, unit);
    this.template = template;
    this.types = types;
  }
}

/** A query parameter that only a pair of its own name carries. */
export class NamedTarget extends Target {
  /** The types that its text is read as, where it is always one value. */
  readonly types: number;
  /** Finds and decodes any other. */
  readonly decode: ParameterDecoder | undefined;
  /** The request in which it was last found, by number. */
  lastRequest = 0;

  /** Starts without hits. */
  constructor(
    index: number,
    plan: ParameterPlan,
    unit: SchemaUnit | undefined,
    types: number,
    decode: ParameterDecoder | undefined,
  ) {
    super(index, plan, unit);
    this.types = types;
    this.decode = decode;
  }
}

/** A parameter that every request is asked for. */
export class TextTarget extends Target {
  /** Finds and decodes it. */
  readonly decode: ParameterDecoder;

  /** Starts without hits. */
  constructor(
    index: number,
    plan: ParameterPlan,
    unit: SchemaUnit | undefined,
    decode: ParameterDecoder,
  ) {
    super(index, plan, unit);
    this.decode = decode;
  }
}

/** A documented body. */
export class BodyTarget extends Target implements DocumentedBody {
  /** Decodes it. */
  readonly decode: BodyDecoder;
  readonly mediaType: string | undefined;
  readonly consumes: readonly string[];
  /** Each item of sequential JSON. */
  readonly items: Target;

  /** Starts without hits. */
  constructor(
    index: number,
    plan: ParameterPlan,
    unit: SchemaUnit | undefined,
    decode: BodyDecoder,
    items: Target,
  ) {
    super(index, plan, unit);
    this.decode = decode;
    this.mediaType = plan.model.mediaType;
    this.consumes = plan.model.consumes ?? [];
    this.items = items;
  }
}

/** A field of a form (Swagger 2.0). */
export class FieldTarget extends Target {
  /** Finds and decodes it. */
  readonly decode: (fields: FormFields) => Decoded | undefined;

  /** Starts without hits. */
  constructor(
    index: number,
    plan: ParameterPlan,
    unit: SchemaUnit | undefined,
    decode: (fields: FormFields) => Decoded | undefined,
  ) {
    super(index, plan, unit);
    this.decode = decode;
  }
}
