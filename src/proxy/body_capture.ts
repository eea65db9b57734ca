import { concatBytes } from "../values/collections.ts";
import { type HttpResponse, type Interaction, mayHaveBody } from "../http/interaction.ts";
import { fieldRecord, fieldValue, type RawHeaders } from "./header_fields.ts";
import { kindOfContentType } from "../http/media_type.ts";
import { isSequence, wholeRecords } from "../http/whole_records.ts";

interface CapturedHead {
  readonly method: string;
  readonly status: number;
  readonly fields: RawHeaders;
  readonly length: number | undefined;
}

/** Keeps a passing response up to a limit; of longer ones only sequences, which have no end, are kept. */
export class ResponseCapture {
  readonly #head: CapturedHead;
  readonly #contentType: string;
  readonly #isSequence: boolean;
  readonly #capture: BodyCapture | undefined;
  #isComplete = false;

  /** @param limit How many bytes are kept; 0 for none of any body. */
  constructor(head: CapturedHead, limit: number) {
    this.#head = { ...head, fields: [...head.fields] };
    this.#contentType = fieldValue(head.fields, "content-type") ?? "";
    this.#isSequence = isSequence(this.#contentType);
    const hasBody = limit > 0 && mayHaveBody(head.method, head.status);
    // Of a download it is known from the start that it is too long.
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

  /** True if the limit kept a body from being recorded that could have been measured. */
  get isCut(): boolean {
    if (this.#capture?.isCut !== true || this.#isSequence) return false;
    const kind = kindOfContentType(this.#contentType);
    return kind === "json" || kind === "text" || kind === "form";
  }

  /** The response as far as it has come; `elapsed` is in seconds. */
  response(elapsed: number): HttpResponse {
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
    // What is compressed has to be whole to be read.
    const isReadable = fieldValue(this.#head.fields, "content-encoding") === undefined;
    const arrived = isReadable ? wholeRecords(this.#contentType, capture.bytes()) : undefined;
    return arrived === undefined ? { body_truncated: true } : { body: arrived };
  }
}

/** Keeps what passes of a body, up to a limit; the chunks themselves, not copies. */
export class BodyCapture {
  readonly #limit: number;
  readonly #isAllOrNothing: boolean;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #length = 0;

  /** `isAllOrNothing` if nothing is kept of a body that is longer than the limit in bytes. */
  constructor(limit: number, isAllOrNothing = false) {
    this.#limit = limit;
    this.#isAllOrNothing = isAllOrNothing;
  }

  get length(): number {
    return this.#length;
  }

  /** True if something of the body is missing in {@linkcode bytes}. */
  get isCut(): boolean {
    return this.#length > this.#kept;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#isAllOrNothing && this.#length > this.#limit) {
      this.#chunks = [];
      this.#kept = 0;
      return;
    }
    const room = this.#limit - this.#kept;
    if (room <= 0) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(kept);
    this.#kept += kept.length;
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
  /** The response; undefined if its status is all that is known. */
  readonly response?: ResponseCapture | undefined;
  readonly timestamp: number;
  /** The same by `performance.now()`. */
  readonly started: number;
}

/** The interaction that is recorded for a request; the time elapsed is that until now. */
export function buildInteraction(exchange: ProxiedExchange): Interaction {
  const { method, url, fields, capture, isComplete, status, response, timestamp } = exchange;
  const elapsed = Math.round((performance.now() - exchange.started) * 1000) / 1e6;
  return {
    request: {
      method: method ?? "GET",
      url,
      headers: fieldRecord(fields, "as_sent"),
      ...(capture !== undefined && capture.length > 0 && { body: capture.bytes() }),
      ...((!isComplete || capture?.isCut === true) && { body_truncated: true }),
    },
    ...(status !== undefined && {
      response: response?.response(elapsed) ?? { status_code: status, elapsed },
    }),
    timestamp,
  };
}
