import { RecordingError } from "../../values/errors.ts";
import type { Interaction } from "../../http/interaction.ts";
import { checkComplexity } from "../../values/input_limits.ts";
import { JsonSyntaxError, parseJson } from "../../values/parse_json.ts";
import { closeJson } from "./close_json.ts";
import { foreignFile } from "./foreign_file.ts";
import { expectedFormats, readDocument } from "./read_document.ts";
import type { ReadState } from "./read_state.ts";
import { parseYamlRecording } from "../cassette/yaml_recording.ts";

const decoder = new TextDecoder();

/** The beginning of the items of a list that is hardly indented. */
const LIST_ITEM = /^ {0,2}- /gm;

/**
 * Reads a recording in JSON that is read whole.
 *
 * @param isCut Whether it is known to end too early: then what is whole in it is read.
 * @throws {RecordingError} if it is no JSON, has no known format, or nothing in it can be used.
 */
export function readJsonBytes(
  bytes: Uint8Array,
  isCut: boolean,
  state: ReadState,
): readonly Interaction[] {
  const text = decoder.decode(bytes);
  checkComplexity(text, "json");
  const { location, formats } = state;
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
    state.noteCut(bytes.length);
  }
  return state.add(readDocument(value, location, formats, state));
}

/** The complete part of JSON that is cut off; undefined if that is broken as well. */
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
 * @throws {RecordingError} if it is no YAML, has no known format, or nothing in it can be used.
 */
export function readYamlBytes(bytes: Uint8Array, state: ReadState): readonly Interaction[] {
  const foreign = foreignFile(bytes);
  if (foreign !== undefined) {
    throw state.error(
      `This is ${foreign}, not a recording. ${expectedFormats(state.formats)}`,
      "unknown_format",
    );
  }
  const text = decoder.decode(bytes);
  checkComplexity(text, "yaml");
  const { location, formats } = state;
  let value: unknown;
  try {
    value = parseYamlRecording(text, location);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    const whole = withoutLastItem(text, error.line);
    if (whole === undefined) throw neither(text, error, state);
    value = parseYamlRecording(whole, location);
    state.noteBroken(new TextEncoder().encode(whole).length);
  }
  return state.add(readDocument(value, location, formats, state));
}

/** The error for a text that is broken YAML, or no YAML at all. */
function neither(text: string, error: RecordingError, state: ReadState): RecordingError {
  if (/^["']?(?:http_)?interactions["']?\s*:/m.test(text)) return error;
  const sentence = error.message.slice(error.message.indexOf(": ") + 2);
  return state.error(
    `This is neither JSON nor YAML (${sentence.replace(/\.$/, "")}). ${
      expectedFormats(state.formats)
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
