import {
  BodyBuffer,
  copyBytes,
  CUT_BODY,
  NO_BODY,
  type ObservedBody,
  observeIterable,
  observeStream,
  readBody,
} from "./body_buffer.ts";
import { hasMethods, isEmitter, observeReadable } from "./observe_emitter.ts";

/**
 * Watches a body of any type that `fetch` accepts: copies data that can change, and observes streams while they are
 * sent. The body to pass on is the same one or, for some streams, a new one with the same bytes.
 */
export function observeBody(
  body: unknown,
  limit: number,
): { readonly toSend: unknown; readonly observed: ObservedBody } {
  if (body === undefined || body === null) return { toSend: body, observed: NO_BODY };
  if (body instanceof ReadableStream) {
    // The client is going to reject it.
    if (isUsedStream(body)) return { toSend: body, observed: CUT_BODY };
    const buffer = new BodyBuffer(limit);
    return { toSend: observeStream(body, buffer), observed: buffer.toObservedBody() };
  }
  if (isEmitter(body)) return { toSend: body, observed: observeReadable(body, limit) };
  if (isForm(body)) return { toSend: body, observed: observeForm(body, limit) };
  if (hasMethods(body, "stream", "arrayBuffer") && "size" in body) {
    return { toSend: body, observed: observeBlob(body as unknown as Blob, limit) };
  }
  const bytes = copyBytes(body);
  if (bytes !== undefined) return { toSend: body, observed: observeData(bytes, limit) };
  if (body instanceof URLSearchParams) {
    return {
      toSend: body,
      observed: observeData(`${body}`, limit, "application/x-www-form-urlencoded;charset=UTF-8"),
    };
  }
  if (typeof body === "object" && Symbol.asyncIterator in body) {
    const buffer = new BodyBuffer(limit);
    return {
      toSend: observeIterable(body as AsyncIterable<unknown>, buffer),
      observed: buffer.toObservedBody(),
    };
  }
  return { toSend: body, observed: observeData(String(body), limit, "text/plain;charset=UTF-8") };
}

/** Like {@linkcode observeBody}, for bodies of clients that send objects and lists as JSON. */
export function observeDataOrJson(body: unknown, limit: number): ObservedBody {
  const isJson = typeof body === "object" && body !== null &&
    (Array.isArray(body) || [Object.prototype, null].includes(Object.getPrototypeOf(body)));
  return isJson
    ? { ...observeBody(JSON.stringify(body), limit).observed, contentType: "application/json" }
    : observeBody(body, limit).observed;
}

/** True for a web stream that somebody has read or begun to read, which no client accepts any more. */
export function isUsedStream(stream: unknown): boolean {
  if (!(stream instanceof ReadableStream)) return false;
  if (stream.locked) return true;
  try {
    // A stream itself doesn't show whether it was read from; a response made from it does.
    return new Response(stream).bodyUsed;
  } catch {
    return true;
  }
}

function observeData(body: Uint8Array | string, limit: number, contentType?: string): ObservedBody {
  if (body.length > limit) return { ...CUT_BODY, contentType };
  return { captured: () => ({ data: body, isCut: false }), contentType };
}

function observeBlob(body: Blob, limit: number): ObservedBody {
  const contentType = body.type;
  if (body.size > limit) return { ...CUT_BODY, contentType };
  return { captured: readBody(body.stream(), limit).captured, contentType };
}

/** Matches forms of libraries too, which are not instances of the platform's `FormData`. */
function isForm(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === "[object FormData]" &&
    typeof (body as FormData).append === "function" && Symbol.iterator in (body as FormData);
}

/** Serializes a copy of a form. The client serializes the form itself later, with another boundary. */
function observeForm(form: FormData, limit: number): ObservedBody {
  let nativeForm = form;
  if (!(form instanceof FormData)) {
    nativeForm = new FormData();
    for (const [name, value] of form as Iterable<readonly [string, string | File]>) {
      if (typeof value === "string") nativeForm.append(name, value);
      else nativeForm.append(name, value, value.name);
    }
  }
  const copy = new Response(nativeForm);
  const contentType = copy.headers.get("content-type") ?? undefined;
  const { captured } = copy.body === null ? NO_BODY : readBody(copy.body, limit);
  return { captured, contentType, isRebuilt: true };
}
