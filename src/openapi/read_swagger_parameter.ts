import type { Place } from "../schema/place.ts";
import type { ParameterModel } from "./model.ts";
import { schemaAt } from "./read_media_type.ts";
import { readIdentity, sayUnknownLocation } from "./read_parameter.ts";
import { booleanAt, isFields, memberPlace, type Reading, say } from "./reading.ts";

const FORMATS = ["csv", "ssv", "tsv", "pipes", "multi"];

/**
 * Reads a Parameter Object of Swagger 2.0, references followed already. `consumes` is added by the operation.
 * Undefined if it cannot be used.
 */
export function readSwaggerParameter(reading: Reading, place: Place): ParameterModel | undefined {
  const identity = readIdentity(reading, place);
  if (identity === undefined) return undefined;
  const { name, in: location } = identity;
  switch (location) {
    case "path":
    case "query":
    case "header":
    case "formData":
    case "body":
      break;
    default:
      sayUnknownLocation(reading, place, identity);
      return undefined;
  }
  const isBody = location === "body";
  const formats = isBody ? undefined : collectionFormats(reading, place, location);
  return {
    location: location === "formData" ? "form_data" : location,
    name,
    required: booleanAt(reading, place, "required", false) || location === "path",
    deprecated: false,
    place,
    // The parameter is its own schema, `default` included, unless it is a body.
    schema: isBody ? schemaAt(reading, place, "schema") : place,
    in: location,
    style: location === "path" || location === "header" ? "simple" : "form",
    explode: formats?.[0] === "multi",
    allowReserved: false,
    ...(formats && { collectionFormat: formats }),
    examples: [],
  };
}

/** The formats of an array and of the arrays in it, outermost first; undefined for what isn't an array. */
export function collectionFormats(
  reading: Reading,
  parameter: Place,
  location: string,
): readonly string[] | undefined {
  if (!isFields(parameter.value) || parameter.value["type"] !== "array") return undefined;
  const formats: string[] = [];
  let place = parameter;
  while (isFields(place.value) && place.value["type"] === "array") {
    const outermost = formats.length === 0;
    formats.push(
      collectionFormat(
        reading,
        place,
        outermost && (location === "query" || location === "formData"),
      ),
    );
    place = memberPlace(place, "items");
  }
  return formats;
}

function collectionFormat(reading: Reading, place: Place, multiAllowed: boolean): string {
  const format = memberPlace(place, "collectionFormat");
  const { value } = format;
  if (value === undefined) return "csv";
  if (typeof value === "string" && FORMATS.includes(value) && (value !== "multi" || multiAllowed)) {
    return value;
  }
  say(
    reading,
    "warning",
    "invalid_collection_format",
    format,
    `\`collectionFormat: ${String(value)}\` is not allowed here, so it is read as \`csv\`.`,
  );
  return "csv";
}
