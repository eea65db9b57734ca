import type { BodyDecoder, DecodedBody } from "../http/body.ts";
import { compileBody } from "../http/body.ts";
import type { Decoded, RawText } from "../http/decoded.ts";
import type { JsonValue } from "../http/json_value.ts";
import { compileFormField } from "../http/form_body.ts";
import type { ParameterEncoding } from "../http/encoding.ts";
import type { FormFields } from "../http/form_fields.ts";
import { readForm } from "../http/form_fields.ts";
import type { ParameterDecoder } from "../http/parameter_style.ts";
import { carriesScalar, compileParameter } from "../http/parameter_style.ts";
import { decodeFormText, decodePercent } from "../http/percent.ts";
import type { RequestText } from "../http/request_text.ts";
import { readText } from "../http/text_value.ts";
import { OBJECT } from "../json_type.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits, ParameterHits } from "../map/hits.ts";
import { collectionFormats, encodingOf, propertyEncodings } from "../map/parameter_encoding.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import { equalText } from "../schema/equal.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { Evaluate } from "../schema/keywords/keyword.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { SchemaProgram, SchemaUnit } from "../schema/schema_unit.ts";
import { DocumentedBodies, type DocumentedBody } from "./documented_bodies.ts";
import type { RecordedBody } from "./recorded_body.ts";
import { ResponseRecorder } from "./response_recorder.ts";

/** What counting a value of a parameter needs, kept side by side: fetching it costs more than most evaluations. */
interface Target {
  readonly index: number;
  /** The schema of the value. */
  readonly unit: SchemaUnit | undefined;
  /** The examples beside the schema. */
  readonly examples: readonly SchemaExample[];
  /** What was seen of it, once it was. */
  hits: ParameterHits | undefined;
  /** The evaluation of the unit, and where its counters begin, once a value was evaluated. */
  evaluate: Evaluate | undefined;
  base: number;
}

interface TextParameter extends Target {
  readonly decode: ParameterDecoder;
  /** Where its text is always one value: the types to read it as. */
  readonly scalarTypes: number | undefined;
  /** The request in which it was last found by its name, by number. */
  lastRequest: number;
}

/** One of a path's templates, whose text is always one value. */
interface CapturedParameter extends Target {
  /** Which of the templates. */
  readonly template: number;
  /** The types to read it as. */
  readonly types: number;
}

interface BodyParameter extends Target, DocumentedBody {
  readonly decode: BodyDecoder;
  /** Each item of sequential JSON. */
  readonly items: Target;
}

interface FormParameter extends Target {
  readonly decode: (fields: FormFields) => Decoded | undefined;
}

/** Records the requests of one operation; what decodes its parameters is prepared once. */
export class OperationRecorder {
  /** What was seen of the operation. */
  readonly hits: OperationHits;
  /** What records its responses. */
  readonly responses: ResponseRecorder;
  readonly #program: SchemaProgram;
  readonly #captured: readonly CapturedParameter[];
  /** Parameters that every request is asked for. */
  readonly #texts: readonly TextParameter[];
  /** Query parameters that only a pair of their own name carries: most requests carry few of many. */
  readonly #named: ReadonlyMap<string, TextParameter>;
  readonly #cookies: readonly TextParameter[];
  #requests = 0;
  readonly #bodies: DocumentedBodies<BodyParameter> | undefined;
  readonly #forms: readonly FormParameter[];

  /** Prepares decoding the parameters of an operation, and counts into the hits. */
  constructor(operation: OperationPlan, program: SchemaProgram, hits: OperationHits) {
    this.hits = hits;
    this.responses = new ResponseRecorder(operation, hits);
    this.#program = program;
    const captured: CapturedParameter[] = [];
    const texts: TextParameter[] = [];
    const named = new Map<string, TextParameter>();
    const cookies: TextParameter[] = [];
    const bodies: BodyParameter[] = [];
    const forms: FormParameter[] = [];
    const names = namesByLocation(operation);
    const templates = parsePathTemplate(operation.model.path)?.names ?? [];
    operation.parameters.forEach((plan, index) => {
      const { model, shape } = plan;
      const unit = unitOf(plan.schema, program);
      const begun = { hits: undefined, evaluate: undefined, base: 0 };
      const target: Target = { index, unit, examples: plan.ownExamples, ...begun };
      if (model.location === "body") {
        const decode = compileBody({ shape, properties: propertyEncodings(model) });
        const items = { ...target, unit: unitOf(plan.itemSchema, program) };
        const { mediaType, consumes = [] } = model;
        bodies.push({ ...target, decode, mediaType, consumes, items });
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
        const template = templates.lastIndexOf(model.name);
        const isScalar = carriesScalar(encoding);
        if (isScalar && encoding.location === "path") {
          if (template >= 0) captured.push({ ...target, template, types: shape.types });
          return;
        }
        const decode = compileParameter(encoding, template);
        const scalarTypes = isScalar ? shape.types : undefined;
        const parameter = { ...target, decode, scalarTypes, lastRequest: 0 };
        if (isCarriedByName(encoding)) named.set(model.name, parameter);
        else (model.location === "cookie" ? cookies : texts).push(parameter);
      }
    });
    this.#captured = captured;
    this.#texts = texts;
    this.#named = named;
    this.#cookies = cookies;
    this.#bodies = bodies.length === 0 ? undefined : new DocumentedBodies(bodies);
    this.#forms = forms;
  }

