import { essenceOf, kindOf, selectMediaType } from "../http/media_type.ts";
import type { RecordedBody } from "./recorded_body.ts";

/** What a documented body is selected by. */
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

/** The bodies that one operation documents. */
export class DocumentedBodies<B extends DocumentedBody> {
  readonly #bodies: readonly B[];
  readonly #mediaTypes: readonly string[];
  /** The last Content-Type, and what it selected: requests repeat theirs. */
  #contentType = "";
  #selected: SelectedBody<B> | undefined;

  /** Takes them in the order of the description. */
  constructor(bodies: readonly B[]) {
    this.#bodies = bodies;
    this.#mediaTypes = bodies.map(({ mediaType }) => mediaType ?? "*/*");
  }

  /** The one that the body of a request is; undefined where it is none of them. */
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
      const isConsumed = consumes.length === 0 || selectMediaType(contentType, consumes) >= 0;
      return isConsumed ? { documented: only, mediaType: contentType } : undefined;
    }
    const documented = this.#bodies[selectMediaType(contentType, this.#mediaTypes)];
    return documented && { documented, mediaType: contentType };
  }

  #selectWithoutType(body: RecordedBody): SelectedBody<B> | undefined {
    const [only] = this.#bodies;
    if (only === undefined) return undefined;
    if (only.mediaType === undefined) return selectSwaggerBody(only, body);
    if (this.#bodies.length === 1) {
      return { documented: only, mediaType: assumedType(only.mediaType, body) };
    }
    if (!parsesAsJson(body)) return undefined;
    const documented = this.#bodies[selectMediaType("application/json", this.#mediaTypes)] ??
      this.#bodies.find(({ mediaType }) => kindOf(essenceOf(mediaType ?? "")) === "json");
    return documented && { documented, mediaType: "application/json" };
  }
}

/** The body parameter of Swagger 2.0 takes any media type of `consumes`, or any at all where there is none. */
function selectSwaggerBody<B extends DocumentedBody>(
  documented: B,
  body: RecordedBody,
): SelectedBody<B> | undefined {
  const { consumes } = documented;
  const [only] = consumes;
  if (only !== undefined && consumes.length === 1) {
    return { documented, mediaType: assumedType(only, body) };
  }
  if (consumes.length > 0 && !parsesAsJson(body)) return undefined;
  return { documented, mediaType: assumedType("*/*", body) };
}

/** What a body without Content-Type is taken for, where only this media type is documented. */
function assumedType(documented: string, body: RecordedBody): string {
  if (!documented.includes("*")) return documented;
  return parsesAsJson(body) ? "application/json" : "application/octet-stream";
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
