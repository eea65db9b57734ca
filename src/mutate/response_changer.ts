import { decodeJson } from "../http/body.ts";
import { bodyText } from "../http/body_text.ts";
import { withReadableHeaders } from "../http/header_pairs.ts";
import { hasHeaders } from "../http/headers.ts";
import type { HttpRequest } from "../http/interaction.ts";
import { contentTypeKind, readContentType } from "../http/media_type.ts";
import { RequestText } from "../http/request_text.ts";
import type { Shape } from "../http/shape.ts";
import {
  type CoveragePlan,
  documentedResponse,
  mayHaveBody,
  type OperationPlan,
} from "../map/coverage_plan.ts";
import { finiteValues } from "../map/parameter_plan.ts";
import type { Exclusions, OperationExclusions } from "../map/exclusions.ts";
import { placeKey, type ResponsePartPlace } from "../map/noticed_hits.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import { DocumentedBodies, type DocumentedBody } from "../record/documented_bodies.ts";
import { recordedBody, RequestMessage } from "../record/sent_request.ts";
import { selectOperations } from "../suggest/select_operations.ts";
import { getOrAdd } from "../values/collections.ts";
import { escapeToken, pointerTokens } from "../values/json_pointer.ts";
import { canChange, changedStatus, CHANGES, changeValues, emptyValue } from "./changes.ts";
import { isMembers, type LosslessJson, parseLossless, plainNumber } from "./lossless_json.ts";

/** A response on its way to a client. */
export interface PassingResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export interface Change {
  readonly place: ResponsePartPlace;
  readonly change: string;
  /** The test whose responses are changed; absent for all responses. */
  readonly test?: string;
}

export function changeKey(place: ResponsePartPlace, change: string): string {
  return `${placeKey(place)} ${change}`;
}

export interface ReachedPart {
  readonly place: ResponsePartPlace;
  /** The possible changes; none for an empty body. */
  readonly changes: readonly string[];
  /** The nesting depth: 0 for status and body, 1 for headers and the outermost properties. */
  readonly depth: number;
}

const MAX_DEPTH = 24;
const MAX_ITEMS = 50;
const MAX_PARTS = 2000;

/** Header fields that describe the bytes of a body, and would be wrong after a change. */
const BODY_HEADERS =
  /^(?:content-encoding|content-length|content-md5|content-digest|digest|repr-digest|etag|transfer-encoding|trailer)$/i;

interface MatchedResponse {
  readonly operation: OperationPlan;
  readonly response: number;
}

interface DecodedBody {
  readonly plan: ParameterPlan;
  /** Undefined if the body isn't JSON. */
  readonly json: LosslessJson | undefined;
}

interface MediaBody extends DocumentedBody {
  readonly plan: ParameterPlan;
}

export class ResponseChanger {
  readonly #plan: CoveragePlan;
  readonly #isSelected: (operation: OperationPlan, response: number) => boolean;

  /** @param isSelected Returns false for responses to leave unchanged. */
  constructor(
    plan: CoveragePlan,
    isSelected: (operation: OperationPlan, response: number) => boolean = () => true,
  ) {
    this.#plan = plan;
    this.#isSelected = isSelected;
  }

  listParts(request: HttpRequest, response: PassingResponse): ReachedPart[] {
    const matched = this.#match(request, response.status);
    if (matched === undefined) return [];
    const { operation, response: index } = matched;
    const model = operation.model.responses[index];
    const plan = operation.response(index);
    if (model === undefined || plan === undefined) return [];
    const of = { operation: operation.index, response: index };
    const documented = operation.model.responses.map(({ status_code }) => status_code);
    const status = response.status;
    const parts: ReachedPart[] = [{
      place: { ...of, part: "status", path: "", schema_path: model.pointer },
      changes: CHANGES.status.map(([name]) => name)
        .filter((change) => changedStatus(status, change, documented) !== status),
      depth: 0,
    }];
    const text = new RequestText([], "", response.headers);
    const body = this.#documentedBody(matched, response, text);
    if (body !== undefined) {
      const { schema_path } = body.plan;
      const changes = isEmpty(body.json) ? [] : ["empty"];
      parts.push({ place: { ...of, part: "body", path: "", schema_path }, changes, depth: 0 });
      const seen = new Map<string, string[]>();
      visitParts(body.json, body.plan.shape, "", [], (part, path, schema_path, depth, value) => {
        const place = { ...of, part, path, schema_path };
        const key = placeKey(place);
        const known = seen.get(key) ?? [];
        for (const [change] of CHANGES[part]) {
          if (known.includes(change)) continue;
          const replace = (value: LosslessJson) => this.#otherValue(schema_path, value);
          if (canChange(value, change, replace)) known.push(change);
        }
        if (seen.has(key) || parts.length >= MAX_PARTS) return;
        seen.set(key, known);
        parts.push({ place, changes: known, depth });
      });
    }
    for (const header of plan.headers) {
      const { name } = header.model;
      if (text.headers.get(name.toLowerCase()) === undefined) continue;
      const { schema_path } = header;
      const changes = CHANGES.header.map(([change]) => change);
      parts.push({ place: { ...of, part: "header", path: name, schema_path }, changes, depth: 1 });
    }
    return parts;
  }

