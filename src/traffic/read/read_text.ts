import { RecordingError } from "../../values/errors.ts";
import type { Interaction } from "../../http/interaction.ts";
import { checkComplexity } from "../../values/input_limits.ts";
import { JsonSyntaxError, parseJson } from "../../values/parse_json.ts";
import { closeJson } from "./close_json.ts";
import { foreignFile } from "./foreign_file.ts";
import { expectedFormats, readDocument } from "./read_document.ts";
import type { Reading } from "./reading.ts";
import { parseYamlRecording } from "../cassette/yaml_recording.ts";

const decoder = new TextDecoder();

/** Where the items of a list begin that is not, or hardly, indented. */
const LIST_ITEM = /^ {0,2}- /gm;

/**
 * Reads a recording in JSON that is read whole.
 *
 * @param isCut Whether it is known to end too early: then what is whole in it is read.
 * @throws {RecordingError} where it is no JSON, has no known format, or nothing in it can be used.
 */
export function readJsonBytes(
  bytes: Uint8Array,
  isCut: boolean,
  reading: Reading,
): readonly Interaction[] {
  const text = decode(bytes, reading);
  checkComplexity(text, "json");
  const { location, formats } = reading;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    value = isCut ? parseClosed(text) : undefined;
    if (value === undefined) {
      throw new RecordingError(`The JSON is broken. ${error.message}`, {
        code: "syntax",
        location,
        line: error.line,
        column: error.column,
        cause: error,
      });
    }
    reading.noteCut(bytes.length);
  }
  return reading.add(readDocument(value, location, formats));
}

/** What is whole in JSON that is cut off; undefined where it is broken before that as well. */
function parseClosed(text: string): unknown {
  const closed = closeJson(text);
  if (closed === undefined) return undefined;
  try {
    return JSON.parse(closed);
  } catch {
    return undefined;
  }
}

/**
 * Reads a recording that is no JSON: YAML. Where it breaks off in the last item of a list, those before it are read.
 *
 * @throws {RecordingError} where it is no YAML, has no known format, or nothing in it can be used.
 */
export function readYamlBytes(bytes: Uint8Array, reading: Reading): readonly Interaction[] {
  const foreign = foreignFile(bytes);
  if (foreign !== undefined) {
    throw reading.error(
      `This is ${foreign}, not a recording. ${expectedFormats(reading.formats)}`,
      "unknown_format",
    );
  }
  const text = decode(bytes, reading);
  checkComplexity(text, "yaml");
  const { location, formats } = reading;
  let value: unknown;
  try {
    value = parseYamlRecording(text, location);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    const whole = withoutLastItem(text, error.line);
    if (whole === undefined) throw neither(text, error, reading);
    value = parseYamlRecording(whole, location);
    reading.noteBroken(new TextEncoder().encode(whole).length);
  }
  return reading.add(readDocument(value, location, formats));
}

/** The error for a text that is broken YAML, or no YAML at all. */
function neither(text: string, error: RecordingError, reading: Reading): RecordingError {
  if (/^["']?(?:http_)?interactions["']?\s*:/m.test(text)) return error;
  const sentence = error.message.slice(error.message.indexOf(": ") + 2);
  return reading.error(
    `This is neither JSON nor YAML (${sentence.replace(/\.$/, "")}). ${
      expectedFormats(reading.formats)
    }`,
    "unknown_format",
    error,
  );
}

/** The text before the last item of a list; undefined where what is broken, at a line from 1, stands before that. */
function withoutLastItem(text: string, brokenLine: number | undefined): string | undefined {
  const items = [...text.matchAll(LIST_ITEM)];
  const last = items.at(-1)?.index;
  if (last === undefined || items.length < 2 || brokenLine === undefined) return undefined;
  const whole = text.slice(0, last);
  return brokenLine >= whole.split("\n").length ? whole : undefined;
}

function decode(bytes: Uint8Array, reading: Reading): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw reading.error(
      `It has ${
        bytes.length.toLocaleString("en-US")
      } bytes, more than a text can be long: only traffic files and HAR ` +
        "are read piece by piece. Split it, or record less in it.",
      "too_large",
      cause,
    );
  }
}
