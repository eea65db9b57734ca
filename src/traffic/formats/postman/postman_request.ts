import { asFields, asList, isFields, readStatus } from "../../decode/fields.ts";
import type { HttpResponse } from "../../../http/interaction.ts";
import { type ReceivedBody, receivedResponse } from "../../decode/received_body.ts";
import type { Place } from "../recording.ts";

export interface PostmanPair {
  readonly key: string;
  /** Undefined if the name has no `=`, as in `?page`. */
  readonly value: string | undefined;
}

export interface PostmanAuth {
  /** `noauth`, `basic`, `bearer`, `apikey`, `oauth2`, … */
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A request of any version, with variables unresolved and disabled parts left out (except a disabled body). */
export interface PostmanRequest {
  readonly method: string;
  /** With query, `{{variables}}` and `:variables` of the path. */
  readonly url: string;
  readonly pathVariables: ReadonlyMap<string, string>;
  readonly headers: readonly PostmanPair[];
  /** In the form of version 2. */
  readonly body: unknown;
  readonly auth: PostmanAuth | undefined;
}

export interface PostmanItem {
  readonly request: PostmanRequest;
  readonly auth: PostmanAuth | undefined;
  /** The lists of variables in scope, the innermost first. */
  readonly variables: readonly unknown[];
  /** True to send a body even with methods that usually have none (`disableBodyPruning`). */
  readonly keepsBody: boolean;
  readonly responses: readonly PostmanResponse[];
  readonly place: string;
}

export interface PostmanResponse {
  readonly request: PostmanRequest | undefined;
  readonly status: unknown;
  /** Milliseconds; absent in examples that were written or generated, not sent by a server. */
  readonly time: unknown;
  readonly headers: readonly PostmanPair[];
  readonly body: unknown;
  /** Replaces `body`: a `Buffer` of Node.js as JSON. */
  readonly stream: unknown;
  readonly place: string;
}

/** True if a part of a collection is disabled: `disabled` since version 2, `enabled: false` in version 1. */
export function isDisabled(value: unknown): boolean {
  return isFields(value) && (value["disabled"] === true || value["enabled"] === false);
}

export function postmanText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Reads names and values from a list of headers, fields or query parameters, without disabled ones. */
export function postmanPairs(list: unknown): PostmanPair[] {
  const pairs: PostmanPair[] = [];
  for (const pair of asList(list)) {
    if (!isFields(pair) || isDisabled(pair)) continue;
    pairs.push({ key: postmanText(pair["key"]) ?? "", value: postmanText(pair["value"]) });
  }
  return pairs;
}

/** Reads headers from a list, or from lines of text, in which `//` disables a line. */
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

/** Reads an authorization, an object in version 2.0 and a list in others; undefined if there is none. */
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

/** Reads a saved response of Postman or Newman. Examples without a time have only a status, as no server sent them. */
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
