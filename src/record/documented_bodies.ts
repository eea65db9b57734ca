import { mediaEssence, mediaKind, readsJson, selectMediaType } from "../http/media_type.ts";
import { isJsonMediaType } from "../values/json_type.ts";
import type { RecordedBody } from "./sent_request.ts";
import { isJson } from "../values/parse_json.ts";

export interface DocumentedBody {
  /** Undefined for the body parameter of Swagger 2.0. */
  readonly mediaType: string | undefined;
  /** The media types that the body parameter of Swagger 2.0 accepts. */
  readonly consumes: readonly string[];
}

/** A documented body with the media type for decoding. */
export interface SelectedBody<B extends DocumentedBody> {
  readonly documented: B;
  readonly mediaType: string;
}

export class DocumentedBodies<B extends DocumentedBody> {
  /** The accepted media types, and the body of each. */
  readonly #mediaTypes: readonly string[];
  readonly #bodies: readonly B[];
  /** The last Content-Type and the body that it selected, as requests tend to repeat it. */
  #contentType = "";
  #selected: SelectedBody<B> | undefined;

  constructor(bodies: readonly B[]) {
    const [first] = bodies;
    if (first === undefined || first.mediaType !== undefined) {
      this.#mediaTypes = bodies.map(({ mediaType }) => mediaType ?? "*/*");
      this.#bodies = bodies;
    } else {
      // The body parameter of Swagger 2.0 accepts the media types of `consumes`, or any if there are none.
      this.#mediaTypes = first.consumes.length === 0 ? ["*/*"] : first.consumes;
      this.#bodies = this.#mediaTypes.map(() => first);
    }
  }

  /** Returns the documented body that matches a request's body; undefined if it isn't documented. */
  select(body: RecordedBody, contentType: string | undefined): SelectedBody<B> | undefined {
    if (!contentType) return this.#selectWithoutType(body);
    if (contentType !== this.#contentType) {
      this.#selected = this.#selectByType(contentType);
      this.#contentType = contentType;
    }
    return this.#selected;
  }

  #selectByType(contentType: string): SelectedBody<B> | undefined {
    const index = selectMediaType(contentType, this.#mediaTypes);
    const documented = this.#bodies[index];
    const mediaType = decodingType(contentType, this.#mediaTypes[index]);
    return documented && { documented, mediaType };
  }

  #selectWithoutType(body: RecordedBody): SelectedBody<B> | undefined {
    const [first] = this.#bodies;
    const [only = "", ...others] = this.#mediaTypes;
    if (first !== undefined && others.length === 0) {
      return { documented: first, mediaType: assumedType(only, body) };
    }
    const documented = this.#bodies[selectJson(this.#mediaTypes)];
    return documented !== undefined && parsesAsJson(body)
      ? { documented, mediaType: "application/json" }
      : undefined;
  }
}

/** Returns the index of the documented media type for JSON without a Content-Type; -1 if there is none. */
function selectJson(mediaTypes: readonly string[]): number {
  const index = selectMediaType("application/json", mediaTypes);
  return index >= 0 ? index : mediaTypes.findIndex(isJsonMediaType);
}

/** Returns the media type for decoding: the Content-Type, but not JSON or XML if a documented range excludes them. */
function decodingType(contentType: string, documented: string | undefined): string {
  if (documented === undefined || !documented.includes("*")) return contentType;
  const range = mediaEssence(documented);
  const sent = mediaEssence(contentType);
  const isExcluded = readsJson(sent) || (mediaKind(sent) === "xml" && mediaKind(range) !== "xml");
  return isExcluded && !readsJson(range) ? documented : contentType;
}

/** Returns the media type for a body without Content-Type if only one media type is documented. */
function assumedType(documented: string, body: RecordedBody): string {
  const mayBeJson = documented.includes("*") && readsJson(mediaEssence(documented));
  return mayBeJson && parsesAsJson(body) ? "application/json" : documented;
}

function parsesAsJson(body: RecordedBody): boolean {
  if (body.kind !== "data") return false;
  return isJson(typeof body.data === "string" ? body.data : new TextDecoder().decode(body.data));
}
