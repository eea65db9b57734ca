import { isJsonMediaType } from "../values/json_type.ts";
import type { Place } from "../schema/position.ts";
import type { ExampleModel } from "./model.ts";
import {
  type Fields,
  fieldsAt,
  follow,
  isFields,
  memberPlace,
  type Reading,
  say,
} from "./reading.ts";

/** The examples of a parameter or media type object itself (OpenAPI 3.2, section 4.20). */
export function readExamples(
  reading: Reading,
  owner: Place,
  mediaType?: string,
): readonly ExampleModel[] {
  const fields = owner.value as Fields;
  if (fields["example"] === undefined && fields["examples"] === undefined) return NONE;
  const examples: ExampleModel[] = [];
  if (Object.hasOwn(fields, "example")) examples.push({ place: memberPlace(owner, "example") });
  const list = memberPlace(owner, "examples");
  const entries = fieldsAt(reading, list, "`examples`");
  for (const name of Object.keys(entries ?? {})) {
    const entry = memberPlace(list, name);
    const example = follow(reading, entry);
    if (example === undefined) continue;
    const value = valueOf(reading, example, mediaType);
    if (value !== undefined) examples.push({ place: value });
  }
  return examples;
}

const NONE: readonly ExampleModel[] = [];

/** The place of the value of an Example Object; a diagnostic where it has none here. */
function valueOf(
  reading: Reading,
  example: Place,
  mediaType: string | undefined,
): Place | undefined {
  const { value } = example;
  if (isFields(value)) {
    if (Object.hasOwn(value, "value")) return memberPlace(example, "value");
    if (Object.hasOwn(value, "dataValue")) return memberPlace(example, "dataValue");
    if (reading.version === "3.2" && typeof value["serializedValue"] === "string") {
      return readSerialized(reading, memberPlace(example, "serializedValue"), mediaType);
    }
    if (value["externalValue"] !== undefined) {
      say(
        reading,
        "info",
        "external_example",
        memberPlace(example, "externalValue"),
        "The value of this example is outside the description, so it is not counted.",
      );
      return undefined;
    }
  }
  say(
    reading,
    "warning",
    "example_without_value",
    example,
    "This example has no field `value`, so it is not counted.",
  );
  return undefined;
}

/** Reads an example written as it is sent: JSON, XML and text; for forms and styles, `dataValue` is needed. */
function readSerialized(
  reading: Reading,
  place: Place,
  mediaType: string | undefined,
): Place | undefined {
  if (mediaType !== undefined && isJsonMediaType(mediaType)) {
    try {
      return { ...place, value: JSON.parse(place.value as string) }; // the caller has seen that it is a text
    } catch {
      say(
        reading,
        "warning",
        "example_without_value",
        place,
        "This `serializedValue` is not valid JSON, so it is not counted.",
      );
      return undefined;
    }
  }
  if (/^\s*(?:text\/|[^;]*[/+]xml\s*(?:;|$))/i.test(mediaType ?? "")) return place;
  say(
    reading,
    "info",
    "serialized_example",
    place,
    "covtool reads only JSON, XML and text from `serializedValue`, so it is not counted. Add a `dataValue`.",
  );
  return undefined;
}
