import { getOrAdd } from "../values/collections.ts";
import type { ParameterModel, ResponseContent, ResponseModel, ResponseSource } from "./model.ts";
import type { Place } from "../schema/position.ts";
import { readMediaType, schemaAt } from "./read_media_type.ts";
import {
  booleanAt,
  type Fields,
  fieldsAt,
  follow,
  memberPlace,
  pathOf,
  type Reading,
} from "./reading.ts";
import { collectionFormats, readValue } from "./read_parameter.ts";
const NOTHING: ResponseContent = { mediaTypes: [], headers: [] };

/** Few recordings have response bodies: each response is read when the first arrives, once for all operations. */
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
    return getOrAdd(this.#known, key, () => ({
      mediaTypes: this.#reading.version === "2.0"
        ? this.#swaggerBody(place, produces)
        : this.#mediaTypes(place),
      headers: this.#headers(place),
    }));
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

/** Reads a Header Object (OpenAPI 3.2, 4.21); undefined if it can't be used, and for `Content-Type`. */
function readHeader(reading: Reading, entry: Place, name: string): ParameterModel | undefined {
  const place = follow(reading, entry);
  if (place === undefined || fieldsAt(reading, place, "A header") === undefined) return undefined;
  const header = {
    location: "header",
    name,
    deprecated: false,
    place,
    in: "header",
    style: "simple",
    allowReserved: false,
  } as const;
  if (reading.version === "2.0") {
    const formats = collectionFormats(reading, place, "header");
    return {
      ...header,
      required: false,
      schema: place, // the header is its own schema
      explode: false,
      ...(formats && { collectionFormat: formats }),
      examples: [],
    };
  }
  if (name.toLowerCase() === "content-type") return undefined;
  return {
    ...header,
    required: booleanAt(reading, place, "required", false),
    explode: booleanAt(reading, place, "explode", false),
    ...readValue(reading, place, "header", name),
    examples: [],
  };
}
