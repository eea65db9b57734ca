import type { BodyDecoder, DecodedBody } from "../http/body.ts";
import { compileBody } from "../http/body.ts";
import type { Decoded, RawText } from "../http/decoded.ts";
import type { JsonValue } from "../http/json_value.ts";
import { compileFormField } from "../http/form_body.ts";
import type { ParameterEncoding } from "../http/encoding.ts";
import type { FormFields } from "../http/form_fields.ts";
import { readForm } from "../http/form_fields.ts";
import { essenceOf, kindOf, selectMediaType } from "../http/media_type.ts";
import type { ParameterDecoder } from "../http/parameter_style.ts";
import { compileParameter } from "../http/parameter_style.ts";
import type { RequestText } from "../http/request_text.ts";
import { OBJECT } from "../json_type.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits, ParameterHits } from "../map/hits.ts";
import { collectionFormats, encodingOf, propertyEncodings } from "../map/parameter_encoding.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import { equalText } from "../schema/equal.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { SchemaProgram, SchemaUnit } from "../schema/schema_unit.ts";
import type { RecordedBody } from "./recorded_body.ts";

/** What is evaluated of a parameter, kept beside its decoder: looking it up costs more than most evaluations. */
interface Target {
  readonly index: number;
  readonly plan: ParameterPlan;
  /** The schema of the value. */
  readonly unit: SchemaUnit | undefined;
  /** The examples beside the schema. */
  readonly examples: readonly SchemaExample[];
}

interface TextParameter extends Target {
  readonly decode: ParameterDecoder;
  /** The request in which it was last found by its name, by number. */
  lastRequest: number;
}

interface BodyParameter extends Target {
  /** The schema of each item of sequential JSON. */
  readonly itemUnit: SchemaUnit | undefined;
  readonly decode: BodyDecoder;
}

interface FormParameter extends Target {
  readonly decode: (fields: FormFields) => Decoded | undefined;
}

/** Records the requests of one operation; what decodes its parameters is prepared once. */
export class OperationRecorder {
  readonly #program: SchemaProgram;
  /** Parameters that every request is asked for. */
  readonly #texts: readonly TextParameter[];
  /** Query parameters that only a pair of their own name carries: most requests carry few of many. */
  readonly #named: ReadonlyMap<string, TextParameter>;
  readonly #cookies: readonly TextParameter[];
  #requests = 0;
  readonly #bodies: readonly BodyParameter[];
  readonly #mediaTypes: readonly string[];
  readonly #forms: readonly FormParameter[];

  /** Prepares decoding the parameters of an operation. */
  constructor(operation: OperationPlan, program: SchemaProgram) {
    this.#program = program;
    const texts: TextParameter[] = [];
    const named = new Map<string, TextParameter>();
    const cookies: TextParameter[] = [];
    const bodies: BodyParameter[] = [];
    const forms: FormParameter[] = [];
    const names = namesByLocation(operation);
    operation.parameters.forEach((plan, index) => {
      const { model, shape } = plan;
      const target = {
        index,
        plan,
        unit: unitOf(plan.schema, program),
        examples: plan.ownExamples,
      };
      if (model.location === "body") {
        const decode = compileBody({ shape, properties: propertyEncodings(model) });
        bodies.push({ ...target, decode, itemUnit: unitOf(plan.itemSchema, program) });
      } else if (model.location === "form_data") {
        const formats = collectionFormats(model);
        forms.push({
          ...target,
          decode: compileFormField({ name: model.name, shape, formats }),
        });
      } else {
        const claimed = new Set(names.get(model.location));
        claimed.delete(model.name);
        const encoding = encodingOf(model, shape, claimed);
        const decode = compileParameter(encoding);
        const parameter = { ...target, decode, lastRequest: 0 };
        if (isCarriedByName(encoding)) named.set(model.name, parameter);
        else (model.location === "cookie" ? cookies : texts).push(parameter);
      }
    });
    this.#texts = texts;
    this.#named = named;
    this.#cookies = cookies;
    this.#bodies = bodies;
    this.#forms = forms;
    this.#mediaTypes = bodies.map(({ plan }) => plan.model.mediaType ?? "*/*");
  }

