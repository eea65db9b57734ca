import { concatBytes } from "../values/collections.ts";
import { type HttpResponse, type Interaction, mayHaveBody } from "../http/interaction.ts";
import { fieldRecord, fieldValue, type RawHeaders } from "./header_fields.ts";
import { contentTypeKind } from "../http/media_type.ts";
import { completeRecords, isSequence } from "../http/complete_records.ts";

interface CapturedHead {
  readonly method: string;
  readonly status: number;
  readonly fields: RawHeaders;
  readonly length: number | undefined;
}

/** Records a response that is passed on. A body over the limit is dropped; of an endless sequence, a part is kept. */
export class ResponseCapture {
  readonly #head: CapturedHead;
  readonly #contentType: string;
  readonly #isSequence: boolean;
  readonly #capture: BodyCapture | undefined;
  #isComplete = false;

  /** @param limit Maximum size of the recorded body in bytes; 0 to record none. */
  constructor(head: CapturedHead, limit: number) {
    this.#head = { ...head, fields: [...head.fields] };
    this.#contentType = fieldValue(head.fields, "content-type") ?? "";
    this.#isSequence = isSequence(this.#contentType);
    const hasBody = limit > 0 && mayHaveBody(head.method, head.status);
    // The length of a download shows from the start that it is too long.
    const isKept = hasBody && (this.#isSequence || (head.length ?? 0) <= limit);
    this.#capture = hasBody ? new BodyCapture(isKept ? limit : 0, !this.#isSequence) : undefined;
  }

  add(chunk: Uint8Array): void {
    this.#capture?.add(chunk);
  }

  complete(): void {
    this.#isComplete = true;
  }

  get length(): number {
    return this.#capture?.length ?? 0;
  }

  /** True if the limit kept a measurable body from being recorded. */
  get isCut(): boolean {
    if (this.#capture?.isCut !== true || this.#isSequence) return false;
    const kind = contentTypeKind(this.#contentType);
    return kind === "json" || kind === "text" || kind === "form";
  }

  /** Returns the response as received so far; `elapsed` is in seconds. */
  toResponse(elapsed: number): HttpResponse {
    const { status, fields } = this.#head;
    return {
      status_code: status,
      headers: fieldRecord(fields, "as_sent"),
      ...this.#body(),
      elapsed,
    };
  }

  #body(): Pick<HttpResponse, "body" | "body_truncated"> {
    const capture = this.#capture;
    if (capture === undefined) return {};
    if (this.#isComplete && !capture.isCut) return { body: capture.bytes() };
    // A part of a compressed body can't be read.
    const isReadable = fieldValue(this.#head.fields, "content-encoding") === undefined;
    const readable = isReadable ? completeRecords(this.#contentType, capture.bytes()) : undefined;
    return readable === undefined ? { body_truncated: true } : { body: readable };
  }
}

/** Keeps the chunks of a body that is passed on, up to a limit. The chunks are not copied. */
export class BodyCapture {
  readonly #limit: number;
  readonly #isAllOrNothing: boolean;
  #chunks: Uint8Array[] = [];
  #keptLength = 0;
  #length = 0;

  /** @param isAllOrNothing True to keep nothing of a body that is longer than the limit. */
  constructor(limit: number, isAllOrNothing = false) {
    this.#limit = limit;
    this.#isAllOrNothing = isAllOrNothing;
  }

  get length(): number {
    return this.#length;
  }

  get isCut(): boolean {
    return this.#length > this.#keptLength;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#isAllOrNothing && this.#length > this.#limit) {
      this.#chunks = [];
      this.#keptLength = 0;
      return;
    }
    const room = this.#limit - this.#keptLength;
    if (room <= 0) return;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(part);
    this.#keptLength += part.length;
  }

  bytes(): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    return concatBytes(this.#chunks);
  }
}

interface ProxiedExchange {
  readonly method: string | undefined;
  readonly url: string;
  readonly fields: readonly string[];
  readonly capture?: BodyCapture | undefined;
  readonly isComplete: boolean;
  readonly status: number | undefined;
  /** The response; undefined if only its status is known. */
  readonly response?: ResponseCapture | undefined;
  readonly timestamp: number;
  /** The time of `timestamp` by `performance.now()`. */
  readonly startTime: number;
}

/** Builds the interaction to record for a request. The elapsed time ends now. */
export function buildInteraction(exchange: ProxiedExchange): Interaction {
  const { method, url, fields, capture, isComplete, status, response, timestamp } = exchange;
  const elapsed = Math.round((performance.now() - exchange.startTime) * 1000) / 1e6;
  return {
    request: {
      method: method ?? "GET",
      url,
      headers: fieldRecord(fields, "as_sent"),
      ...(capture !== undefined && capture.length > 0 && { body: capture.bytes() }),
      ...((!isComplete || capture?.isCut === true) && { body_truncated: true }),
    },
    ...(status !== undefined && {
      response: response?.toResponse(elapsed) ?? { status_code: status, elapsed },
    }),
    timestamp,
  };
}