  /**
   * Makes changes to a response.
   *
   * @param listChanges Returns the changes for a response of an operation, both by index.
   * @param onApplied Called with each change that changed something.
   * @returns the changed response; undefined if no change could be made.
   */
  change(
    request: HttpRequest,
    response: PassingResponse,
    listChanges: (operation: number, response: number) => readonly Change[],
    onApplied: (change: Change) => void,
  ): PassingResponse | undefined {
    const matched = this.#match(request, response.status);
    if (matched === undefined) return undefined;
    const { operation, response: index } = matched;
    const changes = listChanges(operation.index, index);
    if (changes.length === 0) return undefined;
    let { status, headers } = response;
    let isChanged = false;
    const addApplied = (change: Change): void => {
      isChanged = true;
      onApplied(change);
    };
    const text = new RequestText([], "", response.headers);
    const body = this.#documentedBody(matched, response, text);
    let decoded = body?.json;
    let bytes: Uint8Array | undefined;
    for (const one of changes) {
      const { place: { part, path }, change } = one;
      if (part === "status") {
        const documented = operation.model.responses.map(({ status_code }) => status_code);
        status = changedStatus(status, change, documented);
        if (status !== response.status) addApplied(one);
      } else if (part === "header") {
        const changed = changeHeader(headers, path, change);
        if (changed !== undefined) {
          headers = changed;
          addApplied(one);
        }
      } else if (part === "body") {
        if (body === undefined || isEmpty(decoded)) continue;
        bytes = decoded === undefined ? new Uint8Array() : encodeJson(emptyValue(decoded));
        decoded = undefined;
        addApplied(one);
      } else if (body !== undefined && decoded !== undefined) {
        const count = changeValues(
          decoded,
          body.plan.shape,
          pointerTokens(path),
          change,
          (value) => this.#otherValue(one.place.schema_path, value),
        );
        if (count > 0) {
          bytes = undefined;
          addApplied(one);
        }
      }
    }
    if (!isChanged) return undefined;
    const isOfBody = changes.some(({ place: { part } }) => part !== "status" && part !== "header");
    if (isOfBody && decoded !== undefined) bytes ??= encodeJson(decoded);
    if (bytes === undefined) return { status, headers, body: response.body };
    return { status, headers: headers.filter(([name]) => !BODY_HEADERS.test(name)), body: bytes };
  }

  /** Returns another value that the schema at a place allows; undefined if none is known. */
  #otherValue(schema_path: string, original: LosslessJson): LosslessJson | undefined {
    const value = plainNumber(original);
    const place = this.#plan.placeAt(schema_path);
    const { program } = this.#plan.responseSchemas;
    const schema = place && this.#plan.responseSchemas.graph.nodeAt(place);
    const candidates = [...finiteValues(schema), ...similarValues(value)];
    return candidates.find((one) =>
      one !== value && typeof one === typeof value &&
      (typeof schema !== "object" || program.causeFinder.singleCause(schema, one).length === 0)
    );
  }

  #match(request: HttpRequest, status: number): MatchedResponse | undefined {
    const { routes } = this.#plan;
    const kept = routes.hasConditions ? withReadableHeaders(request) : request;
    const message = routes.hasConditions ? new RequestMessage(kept) : undefined;
    const match = routes.match(request.method, request.url, message);
    if (match.kind !== "operation") return undefined;
    const operation = this.#plan.operations[match.index];
    if (operation === undefined) return undefined;
    const response = documentedResponse(operation.model.responses, status);
    const isSelected = response >= 0 && this.#isSelected(operation, response);
    return isSelected ? { operation, response } : undefined;
  }

  /** Returns the documented body of a response; undefined if there is none, or it can't be read. */
  #documentedBody(
    { operation, response: index }: MatchedResponse,
    response: PassingResponse,
    text: RequestText,
  ): DecodedBody | undefined {
    const plan = operation.response(index);
    const { status } = response;
    const isMissing = !mayHaveBody(operation.model.method, String(status)) || status === 206 ||
      !hasHeaders(response.headers) && response.body.length === 0;
    if (plan === undefined || isMissing) return undefined;
    const body = recordedBody({ body: response.body }, text.headers);
    if (body?.kind !== "data") return undefined;
    const bodies = new DocumentedBodies(
      plan.mediaTypes.map((media): MediaBody => ({
        plan: media,
        mediaType: media.model.mediaType,
        consumes: media.model.consumes ?? [],
      })),
    );
    const selected = bodies.select(body, readContentType(text.headers.get("content-type")));
    if (selected === undefined) return undefined;
    const { plan: media } = selected.documented;
    const isJson = contentTypeKind(selected.mediaType) === "json";
    const decoded = isJson ? decodeJson(body.data) : undefined;
    const isValue = typeof decoded === "object" && decoded.raw === undefined;
    return { plan: media, json: isValue ? parseLossless(bodyText(body.data)) : undefined };
  }
}

