import type { RawText } from "../values/raw_text.ts";
import type { Json } from "../values/json.ts";
import type { DecodedBody } from "../http/body.ts";
import { compileBody } from "../http/body.ts";
import { compileFormField } from "../http/form_body.ts";
import type { Names, ParameterEncoding } from "../http/encoding.ts";
import { readForm } from "../http/form_fields.ts";
import { carriesScalar, compileParameter, type ParameterDecoder } from "../http/parameter_style.ts";
import { decodeFormText, decodePercent } from "../http/percent.ts";
import type { RequestText } from "../http/request_text.ts";
import { readText } from "../http/text_value.ts";
import { OBJECT } from "../values/json_type.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits, ParameterHits } from "../map/operation_hits.ts";
import { collectionFormats, encodingOf, propertyEncodings } from "../map/parameter_encoding.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import { equalText } from "../schema/equal.ts";
import type { SchemaExample } from "../schema/examples.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { SchemaProgram, SchemaUnit } from "../schema/schema_unit.ts";
import { DocumentedBodies } from "./documented_bodies.ts";
import type { RecordedBody } from "./recorded_body.ts";
import { ResponseRecorder } from "./response_recorder.ts";
import {
  BodyTarget,
  CapturedTarget,
  FieldTarget,
  NamedTarget,
  Target,
  TextTarget,
} from "./target.ts";

/** Records the requests of one operation; what decodes its parameters is prepared once. */
export class OperationRecorder {
  /** The hits of the operation. */
  readonly hits: OperationHits;
  /** The recorder of its responses. */
  readonly responses: ResponseRecorder;
  readonly #program: SchemaProgram;
  readonly #captured: readonly CapturedTarget[];
  /** Parameters that every request is asked for. */
  readonly #texts: readonly TextTarget[];
  /** Query parameters that only a pair of their own name carries: most requests carry few of many. */
  readonly #named: ReadonlyMap<string, NamedTarget> | undefined;
  readonly #cookies: readonly TextTarget[];
  #requests = 0;
  readonly #bodies: DocumentedBodies<BodyTarget> | undefined;
  readonly #forms: readonly FieldTarget[];

  /** Prepares decoding the parameters of an operation, and counts into the hits. */
  constructor(operation: OperationPlan, program: SchemaProgram, hits: OperationHits) {
    this.hits = hits;
    this.responses = new ResponseRecorder(operation, hits);
    this.#program = program;
    const captured: CapturedTarget[] = [];
    const texts: TextTarget[] = [];
    const named = new Map<string, NamedTarget>();
    const cookies: TextTarget[] = [];
    const bodies: BodyTarget[] = [];
    const forms: FieldTarget[] = [];
    const beside = new NamesBeside(operation);
    const templates = parsePathTemplate(operation.model.path)?.names ?? [];
    operation.parameters.forEach((plan, index) => {
      const { model, shape } = plan;
      const unit = unitOf(plan.schema, program);
      if (model.location === "body") {
        const form = { shape, properties: propertyEncodings(model) };
        const decode = compileBody(form, () => plan.comparesText);
        const items = new Target(index, plan, unitOf(plan.itemSchema, program));
        bodies.push(new BodyTarget(index, plan, unit, decode, items));
      } else if (model.location === "form_data") {
        const formats = collectionFormats(model);
        const decode = compileFormField({ name: model.name, shape, formats });
        forms.push(new FieldTarget(index, plan, unit, decode));
      } else {
        // Only objects leave names to the parameters beside them.
        const claimed = (shape.types & OBJECT) === 0 ? undefined : beside.of(plan);
        const encoding = encodingOf(model, shape, claimed);
        const template = templates.lastIndexOf(model.name);
        if (!carriesScalar(encoding)) {
          const decode = compileParameter(encoding, template);
          if (isCarriedByName(encoding)) {
            named.set(model.name, new NamedTarget(index, plan, unit, 0, decode));
          } else {
            const asked = model.location === "cookie" ? cookies : texts;
            asked.push(new TextTarget(index, plan, unit, decode));
          }
        } else if (encoding.location !== "path") {
          named.set(model.name, new NamedTarget(index, plan, unit, shape.types, undefined));
        } else if (template >= 0) {
          captured.push(new CapturedTarget(index, plan, unit, template, shape.types));
        }
      }
    });
    this.#captured = orNone(captured);
    this.#texts = orNone(texts);
    this.#named = named.size === 0 ? undefined : named;
    this.#cookies = orNone(cookies);
    this.#bodies = bodies.length === 0 ? undefined : new DocumentedBodies(bodies);
    this.#forms = orNone(forms);
  }

  /** Adds one request to the hits of the operation. */
  record(request: RequestText, body: RecordedBody | undefined): void {
    for (const parameter of this.#captured) {
      const text = request.captures[parameter.template];
      if (text !== undefined) this.#recordScalar(parameter, decodePercent(text), parameter.types);
    }
    for (const parameter of this.#texts) {
      this.#recordParameter(parameter, parameter.decode(request));
    }
    if (this.#named !== undefined && request.queryText !== "") {
      this.#recordNamed(this.#named, request);
    }
    if (this.#cookies.length > 0 && request.cookies.length > 0) {
      for (const parameter of this.#cookies) {
        this.#recordParameter(parameter, parameter.decode(request));
      }
    }
    if (body === undefined) return;
    const contentType = request.headers.get("content-type")?.trim();
    const isBody = this.#bodies !== undefined && this.#recordBody(this.#bodies, body, contentType);
    const isForm = this.#forms.length > 0 && this.#recordForm(body, contentType);
    if (!isBody && !isForm) this.hits.undocumentedBodies.add(contentType);
  }

