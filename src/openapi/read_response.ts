import type { ParameterModel, ResponseContent, ResponseModel, ResponseSource } from "./model.ts";
import type { Place } from "../schema/place.ts";
import { readHeader } from "./read_header.ts";
import { readMediaType, schemaAt } from "./read_media_type.ts";
import { type Fields, fieldsAt, memberPlace, pathOf, type Reading } from "./reading.ts";

const NOTHING: ResponseContent = { mediaTypes: [], headers: [] };

/**
 * Reads the media types and headers of responses. Few recordings have response bodies, so a response is read when its
 * first body or header arrives, and once for all operations that share it.
 */
export class ResponseReader implements ResponseSource {
  readonly #reading: Reading;
  readonly #known = new Map<string, ResponseContent>();

  /** Takes what reading the rest of the description has left. */
  constructor(reading: Reading) {
    // Diagnostics are of what every report needs, whenever it was read.
    this.#reading = { ...reading, diagnostics: [], said: new Set(reading.said) };
  }

  /** The media types and headers of a response. */
  read({ place, produces }: ResponseModel): ResponseContent {
    if (place === undefined) return NOTHING;
    const key = `${pathOf(place)} ${produces?.join() ?? ""}`;
    let content = this.#known.get(key);
    if (content === undefined) {
      content = {
        mediaTypes: this.#reading.version === "2.0"
          ? this.#swaggerBody(place, produces)
          : this.#mediaTypes(place),
        headers: this.#headers(place),
      };
      this.#known.set(key, content);
    }
    return content;
  }

  #mediaTypes(place: Place): readonly ParameterModel[] {
    const content = memberPlace(place, "content");
    const bodies: ParameterModel[] = [];
    for (const type of Object.keys(fieldsAt(this.#reading, content, "`content`") ?? {})) {
      const media = readMediaType(this.#reading, memberPlace(content, type), type);
      if (media === undefined) continue;
      bodies.push({ ...BODY, ...media, name: type, mediaType: type, examples: [] });
    }
    return bodies;
  }

  /** Swagger 2.0 has one schema for all media types of `produces`, so they are one. */
  #swaggerBody(place: Place, produces: readonly string[] = []): readonly ParameterModel[] {
    if ((place.value as Fields)["schema"] === undefined) return [];
    return [{
      ...BODY,
      name: produces.length === 0 ? "*/*" : produces.join(", "),
      place,
      schema: schemaAt(this.#reading, place, "schema"),
      ...(produces.length > 0 && { consumes: produces }),
      examples: [],
    }];
  }

  #headers(place: Place): readonly ParameterModel[] {
    const list = memberPlace(place, "headers");
    const headers: ParameterModel[] = [];
    for (const name of Object.keys(fieldsAt(this.#reading, list, "`headers`") ?? {})) {
      const header = readHeader(this.#reading, memberPlace(list, name), name);
      if (header !== undefined) headers.push(header);
    }
    return headers;
  }
}

const BODY = {
  location: "body",
  required: false,
  deprecated: false,
  in: "body",
  style: "form",
  explode: true,
  allowReserved: false,
} as const;
