import { getOrAdd } from "../values/collections.ts";
import type { ParameterModel, ResponseContent, ResponseModel, ResponseSource } from "./model.ts";
import { readMediaType } from "./read_media_type.ts";
import { BODY } from "./read_operation.ts";
import { collectionFormats, readValue } from "./read_parameter.ts";
import { Part, type Reading } from "./reading.ts";

const NOTHING: ResponseContent = { mediaTypes: [], headers: [] };

/** Few recordings have response bodies: each response is read when the first arrives, once for all operations. */
export class ResponseReader implements ResponseSource {
  readonly #reading: Reading;
  readonly #known = new Map<string, ResponseContent>();

  constructor(reading: Reading) {
    // Diagnostics are of what every report needs, whenever it was read.
    this.#reading = { ...reading, diagnostics: [], said: new Set(reading.said) };
  }

  read({ place, produces }: ResponseModel): ResponseContent {
    if (place === undefined) return NOTHING;
    const part = new Part(this.#reading, place);
    return getOrAdd(
      this.#known,
      `${part.path} ${produces?.join() ?? ""}`,
      () => ({
        mediaTypes: this.#reading.version === "2.0"
          ? swaggerBody(part, produces)
          : mediaTypes(part),
        headers: part.member("headers").members("`headers`")
          .flatMap(([name, entry]) => readHeader(entry, name) ?? []),
      }),
    );
  }
}

function mediaTypes(place: Part): readonly ParameterModel[] {
  return place.member("content").members("`content`").flatMap(
    ([type, entry]) => {
      const media = readMediaType(entry, type);
      return media === undefined
        ? []
        : [{ ...BODY, ...media, name: type, mediaType: type, examples: [] }];
    },
  );
}

/** Swagger 2.0 has one schema for all media types of `produces`, so they are one. */
function swaggerBody(place: Part, produces: readonly string[] = []): readonly ParameterModel[] {
  if (place.get("schema") === undefined) return [];
  return [{
    ...BODY,
    name: produces.length === 0 ? "*/*" : produces.join(", "),
    place,
    schema: place.schema("schema"),
    ...(produces.length > 0 && { consumes: produces }),
    examples: [],
  }];
}

/** Reads a Header Object (OpenAPI 3.2, 4.21); undefined if it can't be used, and for `Content-Type`. */
function readHeader(entry: Part, name: string): ParameterModel | undefined {
  const place = entry.follow();
  if (place?.fields("A header") === undefined) return undefined;
  const header = {
    location: "header",
    name,
    deprecated: false,
    place,
    in: "header",
    style: "simple",
    allowReserved: false,
  } as const;
  if (place.reading.version === "2.0") {
    const formats = collectionFormats(place, "header");
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
    required: place.boolean("required"),
    explode: place.boolean("explode"),
    ...readValue(place, "header", name),
    examples: [],
  };
}
