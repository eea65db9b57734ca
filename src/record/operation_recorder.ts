import type { BodyDecoder, DecodedBody } from "../http/body.ts";
import { compileBody } from "../http/body.ts";
import type { Decoded } from "../http/decoded.ts";
import { compileFormField } from "../http/form_body.ts";
import type { FormFields } from "../http/form_fields.ts";
import { readForm } from "../http/form_fields.ts";
import { essenceOf, kindOf, selectMediaType } from "../http/media_type.ts";
import type { ParameterDecoder } from "../http/parameter_style.ts";
import { compileParameter } from "../http/parameter_style.ts";
import type { RequestText } from "../http/request_text.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits, ParameterHits } from "../map/hits.ts";
import { collectionFormats, encodingOf, propertyEncodings } from "../map/parameter_encoding.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import { equalText } from "../schema/equal.ts";
import type { Json, TextSource } from "../schema/equal.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { SchemaProgram } from "../schema/schema_unit.ts";
import type { RecordedBody } from "./recorded_body.ts";

interface TextParameter {
  readonly index: number;
  readonly plan: ParameterPlan;
  readonly decode: ParameterDecoder;
}

interface BodyParameter {
  readonly index: number;
  readonly plan: ParameterPlan;
  readonly decode: BodyDecoder;
}

interface FormParameter {
  readonly index: number;
  readonly plan: ParameterPlan;
  readonly decode: (fields: FormFields) => Decoded | undefined;
}

/** Called with a parameter whose instance nests deeper than can be evaluated. */
export type ReportDeep = (plan: ParameterPlan) => void;

/** Records the requests of one operation; what decodes its parameters is prepared once. */
export class OperationRecorder {
  readonly #program: SchemaProgram;
  readonly #texts: readonly TextParameter[];
  readonly #bodies: readonly BodyParameter[];
  readonly #mediaTypes: readonly string[];
  readonly #forms: readonly FormParameter[];
  readonly #reportDeep: ReportDeep;

  /** Prepares decoding the parameters of an operation. */
  constructor(operation: OperationPlan, program: SchemaProgram, reportDeep: ReportDeep) {
    this.#program = program;
    this.#reportDeep = reportDeep;
    const texts: TextParameter[] = [];
    const bodies: BodyParameter[] = [];
    const forms: FormParameter[] = [];
    const names = namesByLocation(operation);
    operation.parameters.forEach((plan, index) => {
      const { model, shape } = plan;
      if (model.location === "body") {
        const decode = compileBody({ shape, properties: propertyEncodings(model) });
        bodies.push({ index, plan, decode });
      } else if (model.location === "form_data") {
        const formats = collectionFormats(model);
        forms.push({
          index,
          plan,
          decode: compileFormField({ name: model.name, shape, formats }),
        });
      } else {
        const claimed = new Set(names.get(model.location));
        claimed.delete(model.name);
        texts.push({
          index,
          plan,
          decode: compileParameter(encodingOf(model, shape, claimed)),
        });
      }
    });
    this.#texts = texts;
    this.#bodies = bodies;
    this.#forms = forms;
    this.#mediaTypes = bodies.map(({ plan }) => plan.model.mediaType ?? "*/*");
  }

  /** Adds one request to the hits of the operation. */
  record(request: RequestText, body: RecordedBody | undefined, hits: OperationHits): void {
    for (const { index, plan, decode } of this.#texts) {
      const decoded = decode(request);
      if (decoded === undefined) continue;
      const parameter = hits.parameter(index);
      parameter.hits++;
      if (decoded === "malformed") parameter.malformed++;
      else if (decoded !== "unsupported") {
        this.#evaluate(plan, plan.schema, parameter, decoded.value as Json, decoded.raw);
        this.#matchExamples(plan, parameter, decoded.value as Json, decoded.raw);
      }
    }
    if (body === undefined) return;
    const contentType = request.headers.get("content-type")?.trim();
    if (this.#bodies.length > 0) this.#recordBody(body, contentType, hits);
    if (this.#forms.length > 0) this.#recordForm(body, contentType, hits);
  }

  #recordBody(body: RecordedBody, contentType: string | undefined, hits: OperationHits): void {
    const selected = this.#selectBody(body, contentType);
    if (selected === undefined) return;
    const { parameter: { index, plan, decode }, mediaType } = selected;
    const parameter = hits.parameter(index);
    parameter.hits++;
    if (body.kind === "not_recorded") {
      parameter.notRecorded++;
      return;
    }
    if (body.kind === "malformed") {
      parameter.malformed++;
      return;
    }
    this.#recordDecoded(plan, parameter, decode(body.data, mediaType));
  }

