import type { EncodingModel, ParameterModel } from "./model.ts";
import { readExamples } from "./read_examples.ts";
import { isFields, type Part } from "./reading.ts";

/** The description of a value by a Media Type Object (OpenAPI 3.2, section 4.14). */
export type MediaTypeModel = Pick<
  ParameterModel,
  "place" | "schema" | "itemSchema" | "encoding" | "examples"
>;

/** Reads the Media Type Object of a media type; undefined, with a diagnostic, where it cannot be used. */
export function readMediaType(entry: Part, type: string): MediaTypeModel | undefined {
  const place = entry.follow();
  if (place === undefined) return undefined;
  if (!isFields(place.value)) {
    place.wrongType("A media type", "an object");
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
