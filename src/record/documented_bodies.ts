import { mediaEssence, mediaKind, readsJson, selectMediaType } from "../http/media_type.ts";
import { isJsonMediaType } from "../values/json_type.ts";
import type { RecordedBody } from "./sent_request.ts";

export interface DocumentedBody {
  /** Its media type; the body parameter of Swagger 2.0 has none. */
  readonly mediaType: string | undefined;
  /** The media types that such a parameter can have. */
  readonly consumes: readonly string[];
}

/** A documented body, and what that of a request is decoded as. */
export interface SelectedBody<B extends DocumentedBody> {
  readonly documented: B;
  readonly mediaType: string;
}

export class DocumentedBodies<B extends DocumentedBody> {
  readonly #bodies: readonly B[];
  readonly #mediaTypes: readonly string[];
  /** The last Content-Type, and what it selected: requests repeat theirs. */
  #contentType = "";
  #selected: SelectedBody<B> | undefined;

  constructor(bodies: readonly B[]) {
    this.#bodies = bodies;
    this.#mediaTypes = bodies.map(({ mediaType }) => mediaType ?? "*/*");
  }

  /** The documented body that a request's body is; undefined if it isn't documented. */
  select(body: RecordedBody, contentType: string | undefined): SelectedBody<B> | undefined {
    if (!contentType) return this.#selectWithoutType(body);
    if (contentType !== this.#contentType) {
      this.#selected = this.#selectByType(contentType);
      this.#contentType = contentType;
    }
    return this.#selected;
  }

  #selectByType(contentType: string): SelectedBody<B> | undefined {
    const [only] = this.#bodies;
    if (only !== undefined && only.mediaType === undefined) {
      const { consumes } = only;
      const index = selectMediaType(contentType, consumes);
      const isConsumed = consumes.length === 0 || index >= 0;
      if (!isConsumed) return undefined;
      return { documented: only, mediaType: decodedAs(contentType, consumes[index]) };
    }
    const documented = this.#bodies[selectMediaType(contentType, this.#mediaTypes)];
    return documented && { documented, mediaType: decodedAs(contentType, documented.mediaType) };
  }

  #selectWithoutType(body: RecordedBody): SelectedBody<B> | undefined {
    const [only] = this.#bodies;
    if (only === undefined) return undefined;
    if (only.mediaType === undefined) return selectSwaggerBody(only, body);
    if (this.#bodies.length === 1) {
      return { documented: only, mediaType: assumedType(only.mediaType, body) };
    }
    const documented = this.#bodies[selectJson(this.#mediaTypes)];
    return documented !== undefined && parsesAsJson(body)
      ? { documented, mediaType: "application/json" }
      : undefined;
  }
}

/** The body parameter of Swagger 2.0 takes any media type of `consumes`, or any at all without `consumes`. */
function selectSwaggerBody<B extends DocumentedBody>(
  documented: B,
  body: RecordedBody,
): SelectedBody<B> | undefined {
  const { consumes } = documented;
  const [only] = consumes;
  if (only !== undefined && consumes.length === 1) {
    return { documented, mediaType: assumedType(only, body) };
  }
  if (consumes.length === 0) return { documented, mediaType: assumedType("*/*", body) };
  return selectJson(consumes) >= 0 && parsesAsJson(body)
    ? { documented, mediaType: "application/json" }
    : undefined;
}

/** The documented media type that JSON without a Content-Type belongs to; -1 if there is none. */
function selectJson(mediaTypes: readonly string[]): number {
  const index = selectMediaType("application/json", mediaTypes);
  return index >= 0 ? index : mediaTypes.findIndex(isJsonMediaType);
}

/** The media type to read a body as: its Content-Type, but never JSON or XML for a documented range that excludes it. */
function decodedAs(contentType: string, documented: string | undefined): string {
  if (documented === undefined || !documented.includes("*")) return contentType;
  const range = mediaEssence(documented);
  const sent = mediaEssence(contentType);
  const isOther = readsJson(sent) || (mediaKind(sent) === "xml" && mediaKind(range) !== "xml");
  return isOther && !readsJson(range) ? documented : contentType;
}

/** The media type for a body without Content-Type if only this one is documented. */
function assumedType(documented: string, body: RecordedBody): string {
  const mayBeJson = documented.includes("*") && readsJson(mediaEssence(documented));
  return mayBeJson && parsesAsJson(body) ? "application/json" : documented;
}

function parsesAsJson(body: RecordedBody): boolean {
  if (body.kind !== "data") return false;
  try {
    const text = typeof body.data === "string" ? body.data : new TextDecoder().decode(body.data);
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
