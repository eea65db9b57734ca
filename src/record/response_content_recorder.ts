import { readContentType } from "../http/media_type.ts";
import { hasHeaders } from "../http/headers.ts";
import type { HttpResponse } from "../http/interaction.ts";
import { FULL_VISIBILITY, showsHeader, type Visibility } from "../http/visibility.ts";
import { RequestText } from "../http/request_text.ts";
import { documentedResponse, mayHaveBody, type OperationPlan } from "../map/coverage_plan.ts";
import type { RequestSource } from "../map/evidence.ts";
import type { OperationHits } from "../map/operation_hits.ts";
import type { CounterStore } from "../schema/counters.ts";
import type { SchemaProgram } from "../schema/schema_unit.ts";
import { getOrAdd } from "../values/collections.ts";
import { DocumentedBodies } from "./documented_bodies.ts";
import { mediaTypeText, type RecordedBody, recordedBody } from "./sent_request.ts";
import { ResponseBodyTarget, ResponseHeaderTarget } from "./response_target.ts";

interface PreparedResponse {
  readonly bodies: DocumentedBodies<ResponseBodyTarget>;
  readonly documentsBodies: boolean;
  readonly headers: readonly ResponseHeaderTarget[];
}

/** Records the bodies and headers of the responses of one operation (semantics, section 12). */
export class ResponseContentRecorder {
  readonly #operation: OperationPlan;
  readonly #hits: OperationHits;
  readonly #store: CounterStore;
  readonly #program: SchemaProgram;
  readonly #listsUndeclared: boolean;
  readonly #source: RequestSource | undefined;
  readonly #prepared = new Map<number, PreparedResponse | undefined>();

  /** @param program The program for the schemas of responses. */
  constructor(
    operation: OperationPlan,
    hits: OperationHits,
    program: SchemaProgram,
    listsUndeclared: boolean,
    source: RequestSource | undefined,
  ) {
    this.#source = source;
    this.#listsUndeclared = listsUndeclared;
    this.#operation = operation;
    this.#hits = hits;
    this.#store = hits.store;
    this.#program = program;
  }

  /** Adds body and headers. Headers that `visibility` hides don't count as missing. */
  record(
    status: number,
    response: HttpResponse,
    { response_headers: visible }: Visibility = FULL_VISIBILITY,
  ): void {
    const text = new RequestText([], "", response.headers);
    const body = this.#readBody(status, response, text);
    if (body?.kind === "data") this.#hits.responseBodies += this.#store.weight;
    const prepared = this.#preparedResponse(status);
    if (prepared === undefined) {
      if (body !== undefined) this.#addUndocumented(status, text, undefined);
      return;
    }
    const isRecorded = hasHeaders(response.headers);
    if (isRecorded) { for (const header of prepared.headers) header.record(text, status, visible); }
    if (body === undefined) return;
    const contentType = readContentType(text.headers.get("content-type"));
    const selected = prepared.bodies.select(body, contentType);
    if (selected !== undefined) {
      const { documented, mediaType } = selected;
      const truncated = truncatedBody(response, text);
      const isEvaluated = documented.record(body, mediaType, status, truncated);
      if (isEvaluated && body.kind !== "data") this.#hits.responseBodies += this.#store.weight;
    } else if (
      prepared.documentsBodies
        ? contentType || body.kind === "data" && isRecorded && showsHeader(visible, "content-type")
        : !isRedirectNote(status, contentType)
    ) {
      this.#addUndocumented(status, text, { status_code: status });
    }
  }

  /** Counts the media type of an undocumented body, or of a body with an undocumented status. */
  #addUndocumented(
    status: number,
    text: RequestText,
    example: { readonly status_code: number } | undefined,
  ): void {
    const { requestTime, weight } = this.#store;
    const mediaType = mediaTypeText(readContentType(text.headers.get("content-type")));
    const content = { status: String(status), mediaType, pointer: "" };
    const entry = { ...content, hits: weight, firstAt: requestTime, example };
    this.#hits.undocumentedResponseBodies.add(entry, example && this.#source);
  }

  #readBody(status: number, response: HttpResponse, text: RequestText): RecordedBody | undefined {
    if (!mayHaveBody(this.#operation.model.method, String(status))) return undefined;
    const body = recordedBody(response, text.headers);
    // The recorder may have decoded the body without changing the header.
    if (body?.kind === "malformed") return { kind: "not_recorded" };
    const isPart = body?.kind === "data" && status === 206 &&
      text.headers.get("content-range") !== undefined;
    return isPart ? { kind: "not_recorded" } : body;
  }

  #preparedResponse(status: number): PreparedResponse | undefined {
    const cached = this.#prepared.get(status);
    if (cached !== undefined || this.#prepared.has(status)) return cached;
    const prepared = this.#prepare(documentedResponse(this.#operation.model.responses, status));
    this.#prepared.set(status, prepared);
    return prepared;
  }

  readonly #byIndex = new Map<number, PreparedResponse>();

  #prepare(index: number): PreparedResponse | undefined {
    const plan = this.#operation.response(index);
    if (plan === undefined) return undefined;
    return getOrAdd(this.#byIndex, index, () => {
      const response = this.#hits.response(index);
      const source = this.#source;
      const place = { response, store: this.#store, program: this.#program, source };
      const undeclared = this.#listsUndeclared ? this.#hits.undocumentedProperties : undefined;
      const bodies = plan.mediaTypes.map((media, part) =>
        new ResponseBodyTarget({ ...place, plan: media, part }, undeclared)
      );
      const headers = plan.headers.map((header, at) =>
        new ResponseHeaderTarget({ ...place, plan: header, part: bodies.length + at })
      );
      const documentsBodies = bodies.length > 0;
      return { bodies: new DocumentedBodies(bodies), documentsBodies, headers };
    });
  }
}

/** True for the text with a link that servers add to redirects by themselves (RFC 9110, section 15.4). */
function isRedirectNote(status: number, contentType = ""): boolean {
  return status >= 300 && status < 400 && /^(?:text\/|$)/i.test(contentType);
}

/** Returns the recorded part of a body; undefined if there is none or it is compressed. */
function truncatedBody({ body }: HttpResponse, text: RequestText): Uint8Array | string | undefined {
  if (typeof body === "string") return body;
  const isPlain = body instanceof Uint8Array && text.headers.get("content-encoding") === undefined;
  return isPlain ? body : undefined;
}
