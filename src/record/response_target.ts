import type { Json, RawText } from "../values/json.ts";
import {
  type BodyDecoder,
  compileBody,
  type DecodedBody,
  decodeJson,
  sequenceBody,
} from "../http/body.ts";
import { bodyText } from "../http/body_text.ts";
import { parseEventStream } from "../http/complete_records.ts";
import { contentTypeKind, mediaEssence } from "../http/media_type.ts";
import { compileParameter, type ParameterDecoder } from "../http/parameter_style.ts";
import type { RequestText } from "../http/request_text.ts";
import { showsHeader, type VisibleHeaders } from "../http/visibility.ts";
import type { RequestSource } from "../map/evidence.ts";
import type { ResponseHits, ResponsePartHits, UndocumentedContent } from "../map/operation_hits.ts";
import { parameterEncoding, propertyEncodings } from "../map/parameter_encoding.ts";
import { type ParameterPlan, requiredPointer } from "../map/parameter_plan.ts";
import type { Tallies } from "../map/tallies.ts";
import type { CounterStore } from "../schema/counters.ts";
import type { SchemaProgram } from "../schema/schema_unit.ts";
import type { SchemaNode, Subschema } from "../schema/schema_node.ts";
import type { DocumentedBody } from "./documented_bodies.ts";
import type { RecordedBody } from "./sent_request.ts";
import type { Shape } from "../http/shape.ts";
import { documentPath, escapeToken } from "../values/json_pointer.ts";
import { STRING } from "../values/json_type.ts";
import { compilePattern } from "../schema/pattern.ts";
import { Redactor } from "../redact/redactor.ts";

const MAX_DEPTH = 64;
/** An object with more undeclared properties than this is a table, whose names are data. */
const MAX_NAMES = 50;
/** Longer names are data. */
const MAX_NAME_LENGTH = 64;
/** Matches names with so many digits that they are numbers or identifiers. */
const NUMBER = /\d{4}|(?:\d.*){6}/;
const NAME = /^[\p{L}_$@][\p{L}\p{M}\p{N}_$@.: -]*$/u;

const redactor = new Redactor();

/** Collects undeclared properties as pointers, with `*` for items and for names that look like data. */
function collectUndeclared(
  value: Json,
  shape: Shape,
  pointers: Set<string>,
  pointer = "",
  depth = 0,
): void {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) =>
      collectUndeclared(item, shape.item(index), pointers, `${pointer}/*`, depth + 1)
    );
    return;
  }
  const { propertyNames, patterns } = shape;
  const isClosed = propertyNames.size > 0 && !shape.describesUndeclared;
  const undeclared: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (propertyNames.has(name)) {
      const inside = `${pointer}/${escapeToken(name)}`;
      collectUndeclared(member, shape.property(name), pointers, inside, depth + 1);
    } else if (isClosed && !patterns.some((source) => matches(source, name))) undeclared.push(name);
    else collectUndeclared(member, shape.property(name), pointers, `${pointer}/*`, depth + 1);
  }
  const areData = undeclared.length > MAX_NAMES;
  for (const name of undeclared) {
    pointers.add(`${pointer}/${areData || looksLikeData(name) ? "*" : escapeToken(name)}`);
  }
}

/** True for a name that may be a value: an identifier, an address, a date or a secret. */
export function looksLikeData(name: string): boolean {
  return name.length > MAX_NAME_LENGTH || !NAME.test(name) || NUMBER.test(name) ||
    /.@/.test(name) || redactor.value(name) !== name;
}

function matches(source: string, name: string): boolean {
  try {
    return compilePattern(source)(name) === true;
  } catch (error) {
    if (error instanceof SyntaxError) return true; // reported by a diagnostic
    throw error;
  }
}

export interface ResponsePlace {
  readonly response: ResponseHits;
  readonly store: CounterStore;
  readonly source: RequestSource | undefined;
  readonly program: SchemaProgram;
  readonly plan: ParameterPlan;
  /** The index of the media type or header in the response's plan. */
  readonly part: number;
}

