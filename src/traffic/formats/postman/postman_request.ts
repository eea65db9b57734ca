import { asFields, asList, isFields, readStatus } from "../../decode/fields.ts";
import type { HttpResponse } from "../../../http/interaction.ts";
import { type ReceivedBody, receivedResponse } from "../../decode/received_body.ts";
import type { Place } from "../recording.ts";

export interface PostmanPair {
  readonly key: string;
  /** Undefined if nothing follows the name, as in `?page`. */
  readonly value: string | undefined;
}

export interface PostmanAuth {
  /** `noauth`, `basic`, `bearer`, `apikey`, `oauth2`, … */
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A request as a collection of any version describes it, with nothing resolved; of its disabled parts only the body has any. */
export interface PostmanRequest {
  readonly method: string;
  /** With its query; has `{{variables}}` and `:variables` of the path. */
  readonly url: string;
  readonly pathVariables: ReadonlyMap<string, string>;
  readonly headers: readonly PostmanPair[];
  /** As version 2 has it. */
  readonly body: unknown;
  readonly auth: PostmanAuth | undefined;
}

export interface PostmanItem {
  readonly request: PostmanRequest;
  readonly auth: PostmanAuth | undefined;
  /** The lists of variables in scope, the innermost first. */
  readonly variables: readonly unknown[];
  /** True if a body is sent with methods that usually have none (`disableBodyPruning`). */
  readonly keepsBody: boolean;
  readonly responses: readonly PostmanResponse[];
  readonly place: string;
}

export interface PostmanResponse {
  readonly request: PostmanRequest | undefined;
  readonly status: unknown;
  /** Milliseconds; absent in examples, which somebody wrote or a tool made: no server sent those. */
  readonly time: unknown;
  readonly headers: readonly PostmanPair[];
  readonly body: unknown;
  /** The bytes in its place: a `Buffer` of Node.js as JSON. */
  readonly stream: unknown;
  readonly place: string;
}

/** True if something in a collection is switched off: `disabled` since version 2, `enabled: false` in version 1. */
export function isDisabled(value: unknown): boolean {
  return isFields(value) && (value["disabled"] === true || value["enabled"] === false);
}

export function postmanText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The names and values of a list of headers, fields or query parameters that are not switched off. */
export function postmanPairs(list: unknown): PostmanPair[] {
  const pairs: PostmanPair[] = [];
  for (const pair of asList(list)) {
    if (!isFields(pair) || isDisabled(pair)) continue;
    pairs.push({ key: postmanText(pair["key"]) ?? "", value: postmanText(pair["value"]) });
  }
  return pairs;
}

/** Headers: such a list, or lines of text, in which `//` switches off. */
export function postmanHeaders(headers: unknown): PostmanPair[] {
  if (typeof headers !== "string") return postmanPairs(headers).filter(({ key }) => key !== "");
  const pairs: PostmanPair[] = [];
  for (const line of headers.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon <= 0 || line.trimStart().startsWith("//")) continue;
    pairs.push({ key: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() });
  }
  return pairs;
}

/** Undefined if there is none of its own; an object in version 2.0, a list of names and values in the others. */
export function postmanAuth(auth: unknown): PostmanAuth | undefined {
  if (!isFields(auth) || typeof auth["type"] !== "string") return undefined;
  const type = auth["type"];
  const attributes = new Map<string, string>();
  const own = auth[type];
  const pairs = Array.isArray(own)
    ? postmanPairs(own).map(({ key, value }) => [key, value] as const)
    : Object.entries(asFields(own));
  for (const [key, value] of pairs) {
    const text = postmanText(value);
    if (text !== undefined) attributes.set(key, text);
  }
  return { type, attributes };
}

/** The response that Postman or Newman saved; examples that took no time say nothing about the API. */
export function postmanResponse(
  saved: Omit<PostmanResponse, "request" | "place">,
  method: string,
  place: Place,
): HttpResponse | undefined {
  const { time } = saved;
  const status = readStatus(saved.status, place);
  if (status === undefined) return undefined;
  if (typeof time !== "number") return { status_code: status };
  const elapsed = time >= 0 ? time / 1000 : undefined;
  const headers = saved.headers.map(({ key, value = "" }): [string, string] => [key, value]);
  return receivedResponse({
    method,
    status,
    elapsed,
    headers: headers.length === 0 ? undefined : headers,
    body: readBody(saved),
  }, place);
}

function readBody({ body, stream }: Pick<PostmanResponse, "body" | "stream">): ReceivedBody {
  const bytes = readBytes(stream);
  if (bytes !== undefined) return { kind: "bytes", bytes };
  if (typeof body === "string") return { kind: "text", text: body };
  return { kind: "unknown" };
}

function readBytes(stream: unknown): Uint8Array | undefined {
  const { data } = asFields(stream);
  if (!Array.isArray(data) || !data.every((byte) => typeof byte === "number")) return undefined;
  return Uint8Array.from(data as readonly number[]);
}
