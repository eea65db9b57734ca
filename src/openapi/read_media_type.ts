import type { Place } from "../schema/position.ts";
import type { EncodingModel, ExampleModel } from "./model.ts";
import { readExamples } from "./read_examples.ts";
import {
  booleanAt,
  fieldsAt,
  follow,
  isFields,
  memberPlace,
  type Reading,
  textAt,
  wrongType,
} from "./reading.ts";

/** The description of a value by a Media Type Object (OpenAPI 3.2, section 4.14). */
export interface MediaTypeModel {
  /** The media type object, after following references. */
  readonly place: Place;
  readonly schema: Place | undefined;
  /** The schema of each item of sequential JSON (3.2). */
  readonly itemSchema?: Place;
  /** The encodings of a form's properties. */
  readonly encoding?: Readonly<Record<string, EncodingModel>>;
  /** The examples of the media type object itself, outside its schema. */
  readonly examples: readonly ExampleModel[];
}

/** Reads the Media Type Object of a media type; undefined, with a diagnostic, where it cannot be used. */
export function readMediaType(
  reading: Reading,
  entry: Place,
  type: string,
): MediaTypeModel | undefined {
  const place = follow(reading, entry);
  if (place === undefined) return undefined;
  if (!isFields(place.value)) {
    wrongType(reading, place, "A media type", "an object");
    return undefined;
  }
  const itemSchema = reading.version === "3.2" ? schemaAt(reading, place, "itemSchema") : undefined;
  const encoding = readEncoding(reading, memberPlace(place, "encoding"));
  return {
    place,
    schema: schemaAt(reading, place, "schema"),
    ...(itemSchema && { itemSchema }),
    ...(encoding && { encoding }),
    examples: readExamples(reading, place, type),
  };
}

/** The place of a schema; a diagnostic and undefined if there is something else in its place. */
export function schemaAt(reading: Reading, owner: Place, token: string): Place | undefined {
  const place = memberPlace(owner, token);
  const { value } = place;
  if (isFields(value)) return place;
  if (typeof value === "boolean" && reading.version !== "2.0" && reading.version !== "3.0") {
    return place;
  }
  if (value !== undefined) wrongType(reading, place, `\`${token}\``, "a schema");
  return undefined;
}

function readEncoding(
  reading: Reading,
  place: Place,
): Readonly<Record<string, EncodingModel>> | undefined {
  const properties = fieldsAt(reading, place, "`encoding`");
  if (properties === undefined) return undefined;
  const encoding: [string, EncodingModel][] = [];
  for (const property of Object.keys(properties)) {
    const entry = memberPlace(place, property);
    if (fieldsAt(reading, entry, "An encoding") === undefined) continue;
    const contentType = textAt(reading, entry, "contentType");
    const style = textAt(reading, entry, "style");
    const has = (token: string) => typeof memberPlace(entry, token).value === "boolean";
    const explode = booleanAt(reading, entry, "explode", false);
    const allowReserved = booleanAt(reading, entry, "allowReserved", false);
    encoding.push([property, {
      ...(contentType !== undefined && { contentType }),
      ...(style !== undefined && { style }),
      ...(has("explode") && { explode }),
      ...(has("allowReserved") && { allowReserved }),
    }]);
  }
  return Object.fromEntries(encoding);
}