class ResponsePart {
  readonly place: ResponsePlace;
  #hits: ResponsePartHits | undefined;
  /** The rules that the current response violates, each with the first part of the value that violates it. */
  readonly #violated = new Map<string, string | undefined>();

  constructor(place: ResponsePlace) {
    this.place = place;
  }

  get hits(): ResponsePartHits {
    return this.#hits ??= this.place.response.part(this.place.part);
  }

  countHit(): void {
    this.place.store.count(this.hits.at);
  }

  addMalformed(): void {
    this.hits.malformed += this.place.store.weight;
    this.addViolation(this.place.plan.schema_path);
  }

  evaluate(schema: Subschema | undefined, value: Json, text: RawText | undefined): void {
    if (schema === undefined || schema === true) return;
    if (schema === false) {
      const { model } = this.place.plan;
      const { document, pointer } = model.schema ?? model.place;
      this.addViolation(documentPath(document.label, pointer), "");
      return;
    }
    const { program } = this.place;
    const { hits } = this;
    if (text?.text !== undefined && program.isReplaced(text.text)) {
      hits.replaced = true;
      return;
    }
    try {
      if (!program.evaluate(schema, value, hits.counters, text)) {
        const noted = program.causeOfFault(hits.counters, program.lastFault);
        if (typeof noted === "object") this.addViolation(noted.rule.path, noted.instance);
        else this.#addCauses(schema, value, text);
      }
      program.addIncompleteReasons(hits);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      hits.nestedTooDeep = true; // stack overflow before our own limit
    }
  }

