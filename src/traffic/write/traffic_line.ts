import { utf8Text } from "../../http/body_text.ts";
import { headerLookup, headerRecord } from "../../http/headers.ts";
import type {
  HeadersLike,
  HttpRequest,
  HttpResponse,
  Interaction,
} from "../../http/interaction.ts";
import { FULL_VISIBILITY, type Visibility } from "../../http/visibility.ts";

/** Serializes an interaction as one line of JSON. A body becomes text if no information is lost, else base64. */
export function trafficLine(interaction: Interaction): string {
  const { request, response, timestamp, test, identity, count, first_at, last_at } = interaction;
  const sent: Record<string, unknown> = { method: request.method, url: request.url };
  addContent(sent, request);
  return JSON.stringify({
    request: sent,
    response: response === undefined ? undefined : responseFields(response),
    timestamp,
    test,
    identity,
    count,
    first_at,
    last_at,
    visibility: hiddenParts(interaction.visibility),
  });
}

function responseFields(response: HttpResponse): Record<string, unknown> {
  const { status_code, elapsed, elapsed_sum, elapsed_max } = response;
  const fields: Record<string, unknown> = { status_code, elapsed, elapsed_sum, elapsed_max };
  addContent(fields, response);
  return fields;
}

function addContent(fields: Record<string, unknown>, message: HttpRequest | HttpResponse): void {
  const { headers, body, body_truncated } = message;
  if (headers !== undefined) {
    // JSON.stringify leaves out undefined fields.
    fields["headers"] = Symbol.iterator in headers
      ? headerRecord(headers as Iterable<readonly [string, string]>)
      : headers;
  }
  if (typeof body === "string") {
    if (hasNul(body) && body.isWellFormed() && isPlain(headers)) {
      fields["body_base64"] = base64(new TextEncoder().encode(body));
    } else fields["body"] = body;
  } else if (body !== undefined && body !== null) {
    const text = body.length === 0 ? "" : decodeText(body, headers);
    if (text === undefined) fields["body_base64"] = base64(body);
    // A request without bytes has no body; in a response, an empty body shows that there was none.
    else if (text !== "" || !("url" in message)) fields["body"] = text;
  }
  if (body_truncated === true) fields["body_truncated"] = true;
}

function hiddenParts(visibility: Visibility | undefined): Partial<Visibility> | undefined {
  if (visibility === undefined) return undefined;
  const hidden = Object.entries(visibility).filter(([name, shown]) =>
    shown !== FULL_VISIBILITY[name as keyof Visibility]
  );
  return hidden.length === 0 ? undefined : Object.fromEntries(hidden);
}

const MEANS_OTHER = /charset\s*=\s*(?!"?utf-?8\b)|^\s*multipart\//i;

/** Returns a body as text if that is equivalent to its bytes: UTF-8 that isn't declared as anything else. */
function decodeText(body: Uint8Array, headers: HeadersLike | undefined): string | undefined {
  // Decoding would drop a byte order mark.
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return undefined;
  if (!isPlain(headers)) return undefined;
  const text = utf8Text(body);
  return text === undefined || hasNul(text) ? undefined : text;
}

/** Many programs don't accept NUL in a text file. */
function hasNul(text: string): boolean {
  return text.includes("\0");
}

/** True if bytes and their text are equivalent under these headers. */
function isPlain(headers: HeadersLike | undefined): boolean {
  const lookup = headerLookup(headers);
  return lookup.get("content-encoding") === undefined &&
    !lookup.values("content-type").some((value) => MEANS_OTHER.test(value));
}

/** Number of arguments in a call that all platforms accept. */
const PIECE = 0x2000;

function base64(bytes: Uint8Array): string {
  const { toBase64 } = bytes as { readonly toBase64?: () => string };
  // The platform's own method is ten times faster.
  if (toBase64 !== undefined) return toBase64.call(bytes);
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += PIECE) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + PIECE));
  }
  return btoa(text);
}

/** The layout of a traffic file: one JSON document, or JSON Lines, which can be appended to. */
export type TrafficLayout = "json" | "jsonl";

/** Writes interactions as a traffic file, one per line. Memory does not grow with their number. */
export async function* writeTraffic(
  batches: AsyncIterable<readonly Interaction[]> | Iterable<readonly Interaction[]>,
  layout: TrafficLayout,
): AsyncGenerator<string, void> {
  const isDocument = layout === "json";
  let separator = isDocument ? '{"interactions":[\n' : "";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map(trafficLine).join(isDocument ? ",\n" : "\n");
    separator = isDocument ? ",\n" : "\n";
  }
  const isEmpty = separator !== ",\n" && separator !== "\n";
  if (isDocument) yield isEmpty ? '{"interactions":[]}\n' : "\n]}\n";
  else if (!isEmpty) yield "\n";
}
