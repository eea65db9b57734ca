import type { IncomingMessage } from "node:http";
import { fieldRecord, type RawHeaders, readEndToEnd, withoutFields } from "./header_fields.ts";

/** Maximum length of a response's head in bytes. */
const MAX_HEAD_LENGTH = 256 * 1024;

type State = "head" | "body" | "size" | "chunk" | "trailers" | "until_close" | "done";

/** Finds the end of a response while it is passed on (RFC 9112, section 6.3). */
export class ResponseEndFinder {
  readonly #isHead: boolean;
  #state: State = "head";
  #text = "";
  #bytesLeft = 0;
  #status: number | undefined;
  #hasClose = false;

  /** @param method The request method. A response to `HEAD` has no body. */
  constructor(method: string) {
    this.#isHead = method === "HEAD";
  }

  /** The status, once it is known. Below 200 only 101 is possible. */
  get status(): number | undefined {
    return this.#status;
  }

  get isDone(): boolean {
    return this.#state === "done";
  }

  /** True if the connection ends with this response, either by its header or because it has no other end. */
  get endsConnection(): boolean {
    return this.#hasClose || this.#state === "until_close";
  }

  /** Adds bytes, and returns how many of them belong to the response. */
  add(chunk: Uint8Array): number {
    let offset = 0;
    while (offset < chunk.length && this.#state !== "done") {
      if (this.#state === "until_close") return chunk.length;
      if (this.#state === "body" || this.#state === "chunk") {
        const length = Math.min(this.#bytesLeft, chunk.length - offset);
        offset += length;
        this.#bytesLeft -= length;
        if (this.#bytesLeft === 0) this.#state = this.#state === "body" ? "done" : "size";
      } else this.#addToText(chunk[offset++] ?? 0);
    }
    return offset;
  }

  #addToText(byte: number): void {
    this.#text += String.fromCharCode(byte);
    if (this.#text.length > MAX_HEAD_LENGTH) this.#state = "until_close";
    else if (byte === 0x0a) {
      if (this.#state !== "head") this.#onLine();
      else if (/\n\r?\n$/.test(this.#text.slice(-3))) this.#onHead();
    }
  }

  #onHead(): void {
    const head = this.#text;
    this.#text = "";
    const [, minor, code] = /^HTTP\/1\.(\d) (\d{3})/.exec(head) ?? [];
    const status = Number(code);
    // An interim response is followed by another one.
    if (status >= 100 && status < 200 && status !== 101) return;
    if (code !== undefined) this.#status = status;
    const length = /\ncontent-length:[ \t]*(\d+)[ \t]*\r?\n/i.exec(head)?.[1];
    this.#hasClose = minor === "0" || /\nconnection:[^\n]*\bclose\b/i.test(head);
    if (code === undefined) this.#state = "until_close";
    else if (this.#isHead || status === 101 || status === 204 || status === 304) {
      this.#state = "done";
    } else if (/\ntransfer-encoding:[^\n]*\bchunked[ \t]*\r?\n/i.test(head)) this.#state = "size";
    else if (length === undefined) this.#state = "until_close";
    else {
      this.#bytesLeft = Number(length);
      this.#state = this.#bytesLeft === 0 ? "done" : "body";
    }
  }

  #onLine(): void {
    const line = this.#text.trim();
    this.#text = "";
    if (this.#state === "trailers") {
      if (line === "") this.#state = "done";
      return;
    }
    const size = /^[0-9a-f]{1,13}(?=[ \t;]|$)/i.exec(line)?.[0];
    if (size === undefined) this.#state = "until_close";
    else if (/^0+$/.test(size)) this.#state = "trailers";
    else {
      // Includes the line break after the chunk.
      this.#bytesLeft = parseInt(size, 16) + 2;
      this.#state = "chunk";
    }
  }
}

/** Fields that the runtimes don't allow to be repeated in HTTP/2, though HTTP defines some of them as lists. */
const SINGLE_FIELDS: ReadonlySet<string> = new Set([
  ...["access-control-allow-credentials", "access-control-max-age"],
  ...["access-control-request-method", "age", "authorization", "content-encoding"],
  ...["content-language", "content-length", "content-location", "content-md5", "content-range"],
  ...["content-type", "date", "dnt", "etag", "expires", "from", "host", "if-match"],
  ...["if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-modified"],
  ...["location", "max-forwards", "proxy-authorization", "range", "referer", "retry-after", "tk"],
  ...["upgrade-insecure-requests", "user-agent", "x-content-type-options"],
]);
/** Fields about the framing or routing of a message, which must not be trailers (RFC 9110, section 6.5.1). */
const NEVER_TRAILERS = ["content-length", "host", "te", "trailer"];

/** Statuses of responses without a body (RFC 9112, section 6.3). */
export const BODILESS_STATUS: ReadonlySet<number> = new Set([204, 304]);

/** The head of a response, adapted to the client's version of HTTP. */
export interface UpstreamResponseHead {
  readonly reason: string;
  readonly fields: string[];
  /** Bytes of the body; undefined if no length is given. */
  readonly length: number | undefined;
  /** True if no value contains a byte beyond ASCII. */
  readonly isAscii: boolean;
}

/** Says why a status can't be sent to a client; undefined if it can. */
export function statusProblem(status: number, isHttp2: boolean): string | undefined {
  if (status === 101) return "it switches protocols, which the client did not ask for";
  const isValid = status >= 200 && status <= (isHttp2 ? 599 : 999);
  if (isValid) return undefined;
  const code = String(status).padStart(3, "0");
  return `its status ${code} is not valid in ${isHttp2 ? "HTTP/2" : "HTTP"}`;
}

/** @param supportsChunks True if the client supports chunks: HTTP/1.1, not 1.0. */
export function buildResponseHead(
  response: IncomingMessage,
  status: number,
  { method, isHttp2, supportsChunks }: Readonly<
    { method: string; isHttp2: boolean; supportsChunks: boolean }
  >,
): UpstreamResponseHead {
  const { fields: endToEndFields, length, isAscii, hasTrailer } = readEndToEnd(response.rawHeaders);
  let fields = endToEndFields;
  const isEmpty = method === "HEAD" || BODILESS_STATUS.has(status);
  // Only chunked bodies can have trailers. The runtimes refuse to announce any for other bodies.
  if (hasTrailer && !isHttp2 && (isEmpty || length !== undefined || !supportsChunks)) {
    fields = withoutFields(fields, "trailer");
  }
  // Some clients regard a length in a response without a body as an error, Go's even with 304, which may have one (RFC
  // 9110, section 8.6).
  if (isHttp2 && (BODILESS_STATUS.has(status) || status === 205)) {
    fields = withoutFields(fields, "content-length");
  }
  return {
    // deno-lint-ignore no-control-regex -- control characters become spaces
    reason: (response.statusMessage ?? "").replace(/[\x00-\x08\x0a-\x1f\x7f]/g, " "),
    fields,
    length: method === "HEAD" ? undefined : length,
    isAscii,
  };
}

/** Returns fields in the form for HTTP/2: by name in lower case, repeated values joined where they must be single. */
export function buildHttp2Fields(fields: RawHeaders): Record<string, string | string[]> {
  const record = fieldRecord(fields, "lower_case");
  for (const name in record) {
    const value = record[name];
    if (typeof value === "object" && SINGLE_FIELDS.has(name)) {
      // Equal values are merged; different ones become a list (RFC 9110, section 5.3).
      record[name] = [...new Set(value)].join(", ");
    }
  }
  return record;
}

export function buildTrailerFields(raw: RawHeaders): string[] {
  return withoutFields(readEndToEnd(raw).fields, ...NEVER_TRAILERS);
}
