import type { Place } from "../schema/place.ts";
import type { ParameterModel } from "./model.ts";
import { readMediaType } from "./read_media_type.ts";
import { booleanAt, fieldsAt, follow, memberPlace, pathOf, type Reading, say } from "./reading.ts";

/**
 * Reads a Request Body Object (OpenAPI 3.2, section 4.13): one parameter for each media type.
 * A body that several operations share is read once.
 */
export function readRequestBody(reading: Reading, entry: Place): readonly ParameterModel[] {
  if (entry.value === undefined) return [];
  const place = follow(reading, entry);
  if (place === undefined) return [];
  const path = pathOf(place);
  const known = reading.bodies.get(path);
  if (known !== undefined) return known;
  const bodies = readBodies(reading, place);
  reading.bodies.set(path, bodies);
  return bodies;
}

function readBodies(reading: Reading, place: Place): readonly ParameterModel[] {
  if (fieldsAt(reading, place, "A request body") === undefined) return [];
  const required = booleanAt(reading, place, "required", false);
  const content = memberPlace(place, "content");
  const types = Object.keys(fieldsAt(reading, content, "`content`") ?? {});
  if (types.length === 0) {
    say(
      reading,
      "warning",
      "body_without_content",
      place,
      "This request body has no media type in `content`, so it is not counted.",
    );
  }
  const bodies: ParameterModel[] = [];
  for (const type of types) {
    const media = readMediaType(reading, memberPlace(content, type), type);
    if (media === undefined) continue;
    bodies.push({
      location: "body",
      name: type,
      required,
      deprecated: false,
      in: "body",
      style: "form",
      explode: true,
      allowReserved: false,
      mediaType: type,
      ...media,
    });
  }
  return bodies;
}