  /** Adds one request to the hits of the operation. */
  record(request: RequestText, body: RecordedBody | undefined): void {
    for (const parameter of this.#captured) {
      const text = request.captures[parameter.template];
      if (text !== undefined) this.#recordScalar(parameter, decodePercent(text), parameter.types);
    }
    for (const parameter of this.#texts) this.#recordText(parameter, request);
    if (this.#named.size > 0 && request.queryText !== "") this.#recordNamed(request);
    if (this.#cookies.length > 0 && request.cookies.length > 0) {
      for (const parameter of this.#cookies) this.#recordText(parameter, request);
    }
    if (body === undefined) return;
    const contentType = request.headers.get("content-type")?.trim();
    if (this.#bodies !== undefined) this.#recordBody(this.#bodies, body, contentType);
    if (this.#forms.length > 0) this.#recordForm(body, contentType);
  }

  #recordNamed(request: RequestText): void {
    const number = ++this.#requests;
    for (const { name, value } of request.query) {
      const parameter = this.#named.get(name);
      if (parameter === undefined || parameter.lastRequest === number) continue;
      parameter.lastRequest = number;
      const { scalarTypes } = parameter;
      if (scalarTypes === undefined) this.#recordText(parameter, request);
      else this.#recordScalar(parameter, decodeFormText(value), scalarTypes);
    }
  }

  #recordText(target: TextParameter, request: RequestText): void {
    const decoded = target.decode(request);
    if (decoded === undefined) return;
    const parameter = this.#hit(target);
    if (decoded === "malformed") parameter.malformed++;
    else if (decoded !== "unsupported") {
      this.#recordValue(target, parameter, decoded.value, decoded.raw);
    }
  }

  #recordScalar(target: Target, text: string, types: number): void {
    const parameter = this.#hit(target);
    this.#recordValue(target, parameter, readText(text, types), { text, parts: undefined });
  }

  #hit(target: Target): ParameterHits {
    const parameter = target.hits ??= this.hits.parameter(target.index);
    parameter.hits++;
    return parameter;
  }

  #recordValue(
    target: Target,
    parameter: ParameterHits,
    value: JsonValue,
    raw: RawText | undefined,
  ): void {
    this.#evaluate(target, parameter, value, raw);
    const { examples } = target;
    for (let index = 0; index < examples.length; index++) {
      const example = examples[index] as SchemaExample; // within its bounds
      if (equalText(value, raw, example.value)) {
        parameter.examples[index] = (parameter.examples[index] ?? 0) + 1;
      }
    }
  }

  #recordBody(
    bodies: DocumentedBodies<BodyParameter>,
    body: RecordedBody,
    contentType: string | undefined,
  ): void {
    const selected = bodies.select(body, contentType);
    if (selected === undefined) return;
    const { documented: target, mediaType } = selected;
    const parameter = this.#hit(target);
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
        this.#recordValue(target, parameter, decoded.value, decoded.raw);
        break;
      case "sequence":
        for (const item of decoded.items) this.#evaluate(target.items, parameter, item, undefined);
        this.#recordValue(target, parameter, decoded.items, undefined);
        break;
      case "unsupported":
    }
  }

  #recordForm(body: RecordedBody, contentType: string | undefined): void {
    if (body.kind !== "data") return;
    const fields = readForm(body.data, contentType ?? "");
    if (fields === undefined || fields === "malformed") return;
    for (const target of this.#forms) {
      const decoded = target.decode(fields);
      if (decoded === undefined) continue;
      this.#recordValue(target, this.#hit(target), decoded.value, decoded.raw);
    }
  }

  #evaluate(
    target: Target,
    parameter: ParameterHits,
    value: JsonValue,
    text: RawText | undefined,
  ): void {
    const { unit } = target;
    if (unit === undefined) return;
    const { counters } = parameter;
    try {
      if (target.evaluate === undefined) {
        target.base = counters.baseOf(unit);
        target.evaluate = unit.entrance;
      }
      const { evaluate, base } = target;
      this.#program.enter(evaluate, value, counters, this.hits.store, base, text);
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
