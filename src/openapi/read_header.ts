import type { Place } from "../schema/place.ts";
import type { ParameterModel } from "./model.ts";
import { readValue } from "./read_parameter.ts";
import { collectionFormats } from "./read_swagger_parameter.ts";
import { booleanAt, fieldsAt, follow, type Reading } from "./reading.ts";

/**
 * Reads a Header Object of a response (OpenAPI 3.2, section 4.21). Undefined if it cannot be used, and for `Content-Type`,
 * which the media types are for.
 */
export function readHeader(
  reading: Reading,
  entry: Place,
  name: string,
): ParameterModel | undefined {
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