  /** Adds one request to the hits of the operation. */
  record(request: RequestText, body: RecordedBody | undefined, hits: OperationHits): void {
    for (const parameter of this.#texts) this.#recordText(parameter, request, hits);
    if (this.#named.size > 0 && request.queryText !== "") {
      const number = ++this.#requests;
      for (const { name } of request.query) {
        const parameter = this.#named.get(name);
        if (parameter === undefined || parameter.lastRequest === number) continue;
        parameter.lastRequest = number;
        this.#recordText(parameter, request, hits);
      }
    }
    if (this.#cookies.length > 0 && request.cookies.length > 0) {
      for (const parameter of this.#cookies) this.#recordText(parameter, request, hits);
    }
    if (body === undefined) return;
    const contentType = request.headers.get("content-type")?.trim();
    if (this.#bodies.length > 0) this.#recordBody(body, contentType, hits);
    if (this.#forms.length > 0) this.#recordForm(body, contentType, hits);
  }

  #recordText(target: TextParameter, request: RequestText, hits: OperationHits): void {
    const decoded = target.decode(request);
    if (decoded === undefined) return;
    const parameter = hits.parameter(target.index);
    parameter.hits++;
    if (decoded === "malformed") parameter.malformed++;
    else if (decoded !== "unsupported") this.#recordValue(target, parameter, decoded);
  }

  #recordValue(
    target: Target,
    parameter: ParameterHits,
    { value, raw }: { readonly value: JsonValue; readonly raw: RawText | undefined },
  ): void {
    this.#evaluate(target.unit, parameter, value, raw);
    const { examples } = target;
    for (let index = 0; index < examples.length; index++) {
      const example = examples[index] as SchemaExample; // within its bounds
      if (equalText(value, raw, example.value)) {
        parameter.examples[index] = (parameter.examples[index] ?? 0) + 1;
      }
    }
  }

  #recordBody(body: RecordedBody, contentType: string | undefined, hits: OperationHits): void {
    const selected = this.#selectBody(body, contentType);
    if (selected === undefined) return;
    const { parameter: target, mediaType } = selected;
    const parameter = hits.parameter(target.index);
    parameter.hits++;
    if (body.kind === "not_recorded") parameter.notRecorded++;
    else if (body.kind === "malformed") parameter.malformed++;
    else this.#recordDecoded(target, parameter, target.decode(body.data, mediaType));
  }

  #recordDecoded(target: BodyParameter, parameter: ParameterHits, decoded: DecodedBody): void {
    switch (decoded.kind) {
      case "malformed":
        parameter.malformed++;
        break;
      case "value":
        this.#recordValue(target, parameter, decoded);
        break;
      case "sequence":
        for (const item of decoded.items) {
          this.#evaluate(target.itemUnit, parameter, item, undefined);
        }
        this.#recordValue(target, parameter, { value: decoded.items, raw: undefined });
        break;
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
    for (const target of this.#forms) {
      const decoded = target.decode(fields);
      if (decoded === undefined) continue;
      const parameter = hits.parameter(target.index);
      parameter.hits++;
      this.#recordValue(target, parameter, decoded);
    }
  }

  #evaluate(
    unit: SchemaUnit | undefined,
    parameter: ParameterHits,
    value: JsonValue,
    text: RawText | undefined,
  ): void {
    if (unit === undefined) return;
    try {
      this.#program.evaluateUnit(unit, value, parameter.counters, text);
      if (this.#program.wasTooDeep) parameter.nestedTooDeep = true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      parameter.nestedTooDeep = true; // the engine's stack ended before our own limit
    }
  }
}

function unitOf(
  schema: SchemaNode | boolean | undefined,
  program: SchemaProgram,
): SchemaUnit | undefined {
  return typeof schema === "object" ? program.unit(schema) : undefined;
}

/** Whether only pairs of exactly its name carry a query parameter. */
function isCarriedByName(encoding: ParameterEncoding): boolean {
  if (encoding.location !== "query" || encoding.kind === "querystring") return false;
  if (encoding.kind !== "style") return true;
  const { style, explode, shape } = encoding;
  if (style === "deepObject") return false;
  return !explode || shape.types === 0 || (shape.types & OBJECT) === 0;
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