  #recordDecoded(plan: ParameterPlan, parameter: ParameterHits, decoded: DecodedBody): void {
    switch (decoded.kind) {
      case "malformed":
        parameter.malformed++;
        break;
      case "value":
        this.#evaluate(plan, plan.schema, parameter, decoded.value as Json, decoded.raw);
        this.#matchExamples(plan, parameter, decoded.value as Json, decoded.raw);
        break;
      case "sequence": {
        const items = decoded.items as readonly Json[];
        for (const item of items) this.#evaluate(plan, plan.itemSchema, parameter, item, undefined);
        this.#evaluate(plan, plan.schema, parameter, items, undefined);
        this.#matchExamples(plan, parameter, items, undefined);
        break;
      }
      case "unsupported":
    }
  }

  /** The documented body that a request's Content-Type selects, and what it is decoded as. */
  #selectBody(
    body: RecordedBody,
    contentType: string | undefined,
  ): { readonly parameter: BodyParameter; readonly mediaType: string } | undefined {
    const [only] = this.#bodies;
    if (only === undefined) return undefined;
    if (only.plan.model.mediaType === undefined) return selectSwaggerBody(only, body, contentType);
    if (contentType) {
      const parameter = this.#bodies[selectMediaType(contentType, this.#mediaTypes)];
      return parameter && { parameter, mediaType: contentType };
    }
    if (this.#bodies.length === 1) {
      return { parameter: only, mediaType: assumedType(only.plan.model.mediaType, body) };
    }
    if (!parsesAsJson(body)) return undefined;
    const parameter = this.#bodies[selectMediaType("application/json", this.#mediaTypes)] ??
      this.#bodies.find(({ plan }) => kindOf(essenceOf(plan.model.mediaType ?? "")) === "json");
    return parameter && { parameter, mediaType: "application/json" };
  }

  #recordForm(body: RecordedBody, contentType: string | undefined, hits: OperationHits): void {
    if (body.kind !== "data") return;
    const fields = readForm(body.data, contentType ?? "");
    if (fields === undefined || fields === "malformed") return;
    for (const { index, plan, decode } of this.#forms) {
      const decoded = decode(fields);
      if (decoded === undefined) continue;
      const parameter = hits.parameter(index);
      parameter.hits++;
      this.#evaluate(plan, plan.schema, parameter, decoded.value as Json, decoded.raw);
      this.#matchExamples(plan, parameter, decoded.value as Json, decoded.raw);
    }
  }

  #evaluate(
    plan: ParameterPlan,
    schema: SchemaNode | boolean | undefined,
    parameter: ParameterHits,
    value: Json,
    text: TextSource | undefined,
  ): void {
    if (typeof schema !== "object") return;
    try {
      this.#program.evaluate(schema, value, parameter.counters, text);
      if (this.#program.wasTooDeep) this.#reportDeep(plan);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#reportDeep(plan); // the engine's stack ended before our own limit
    }
  }

  #matchExamples(
    plan: ParameterPlan,
    parameter: ParameterHits,
    value: Json,
    text: TextSource | undefined,
  ): void {
    const examples = plan.ownExamples;
    for (let index = 0; index < examples.length; index++) {
      const example = examples[index];
      if (example !== undefined && equalText(value, text, example.value)) {
        parameter.examples[index] = (parameter.examples[index] ?? 0) + 1;
      }
    }
  }
}

function namesByLocation(operation: OperationPlan): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { model } of operation.parameters) {
    const known = names.get(model.location);
    if (known === undefined) names.set(model.location, [model.name]);
    else known.push(model.name);
  }
  return names;
}

/** The body parameter of Swagger 2.0 takes any media type of `consumes`, or any at all where there is none. */
function selectSwaggerBody(
  parameter: BodyParameter,
  body: RecordedBody,
  contentType: string | undefined,
): { readonly parameter: BodyParameter; readonly mediaType: string } | undefined {
  const consumes = parameter.plan.model.consumes ?? [];
  if (contentType) {
    if (consumes.length > 0 && selectMediaType(contentType, consumes) < 0) return undefined;
    return { parameter, mediaType: contentType };
  }
  const [only] = consumes;
  if (only !== undefined && consumes.length === 1) {
    return { parameter, mediaType: assumedType(only, body) };
  }
  if (consumes.length > 0 && !parsesAsJson(body)) return undefined;
  return { parameter, mediaType: assumedType("*/*", body) };
}

/** What a body without Content-Type is taken for, where only this media type is documented. */
function assumedType(documented: string, body: RecordedBody): string {
  if (!documented.includes("*")) return documented;
  return parsesAsJson(body) ? "application/json" : "application/octet-stream";
}

function parsesAsJson(body: RecordedBody): boolean {
  if (body.kind !== "data") return false;
  try {
    const text = typeof body.data === "string" ? body.data : new TextDecoder().decode(body.data);
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
