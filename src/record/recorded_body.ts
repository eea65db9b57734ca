import { ContentEncodingError, decodeContent } from "../http/content_encoding.ts";
import type { HeaderLookup } from "../http/headers.ts";
import type { HttpRequest, HttpResponse } from "../http/interaction.ts";

/** The body of a message: its data with content encodings undone, or the reason why it can't be decoded. */
export type RecordedBody =
  | { readonly kind: "data"; readonly data: Uint8Array | string }
  | { readonly kind: "not_recorded" }
  | { readonly kind: "malformed" };

const NOT_RECORDED: RecordedBody = { kind: "not_recorded" };
const MALFORMED: RecordedBody = { kind: "malformed" };

/** The body that a message carries; undefined if it has none. */
export function recordedBody(
  message: Pick<HttpRequest | HttpResponse, "body" | "body_truncated">,
  headers: HeaderLookup,
): RecordedBody | undefined {
  if (message.body_truncated === true) return NOT_RECORDED;
  const { body } = message;
  if (body === undefined || body === null || body.length === 0) return undefined;
  const encoding = typeof body === "string" ? undefined : headers.get("content-encoding");
  if (typeof body === "string" || encoding === undefined) return { kind: "data", data: body };
  try {
    return { kind: "data", data: decodeContent(body, encoding) };
  } catch (error) {
    if (error instanceof ContentEncodingError) return MALFORMED;
    throw error;
  }
}
