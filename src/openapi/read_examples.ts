import { isJsonMediaType } from "../values/json_type.ts";
import type { Place } from "../schema/position.ts";
import type { ExampleModel } from "./model.ts";
import type { Part } from "./reading.ts";

const NONE: readonly ExampleModel[] = [];

/** The examples of a parameter or media type object itself (OpenAPI 3.2, section 4.20). */
export function readExamples(owner: Part, mediaType?: string): readonly ExampleModel[] {
  if (owner.get("example") === undefined && owner.get("examples") === undefined) return NONE;
  const examples: ExampleModel[] = [];
  if (Object.hasOwn(owner.value as object, "example")) {
    examples.push({ place: owner.member("example") });
  }
  for (const [, entry] of owner.member("examples").members("`examples`")) {
    const example = entry.follow();
    const place = example && exampleValue(example, mediaType);
    if (place !== undefined) examples.push({ place });
  }
  return examples;
}

/** The place of the value of an Example Object; a diagnostic where it has none here. */
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
    external.say("info", "external_example", message);
    return undefined;
  }
  const message = "This example has no field `value`, so it is not counted.";
  example.warn("example_without_value", message);
  return undefined;
}

/** Reads an example written as it is sent: JSON, XML and text; for forms and styles, `dataValue` is needed. */
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
  if (/^\s*(?:text\/|[^;]*[/+]xml\s*(?:;|$))/i.test(mediaType)) return place;
  const message =
    "covtool reads only JSON, XML and text from `serializedValue`, so it is not counted. Add a `dataValue`.";
  place.say("info", "serialized_example", message);
  return undefined;
}