type AddPart = (
  part: "property" | "list",
  path: string,
  schema_path: string,
  depth: number,
  value: LosslessJson,
) => void;

function encodeJson(value: LosslessJson): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function isEmpty(body: LosslessJson | undefined): boolean {
  return body !== undefined && JSON.stringify(body) === JSON.stringify(emptyValue(body));
}

/** Visits the declared properties of a body, except those nested in themselves. */
function visitParts(
  value: LosslessJson | undefined,
  shape: Shape,
  path: string,
  enclosing: readonly string[],
  add: AddPart,
): void {
  if (enclosing.length > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    value.slice(0, MAX_ITEMS).forEach((item, index) =>
      visitParts(item, shape.item(index), `${path}/*`, enclosing, add)
    );
    return;
  }
  if (!isMembers(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const declared = shape.declaredAt?.(name);
    if (declared === undefined) {
      visitParts(member, shape.property(name), `${path}/*`, enclosing, add);
      continue;
    }
    if (enclosing.includes(declared)) continue;
    const propertyPath = `${path}/${escapeToken(name)}`;
    add("property", propertyPath, declared, enclosing.length + 1, member);
    if (Array.isArray(member) && member.length > 0) {
      add("list", propertyPath, declared, enclosing.length + 1, member);
    }
    visitParts(member, shape.property(name), propertyPath, [...enclosing, declared], add);
  }
}

function changeHeader(
  headers: PassingResponse["headers"],
  name: string,
  change: string,
): PassingResponse["headers"] | undefined {
  const isNamed = ([fieldName]: readonly [string, string]): boolean =>
    fieldName.toLowerCase() === name.toLowerCase();
  if (!headers.some(isNamed)) return undefined;
  if (change === "removed") return headers.filter((field) => !isNamed(field));
  return headers.map((field) => isNamed(field) ? [field[0], otherText(field[1])] : field);
}

/** Values of the same type, the likeliest to be allowed first; none for objects, lists and null. */
function similarValues(value: LosslessJson): (boolean | number | string)[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1, value - 1, value * 2, value / 2, 0, 1];
  return typeof value === "string" ? [otherText(value), `${value}a`, value.slice(0, -1)] : [];
}

/** Changes the first digit of a text, else its first letter, so that it looks much the same. */
function otherText(text: string): string {
  const at = text.search(/\d/);
  const index = at >= 0 ? at : text.search(/[a-z]/i);
  if (index < 0) return `${text}1`;
  const character = text.charAt(index);
  const other = /\d/.test(character)
    ? String((Number(character) + 1) % 10)
    : character.toLowerCase() === "a"
    ? "b"
    : "a";
  return text.slice(0, index) + other + text.slice(index + 1);
}

/**
 * Returns a function that is true for responses to change.
 *
 * @param names Operations, by operationId or as method and path; none for all.
 * @throws {SuggestError} if an operation is unknown.
 */
export function responseFilter(
  plan: CoveragePlan,
  exclusions: Exclusions | undefined,
  names: readonly string[],
): (operation: OperationPlan, response: number) => boolean {
  const selected = selectOperations(plan, names);
  const excluded = new Map<OperationPlan, OperationExclusions | undefined>();
  return (operation, response) => {
    if (!selected.has(operation)) return false;
    const exclusion = getOrAdd(excluded, operation, () => exclusions?.operation(operation));
    return exclusion?.operation === undefined && exclusion?.responses[response] === undefined;
  };
}
