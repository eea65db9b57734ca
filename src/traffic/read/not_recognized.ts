import { RecordingError } from "../../values/errors.ts";
import { isFields } from "../decode/fields.ts";
import { formatTitles } from "../formats/formats.ts";
import type { RecordingFormat } from "../formats/recording.ts";

const NAMES_SHOWN = 5;
const MAX_NEAR = 2;
const LISTS_SHOWN = 3;

export const LOG_FORMAT_HINT =
  "If it is an access log, say with --log-format what its lines look like.";

export function notRecognized(
  value: unknown,
  location: string,
  formats: readonly RecordingFormat[],
): RecordingError {
  const sentences = isFields(value) && "covtool_hits" in value
    ? "These are hits that another program has reformatted. Copy the file unchanged, or write the hits again."
    : isFields(value) && ("openapi" in value || "swagger" in value)
    ? "This is an API description, not a recording. Name it before the recordings."
    : isFields(value) && ("__export_format" in value || /insomnia/.test(String(value["type"])))
    ? "This is an export of Insomnia's requests, not a recording. Export its responses as HAR."
    // Nothing of the text is shown, as an unknown log contains addresses and names.
    : typeof value === "string"
    ? `This is text, not a recording. ${expectedFormats(formats)} ${LOG_FORMAT_HINT}`
    : `This is ${describe(value)}, not a recording. ${
      nearestFormats(value, formats) ?? expectedFormats(formats)
    }`;
  return new RecordingError(sentences, { code: "unknown_format", location });
}

export function expectedFormats(formats: readonly RecordingFormat[]): string {
  return `Expected ${formatTitles(formats, "or")}.`;
}

function nearestFormats(value: unknown, formats: readonly RecordingFormat[]): string | undefined {
  const near = formats.flatMap((format) => {
    const reason = format.nearMiss?.(value);
    return reason === undefined ? [] : [`${format.name}, but ${reason}`];
  });
  return near.length === 0 ? undefined : `It looks like ${near.slice(0, MAX_NEAR).join("; or ")}.`;
}

function describe(value: unknown, lists = LISTS_SHOWN): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "an empty list";
    return lists === 1 ? "a list" : `a list that begins with ${describe(value[0], lists - 1)}`;
  }
  if (isFields(value)) {
    const names = Object.keys(value);
    if (names.length === 0) return "an empty object";
    const shown = names.slice(0, NAMES_SHOWN).map((name) => `\`${name}\``).join(", ");
    return `an object with ${shown}${names.length > NAMES_SHOWN ? ", …" : ""}`;
  }
  return value === null ? "nothing" : `a ${typeof value === "string" ? "text" : typeof value}`;
}
