import type { EncodingModel, ParameterModel } from "./model.ts";
import { isFields, type Part } from "./part.ts";
import { isJsonMediaType } from "../values/json_type.ts";
import type { Place } from "../schema/part_positions.ts";

/** The fields of a parameter that a Media Type Object describes (OpenAPI 3.2, section 4.14). */
export type MediaTypeModel = Pick<
  ParameterModel,
  "place" | "schema" | "itemSchema" | "encoding" | "examples"
>;

/** Reads the Media Type Object of a media type. If it can't be used: undefined, and a diagnostic. */
export function readMediaType(entry: Part, type: string): MediaTypeModel | undefined {
  const place = entry.follow();
  if (place === undefined) return undefined;
  if (!isFields(place.value)) {
    place.warnWrongType("A media type", "an object");
    return undefined;
  }
  const itemSchema = place.reading.version === "3.2" ? place.schema("itemSchema") : undefined;
  const encoding = readEncoding(place.member("encoding"));
  return {
    place,
    schema: place.schema("schema"),
    ...(itemSchema && { itemSchema }),
    ...(encoding && { encoding }),
    examples: readExamples(place, type),
  };
}

function readEncoding(place: Part): Readonly<Record<string, EncodingModel>> | undefined {
  if (place.fields("`encoding`") === undefined) return undefined;
  const encoding: [string, EncodingModel][] = [];
  for (const [property, entry] of place.members("`encoding`")) {
    if (entry.fields("An encoding") === undefined) continue;
    const contentType = entry.text("contentType");
    const style = entry.text("style");
    const has = (token: string) => typeof entry.get(token) === "boolean";
    const explode = entry.boolean("explode");
    const allowReserved = entry.boolean("allowReserved");
    encoding.push([property, {
      ...(contentType !== undefined && { contentType }),
      ...(style !== undefined && { style }),
      ...(has("explode") && { explode }),
      ...(has("allowReserved") && { allowReserved }),
    }]);
  }
  return Object.fromEntries(encoding);
}

const NO_EXAMPLES: readonly Place[] = [];

/** Reads the examples of a parameter or media type object, without those of its schema (OpenAPI 3.2, section 4.20). */
export function readExamples(owner: Part, mediaType?: string): readonly Place[] {
  if (owner.get("example") === undefined && owner.get("examples") === undefined) return NO_EXAMPLES;
  const examples: Place[] = [];
  if (Object.hasOwn(owner.value as object, "example")) examples.push(owner.member("example"));
  for (const [, entry] of owner.member("examples").members("`examples`")) {
    const example = entry.follow();
    const place = example && exampleValue(example, mediaType);
    if (place !== undefined) examples.push(place);
  }
  return examples;
}

/** Returns the place of an Example Object's value. If it has none that can be read: undefined, and a diagnostic. */
function exampleValue(example: Part, mediaType: string | undefined): Place | undefined {
  const { value, reading } = example;
  for (const field of ["value", "dataValue"]) {
    if (Object.hasOwn(value ?? {}, field)) return example.member(field);
  }
  const serialized = example.member("serializedValue");
  if (reading.version === "3.2" && typeof serialized.value === "string") {
    return readSerialized(serialized, serialized.value, mediaType);
  }
  const external = example.member("externalValue");
  if (external.value !== undefined) {
    const message = "The value of this example is outside the description, so it is not counted.";
    external.addDiagnostic("info", "external_example", message);
    return undefined;
  }
  const message = "This example has no field `value`, so it is not counted.";
  example.warn("example_without_value", message);
  return undefined;
}

/** Reads an example in serialized form: JSON, XML, text or an urlencoded form. Those of styles need `dataValue`. */
function readSerialized(place: Part, text: string, mediaType = ""): Place | undefined {
  if (isJsonMediaType(mediaType)) {
    try {
      const { document, pointer } = place;
      return { value: JSON.parse(text), document, pointer };
    } catch {
      const message = "This `serializedValue` is not valid JSON, so it is not counted.";
      place.warn("example_without_value", message);
      return undefined;
    }
  }
  if (/^\s*(?:text\/|[^;]*[/+](?:xml|x-www-form-urlencoded)\s*(?:;|$))/i.test(mediaType)) {
    return place;
  }
  const message =
    "covtool reads only JSON, XML, text and urlencoded forms from `serializedValue`, so it is not counted. Add a `dataValue`.";
  place.addDiagnostic("info", "serialized_example", message);
  return undefined;
}
