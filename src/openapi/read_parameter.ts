import type { ParameterLocation } from "../values/position.ts";
import type { Place } from "../schema/position.ts";
import type { ParameterModel } from "./model.ts";
import { readExamples } from "./read_examples.ts";
import { readMediaType, schemaAt } from "./read_media_type.ts";
import {
  booleanAt,
  type Fields,
  fieldsAt,
  isFields,
  memberPlace,
  type Reading,
  say,
  textAt,
  wrongType,
} from "./reading.ts";

const FORMATS = ["csv", "ssv", "tsv", "pipes", "multi"];

/** Reads a resolved Parameter Object of Swagger 2.0, without `consumes`; undefined if it can't be used. */
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

/** The styles that each location allows, the default first (OpenAPI 3.2, section 4.12.3). */
const STYLES = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
  querystring: ["form"],
} as const;

/** Headers that describe themselves elsewhere in OpenAPI 3. */
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** The key of a parameter: its `in` and its name. */
export interface ParameterIdentity {
  /** The field `in`, known or not. */
  readonly in: string;
  /** The field `name`, never empty. */
  readonly name: string;
}

/** The name and location of a Parameter Object; a diagnostic and undefined if one is missing. */
export function readIdentity(reading: Reading, place: Place): ParameterIdentity | undefined {
  const fields = fieldsAt(reading, place, "A parameter");
  if (fields === undefined) {
    if (place.value === undefined) wrongType(reading, place, "A parameter", "an object");
    return undefined;
  }
  const { name, in: location } = fields;
  // An unquoted number or boolean of YAML is a name as well.
  const text = typeof name === "number" || typeof name === "boolean" ? String(name) : name;
  if (typeof text === "string" && text !== "" && typeof location === "string") {
    return { name: text, in: location };
  }
  const missing = typeof text === "string" && text !== "" ? "in" : "name";
  say(
    reading,
    "error",
    "incomplete_parameter",
    place,
    `This parameter has no \`${missing}\`, so it is not counted.`,
  );
  return undefined;
}

/** Reports a parameter whose `in` this version of OpenAPI doesn't have. */
export function sayUnknownLocation(
  reading: Reading,
  place: Place,
  { in: location, name }: ParameterIdentity,
): void {
  say(
    reading,
    "error",
    "unknown_location",
    memberPlace(place, "in"),
    `\`in: ${location}\` is not a parameter location in OpenAPI ${reading.version}, so \`${name}\` is not counted.`,
  );
}

/** Reads a resolved Parameter Object of OpenAPI 3 (3.2, section 4.12); undefined if it can't be used. */
export function readParameter(reading: Reading, place: Place): ParameterModel | undefined {
  const identity = readIdentity(reading, place);
  if (identity === undefined) return undefined;
  const location = locationOf(reading, identity.in);
  if (location === undefined) {
    sayUnknownLocation(reading, place, identity);
    return undefined;
  }
  if (location === "header" && IGNORED_HEADERS.has(identity.name.toLowerCase())) return undefined;
  const style = readStyle(reading, place, location);
  return {
    location: location === "querystring" ? "query" : location,
    name: identity.name,
    required: booleanAt(reading, place, "required", false) || location === "path",
    deprecated: booleanAt(reading, place, "deprecated", false),
    place,
    in: location,
    style,
    explode: booleanAt(reading, place, "explode", style === "form" || style === "cookie"),
    allowReserved: booleanAt(reading, place, "allowReserved", false),
    ...readValue(reading, place, location, identity.name),
  };
}

type Location3 = Exclude<ParameterLocation, "body" | "form_data"> | "querystring";

function locationOf(reading: Reading, text: string): Location3 | undefined {
  switch (text) {
    case "path":
    case "query":
    case "header":
    case "cookie":
      return text;
    case "querystring":
      return reading.version === "3.2" ? text : undefined;
    default:
      return undefined;
  }
}

function readStyle(reading: Reading, place: Place, location: Location3): string {
  const allowed: readonly string[] = reading.version === "3.2" || location !== "cookie"
    ? STYLES[location]
    : ["form"];
  const fallback = STYLES[location][0];
  const style = textAt(reading, place, "style");
  if (style === undefined || allowed.includes(style)) return style ?? fallback;
  say(
    reading,
    "warning",
    "invalid_style",
    memberPlace(place, "style"),
    `\`style: ${style}\` is not allowed in ${location} parameters, so it is read as \`${fallback}\`.`,
  );
  return fallback;
}

type Value = Pick<ParameterModel, "schema" | "itemSchema" | "content" | "encoding" | "examples">;

/** The schema of a parameter or header, from `schema` or from the one media type of `content`. */
export function readValue(
  reading: Reading,
  place: Place,
  location: Location3,
  name: string,
): Value {
  const examples = readExamples(reading, place);
  const content = memberPlace(place, "content");
  const types = Object.keys(fieldsAt(reading, content, "`content`") ?? {});
  const [type] = types;
  if (type === undefined || (location !== "querystring" && hasSchema(place))) {
    const schema = schemaAt(reading, place, "schema");
    if ((place.value as Fields)["schema"] === undefined) {
      say(
        reading,
        "info",
        "parameter_without_schema",
        place,
        `The parameter \`${name}\` has neither \`schema\` nor \`content\`, so any value is accepted.`,
      );
    }
    return { schema, examples };
  }
  if (types.length > 1) {
    say(
      reading,
      "warning",
      "several_contents",
      content,
      `The \`content\` of a parameter must have exactly one media type; only \`${type}\` counts.`,
    );
  }
  const media = readMediaType(reading, memberPlace(content, type), type);
  return {
    content: type,
    schema: media?.schema,
    ...(media?.itemSchema && { itemSchema: media.itemSchema }),
    ...(media?.encoding && { encoding: media.encoding }),
    examples: [...examples, ...(media?.examples ?? [])],
  };
}

function hasSchema(place: Place): boolean {
  return (place.value as Fields)["schema"] !== undefined;
}