  /** Notes the rules that a value violates if evaluation didn't note a single one. */
  #addCauses(schema: SchemaNode, value: Json, text: RawText | undefined): void {
    const { causeFinder } = this.place.program;
    for (const { rule, instance } of causeFinder.causes(schema, value, text)) {
      this.addViolation(rule.path, instance);
    }
    if (causeFinder.wasTooLong) this.hits.tooLong = true;
  }

  addViolation(path: string, instance?: string): void {
    if (!this.#violated.has(path)) this.#violated.set(path, instance);
  }

  /** Counts each violated rule once. */
  countViolations(status_code: number): void {
    if (this.#violated.size === 0) return;
    const { violations } = this.hits;
    const { requestTime, weight } = this.place.store;
    for (const [path, instance] of this.#violated) {
      const example = instance === undefined ? { status_code } : { status_code, instance };
      violations.add("violated", -1, path, requestTime, example, weight, this.place.source);
    }
    this.#violated.clear();
  }
}

export class ResponseBodyTarget implements DocumentedBody {
  readonly mediaType: string | undefined;
  readonly consumes: readonly string[];
  readonly #part: ResponsePart;
  readonly #undeclared: Tallies<UndocumentedContent> | undefined;
  #decode: BodyDecoder | undefined;

  /** @param undeclared Collects undeclared properties, if they are to be listed. */
  constructor(place: ResponsePlace, undeclared?: Tallies<UndocumentedContent>) {
    this.#undeclared = undeclared;
    const { mediaType, consumes = [] } = place.plan.model;
    this.mediaType = mediaType;
    this.consumes = consumes;
    this.#part = new ResponsePart(place);
  }

  /** Adds a body. Returns true if some of it is evaluated. `truncated` is the recorded part of a truncated one. */
  record(
    body: RecordedBody,
    mediaType: string,
    status: number,
    truncated: Uint8Array | string | undefined,
  ): boolean {
    const part = this.#part;
    part.countHit();
    let isRecorded = true;
    if (body.kind === "data") {
      const decoded = this.#decodeBody(body.data, mediaType);
      this.#evaluate(decoded);
      if (this.#undeclared !== undefined) this.#listUndeclared(decoded, status, this.#undeclared);
    } else if (truncated !== undefined && this.#isSequence(mediaType)) {
      this.#evaluate(this.#decodeBody(wholeItems(bodyText(truncated)), mediaType));
    } else {
      part.hits.notRecorded += part.place.store.weight;
      isRecorded = false;
    }
    part.countViolations(status);
    return isRecorded;
  }

  #listUndeclared(
    decoded: DecodedBody,
    status: number,
    undeclared: Tallies<UndocumentedContent>,
  ): void {
    if (typeof decoded !== "object") return;
    const { plan, store: { requestTime, weight } } = this.#part.place;
    const { value, items = [], described = [value] } = decoded;
    const pointers = new Set<string>();
    const root = described === items ? "/*" : "";
    for (const one of described) collectUndeclared(one, plan.shape, pointers, root);
    const itemShape = plan.schemas.shapes.forSchema(plan.itemSchema);
    for (const item of items) collectUndeclared(item, itemShape, pointers, "/*");
    for (const pointer of pointers) {
      undeclared.add({
        status: String(status),
        mediaType: plan.model.name,
        pointer,
        hits: weight,
        firstAt: requestTime,
        example: undefined,
      });
    }
  }

  #decodeBody(data: Uint8Array | string, mediaType: string): DecodedBody {
    if (contentTypeKind(mediaType) === "json") return decodeJson(data);
    const { plan } = this.#part.place;
    if (this.#isEventStream(mediaType)) {
      return sequenceBody(parseEventStream(bodyText(data)), plan.shape);
    }
    this.#decode ??= compileBody(
      { shape: plan.shape, properties: propertyEncodings(plan.model) },
      () => false,
    );
    return this.#decode(data, mediaType);
  }

  /** True if a body consists of items, so that the whole items of a truncated body count. */
  #isSequence(mediaType: string): boolean {
    const isText = this.#part.place.plan.shape.types === STRING;
    return contentTypeKind(mediaType) === "sequence" && !isText || this.#isEventStream(mediaType);
  }

  #isEventStream(mediaType: string): boolean {
    return this.#part.place.plan.itemSchema !== undefined &&
      mediaEssence(mediaType) === "text/event-stream";
  }

  #evaluate(decoded: DecodedBody): void {
    const part = this.#part;
    const { plan } = part.place;
    if (decoded === "malformed") return part.addMalformed();
    if (decoded === "unsupported") {
      part.hits.undecoded = true;
      return;
    }
    const { value, raw, items, described = [] } = decoded;
    if (items === undefined) return part.evaluate(plan.schema, value, raw);
    part.place.program.share(() => {
      for (const item of items) part.evaluate(plan.itemSchema, item, undefined);
      for (const one of described) part.evaluate(plan.schema, one, undefined);
    });
  }
}

/** Removes the last item, which may be truncated. */
function wholeItems(text: string): string {
  const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\x1e"));
  return text.slice(0, end + 1);
}

export class ResponseHeaderTarget {
  readonly #part: ResponsePart;
  readonly #decode: ParameterDecoder;
  readonly #name: string;
  /** The pointer of `required`; undefined if the header is optional. */
  readonly #required: string | undefined;

  constructor(place: ResponsePlace) {
    const { model, shape } = place.plan;
    this.#part = new ResponsePart(place);
    this.#decode = compileParameter(parameterEncoding(model, shape), -1);
    this.#name = model.name.toLowerCase();
    this.#required = model.required ? requiredPointer(model) : undefined;
  }

  /** Adds the header of one response; a header that the recording hides isn't missing. */
  record(text: RequestText, status: number, visible: VisibleHeaders): void {
    const part = this.#part;
    const decoded = this.#decode(text);
    if (decoded !== undefined) {
      part.countHit();
      if (decoded === "malformed") part.addMalformed();
      else if (decoded === "unsupported") part.hits.undecoded = true;
      else part.evaluate(part.place.plan.schema, decoded.value, decoded.raw);
    } else if (this.#required !== undefined && showsHeader(visible, this.#name)) {
      part.addViolation(this.#required);
    }
    part.countViolations(status);
  }
}
