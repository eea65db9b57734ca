import { RecordingError } from "../../errors.ts";
import { isFields } from "./fields.ts";
import { FORMATS, type RecordingFormat } from "./formats.ts";
import type { Recording } from "./recording.ts";

/** As many names are shown of an object that is no recording. */
const NAMES_SHOWN = 5;
/** As many UTF-16 units are shown of a text that is no recording. */
const TEXT_SHOWN = 30;

/**
 * Reads a recording that was parsed already, whatever its format.
 *
 * @param location What errors and warnings call it.
 * @param formats Those that it may have; all of them by default.
 * @throws {RecordingError} where it has none of them, or nothing in it can be used.
 *
 * @example
 * ```ts
 * import { readDocument } from "./read_document.ts";
 * import assert from "node:assert/strict";
 *
 * const request = { method: "GET", url: "http://localhost/books", headers: [] };
 * const har = { log: { entries: [{ request }] } };
 * assert.deepEqual(readDocument(har, "shop.har").interactions, [{ request }]);
 * assert.throws(() => readDocument({ books: [] }, "shop.har"), /an object with `books`/);
 * ```
 */
export function readDocument(
  value: unknown,
  location: string,
  formats: readonly RecordingFormat[] = FORMATS,
): Recording {
  const format = formats.find((candidate) => candidate.recognize(value));
  if (format === undefined) throw notRecognized(value, location, formats);
  return format.read(value, location);
}

/** The error for a parsed document that has none of the formats: what it is, and what each of them needs. */
export function notRecognized(
  value: unknown,
  location: string,
  formats: readonly RecordingFormat[],
): RecordingError {
  const hint = isFields(value) && ("openapi" in value || "swagger" in value)
    ? " That is an API description: name it before the recordings."
    : "";
  return new RecordingError(
    `This is ${describe(value)}, and no recording that covtool knows.${hint} Tried: ${
      needsOf(formats)
    }.`,
    { code: "unknown_format", location },
  );
}

/** What each of the formats needs, as part of a sentence. */
export function needsOf(formats: readonly RecordingFormat[]): string {
  return formats.map(({ name, expects }) => `${name} (needs ${expects})`).join("; ");
}

function describe(value: unknown): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? "an empty list" : `a list that begins with ${describe(value[0])}`;
  }
  if (isFields(value)) {
    const names = Object.keys(value);
    if (names.length === 0) return "an empty object";
    const shown = names.slice(0, NAMES_SHOWN).map((name) => `\`${name}\``).join(", ");
    return `an object with ${shown}${names.length > NAMES_SHOWN ? ", …" : ""}`;
  }
  if (typeof value !== "string") return value === null ? "nothing" : `a ${typeof value}`;
  const start = value.trim().replace(/\s+/g, " ");
  return `a text that begins with \`${
    start.length > TEXT_SHOWN ? `${start.slice(0, TEXT_SHOWN)}…` : start
  }\``;
}