  #recordNamed(named: ReadonlyMap<string, NamedTarget>, request: RequestText): void {
    const number = ++this.#requests;
    for (const { name, value } of request.query) {
      const parameter = named.get(name);
      if (parameter === undefined || parameter.lastRequest === number) continue;
      parameter.lastRequest = number;
      const { decode } = parameter;
      if (decode === undefined) {
        this.#recordScalar(parameter, decodeFormText(value), parameter.types);
      } else this.#recordParameter(parameter, decode(request));
    }
  }

  #recordParameter(target: Target, decoded: ReturnType<ParameterDecoder>): void {
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
    const { fresh, now } = this.hits.store;
    if (parameter.hits < fresh && now < parameter.firstAt) parameter.firstAt = now;
    parameter.hits++;
    return parameter;
  }

  #recordValue(
    target: Target,
    parameter: ParameterHits,
    value: Json,
    raw: RawText | undefined,
  ): void {
    const text = raw?.text;
    // Read as an array or a number, it would no longer be told apart.
    if (text !== undefined && this.#program.isReplaced(text)) {
      parameter.replaced = true;
      return;
    }
    this.#evaluate(target, parameter, value, raw);
    const { examples } = target;
    for (let index = 0; index < examples.length; index++) {
      const example = examples[index] as SchemaExample; // within its bounds
      if (equalText(value, raw, example.value)) {
        parameter.examples[index] = (parameter.examples[index] ?? 0) + 1;
        const { now } = this.hits.store;
        if (now < (parameter.exampleFirsts[index] ?? Infinity)) {
          parameter.exampleFirsts[index] = now;
        }
      }
    }
  }

  /** False if the description has no such body. */
  #recordBody(
    bodies: DocumentedBodies<BodyTarget>,
    body: RecordedBody,
    contentType: string | undefined,
  ): boolean {
    const selected = bodies.select(body, contentType);
    if (selected === undefined) return false;
    const { documented: target, mediaType } = selected;
    const parameter = this.#hit(target);
    if (body.kind === "not_recorded") parameter.notRecorded++;
    else if (body.kind === "malformed") parameter.malformed++;
    else this.#recordDecoded(target, parameter, target.decode(body.data, mediaType));
    return true;
  }

  #recordDecoded(target: BodyTarget, parameter: ParameterHits, decoded: DecodedBody): void {
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

  /** False if the body is no form. */
  #recordForm(body: RecordedBody, contentType: string | undefined): boolean {
    if (body.kind !== "data") return true; // whatever it was
    const fields = readForm(body.data, contentType ?? "");
    if (fields === undefined) return false;
    if (fields === "malformed") return true;
    for (const target of this.#forms) {
      const decoded = target.decode(fields);
      if (decoded === undefined) continue;
      this.#recordValue(target, this.#hit(target), decoded.value, decoded.raw);
    }
    return true;
  }

  #evaluate(
    target: Target,
    parameter: ParameterHits,
    value: Json,
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
      if (this.#program.wasReplaced) parameter.replaced = true;
      if (this.#program.wasUnjudged) parameter.patternUnjudged = true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      parameter.nestedTooDeep = true; // the engine's stack ended before our own limit
    }
  }
}

const NONE: readonly never[] = [];

/** The same list for all that are empty: it is always at hand. */
function orNone<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : list;
}

function unitOf(
  schema: SchemaNode | boolean | undefined,
  program: SchemaProgram,
): SchemaUnit | undefined {
  return typeof schema === "object" ? program.unit(schema) : undefined;
}

/** True if only pairs with exactly its name carry a query parameter. */
function isCarriedByName(encoding: ParameterEncoding): boolean {
  if (encoding.location !== "query" || encoding.kind === "querystring") return false;
  if (encoding.kind !== "style") return true;
  const { style, explode, shape } = encoding;
  if (style === "deepObject") return false;
  return !explode || shape.types === 0 || (shape.types & OBJECT) === 0;
}

/** The names of the parameters in each location: one list for all that ask, as any of many may. */
class NamesBeside {
  readonly #operation: OperationPlan;
  #names: Map<string, Set<string>> | undefined;

  constructor(operation: OperationPlan) {
    this.#operation = operation;
  }

  /** The names of the other parameters in the location of a parameter. */
  of({ model: { location, name: own } }: ParameterPlan): Names {
    const names = (this.#names ??= this.#gather()).get(location);
    return { has: (name) => name !== own && names?.has(name) === true };
  }

  #gather(): Map<string, Set<string>> {
    const gathered = new Map<string, Set<string>>();
    for (const { model: { location, name } } of this.#operation.parameters) {
      const names = gathered.get(location);
      if (names === undefined) gathered.set(location, new Set([name]));
      else names.add(name);
    }
    return gathered;
  }
}
