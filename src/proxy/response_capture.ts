import { kindOfContentType } from "../http/media_type.ts";
import { mayHaveBody } from "../http/may_have_body.ts";
import type { HttpResponse } from "../http/interaction.ts";
import { isSequence, wholeRecords } from "../http/whole_records.ts";
import { BodyCapture } from "./body_capture.ts";
import { fieldRecord, fieldValue, type RawHeaders } from "./header_fields.ts";

/** The head of a response that is captured. */
export interface CapturedHead {
  /** The method of the request, in upper case. */
  readonly method: string;
  readonly status: number;
  /** Names and values in turn. */
  readonly fields: RawHeaders;
  /** Bytes that the body is going to have; undefined if no length is given. */
  readonly length: number | undefined;
}

/**
 * Keeps a response while it passes, up to a limit. What is longer is given up at once, so that downloads need no memory:
 * of a body without its end nothing can be measured, but of sequences, which have none.
 */
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

  /** Takes the next chunk. */
  add(chunk: Uint8Array): void {
    this.#capture?.add(chunk);
  }

  /** Notes that the whole body has come. */
  complete(): void {
    this.#isComplete = true;
  }

  /** Bytes of the body that have come. */
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
