import type { ParameterModel } from "./model.ts";
import { readExamples, readMediaType } from "./read_media_type.ts";
import { isFields, type Part } from "./part.ts";

const SWAGGER_LOCATIONS = ["path", "query", "header", "formData", "body"] as const;
const COLLECTION_FORMATS = ["csv", "ssv", "tsv", "pipes", "multi"];

/** Reads a resolved Parameter Object of Swagger 2.0, without `consumes`; undefined if it can't be used. */
export function readSwaggerParameter(place: Part): ParameterModel | undefined {
  const identity = readIdentity(place);
  if (identity === undefined) return undefined;
  const { name } = identity;
  const location = SWAGGER_LOCATIONS.find((one) => one === identity.in);
  if (location === undefined) return reportUnknownLocation(place, identity);
  const isBody = location === "body";
  const formats = isBody ? undefined : collectionFormats(place, location);
  return {
    location: location === "formData" ? "form_data" : location,
    name,
    required: place.boolean("required") || location === "path",
    deprecated: false,
    place,
    // A parameter other than a body is its own schema, `default` included.
    schema: isBody ? place.schema("schema") : place,
    in: location,
    style: location === "path" || location === "header" ? "simple" : "form",
    explode: formats?.[0] === "multi",
    allowReserved: false,
    ...(formats && { collectionFormat: formats }),
    examples: [],
  };
}

/** The collection formats of an array and of nested arrays, outermost first; undefined if it isn't an array. */
export function collectionFormats(parameter: Part, location: string): string[] | undefined {
  const formats: string[] = [];
  const isArray = ({ value }: Part) => isFields(value) && value["type"] === "array";
  for (let place = parameter; isArray(place); place = place.member("items")) {
    const mayRepeat = formats.length === 0 && (location === "query" || location === "formData");
    formats.push(collectionFormat(place.member("collectionFormat"), mayRepeat));
  }
  return formats.length === 0 ? undefined : formats;
}

function collectionFormat(format: Part, multiAllowed: boolean): string {
  const { value } = format;
  if (value === undefined) return "csv";
  if (
    typeof value === "string" && COLLECTION_FORMATS.includes(value) &&
    (value !== "multi" || multiAllowed)
  ) {
    return value;
  }
  const message = `\`collectionFormat: ${
    String(value)
  }\` is not allowed here, so it is read as \`csv\`.`;
  format.warn("invalid_collection_format", message);
  return "csv";
}

/** The styles that each location allows, with the default first (OpenAPI 3.2, section 4.12.3). */
const STYLES = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
  querystring: ["form"],
} as const;

/** Header parameters that OpenAPI 3 ignores: other fields describe these headers. */
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** The `in` of a parameter, known or unknown, and the name, which is never empty. */
type ParameterIdentity = Pick<ParameterModel, "name"> & { readonly in: string };

/** Reads the name and location of a Parameter Object. If one is missing: undefined, and a diagnostic. */
function readIdentity(place: Part): ParameterIdentity | undefined {
  const fields = place.fields("A parameter");
  if (fields === undefined) {
    if (place.value === undefined) place.warnWrongType("A parameter", "an object");
    return undefined;
  }
  const { name, in: location } = fields;
  // An unquoted number or boolean in YAML is also a name.
  const text = typeof name === "number" || typeof name === "boolean" ? String(name) : name;
  const hasName = typeof text === "string" && text !== "";
  if (hasName && typeof location === "string") return { name: text, in: location };
  const missing = hasName ? "in" : "name";
  const message = `This parameter has no \`${missing}\`, so it is not counted.`;
  place.addDiagnostic("error", "incomplete_parameter", message);
  return undefined;
}

function reportUnknownLocation(place: Part, { in: location, name }: ParameterIdentity): undefined {
  const { version } = place.reading;
  const message =
    `\`in: ${location}\` is not a parameter location in OpenAPI ${version}, so \`${name}\` is not counted.`;
  place.member("in").addDiagnostic("error", "unknown_location", message);
}

/** Reads a resolved Parameter Object of OpenAPI 3 (3.2, section 4.12); undefined if it can't be used. */
export function readParameter(place: Part): ParameterModel | undefined {
  const identity = readIdentity(place);
  if (identity === undefined) return undefined;
  const { in: location, name } = identity;
  if (!isLocation(location, place)) return reportUnknownLocation(place, identity);
  if (location === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  const style = readStyle(place, location);
  return {
    location: location === "querystring" ? "query" : location,
    name,
    required: place.boolean("required") || location === "path",
    deprecated: place.boolean("deprecated"),
    place,
    in: location,
    style,
    explode: place.boolean("explode", style === "form" || style === "cookie"),
    allowReserved: place.boolean("allowReserved"),
    ...readValueModel(place, location, name),
  };
}

type OpenApi3Location = keyof typeof STYLES;

function isLocation(text: string, { reading: { version } }: Part): text is OpenApi3Location {
  return Object.hasOwn(STYLES, text) && (text !== "querystring" || version === "3.2");
}

function readStyle(place: Part, location: OpenApi3Location): string {
  const allowed: readonly string[] = place.reading.version === "3.2" || location !== "cookie"
    ? STYLES[location]
    : ["form"];
  const fallback = STYLES[location][0];
  const style = place.text("style");
  if (style === undefined || allowed.includes(style)) return style ?? fallback;
  const message =
    `\`style: ${style}\` is not allowed in ${location} parameters, so it is read as \`${fallback}\`.`;
  place.member("style").warn("invalid_style", message);
  return fallback;
}

type ValueModel = Pick<
  ParameterModel,
  "schema" | "itemSchema" | "content" | "encoding" | "examples"
>;

/** Reads the schema of a parameter or header from `schema`, or from the one media type in `content`. */
export function readValueModel(place: Part, location: OpenApi3Location, name: string): ValueModel {
  const examples = readExamples(place);
  const content = place.member("content");
  const types = content.members("`content`");
  const hasSchema = place.get("schema") !== undefined;
  if (types[0] === undefined || (location !== "querystring" && hasSchema)) {
    const schema = place.schema("schema");
    if (!hasSchema) {
      const message =
        `The parameter \`${name}\` has neither \`schema\` nor \`content\`, so any value is accepted.`;
      place.addDiagnostic("info", "parameter_without_schema", message);
    }
    return { schema, examples };
  }
  const [type, entry] = types[0];
  if (types.length > 1) {
    const message =
      `The \`content\` of a parameter must have exactly one media type; only \`${type}\` counts.`;
    content.warn("several_contents", message);
  }
  const media = readMediaType(entry, type);
  return {
    content: type,
    schema: media?.schema,
    ...(media?.itemSchema && { itemSchema: media.itemSchema }),
    ...(media?.encoding && { encoding: media.encoding }),
    examples: [...examples, ...(media?.examples ?? [])],
  };
}
