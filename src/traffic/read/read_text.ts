import { RecordingError } from "../../values/errors.ts";
import type { Interaction } from "../../http/interaction.ts";
import { isFields } from "../decode/fields.ts";
import { checkComplexity } from "../../values/input_limits.ts";
import { JsonSyntaxError, parseJson, tryParseJson } from "../../values/parse_json.ts";
import { expectedFormats, LOG_FORMAT_HINT, notRecognized } from "./not_recognized.ts";
import type { ReadState } from "./read_state.ts";
import { readDocuments } from "./stream_entries.ts";

const decoder = new TextDecoder();

const LIST_ITEM = /^ {0,2}- /gm;

/** Matches brackets, and whole strings, so that brackets in them are skipped. */
const TOKEN = /[{}[\]]|"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/** Beginnings of files of other types (one character for each byte), with names of these types. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!doctype\s+html|html)/i, "an HTML page, perhaps of an error or a login"],
  [/^\s*</, "XML or HTML"],
  [/^\x89PNG\r\n/, "a PNG image"],
  [/^\xff\xd8\xff/, "a JPEG image"],
  [/^%PDF-/, "a PDF"],
  [/^(\xd4\xc3\xb2\xa1|\xa1\xb2\xc3\xd4|\n\r\r\n)/, "a capture of network packets"],
  // deno-lint-ignore no-control-regex -- binary files have these characters
  [/[\0-\x08\x0e-\x1a\x1c-\x1f]/, "binary data"],
];

const FILE_START = 1024;

/** The beginning of a line of a log that is no list: `[10/Oct/2026:13:55:36 +0000] shop.example …`. */
const LOG_LINE = /^\s*\[[^"[\]{}]+\]\s*[^\s,]/;
const HTTP_VERSION = /\bHTTP\/\d/;

export function readJsonBytes(
  bytes: Uint8Array,
  isCut: boolean,
  state: ReadState,
): readonly Interaction[] {
  const text = decoder.decode(bytes);
  checkComplexity(text, "json");
  let value: unknown;
  let isClosed = false;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const closed = isCut ? closeJson(text) : undefined;
    value = closed === undefined ? undefined : tryParseJson(closed);
    if (LOG_LINE.test(text)) throw notRecognized(text, state.location, state.formats);
    if (value === undefined) {
      throw new RecordingError(`The JSON is broken: ${error.message}`, {
        code: "syntax",
        location: state.location,
        line: error.line,
        column: error.column,
        cause: error,
      });
    }
    isClosed = true;
  }
  if (isClosed && isFields(value) && !state.formats.some((format) => format.recognize(value))) {
    throw state.error(
      "The recording is cut off before the part that tells its format. Record or copy it again.",
      "unknown_format",
    );
  }
  const interactions = readDocuments([value], state);
  // Noted last: if no entry can be used, the first problem is the reason that is shown.
  if (isClosed) state.addCutProblem(bytes.length);
  return interactions;
}

/** Repairs JSON that is cut off: keeps the complete items of the outermost list that has any. */
export function closeJson(text: string): string | undefined {
  const open: { readonly closer: string; lastItem: number }[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      open.push({ closer: token === "{" ? "}" : "]", lastItem: -1 });
    } else if (token === "}" || token === "]") {
      if (open.pop()?.closer !== token) return undefined;
      const list = open.at(-1);
      if (list?.closer === "]") list.lastItem = index + 1;
    }
  }
  const depth = open.findIndex(({ lastItem }) => lastItem !== -1);
  const list = open[depth];
  if (list === undefined) return undefined;
  const closers = open.slice(0, depth + 1).reverse().map(({ closer }) => closer);
  return text.slice(0, list.lastItem) + closers.join("");
}

/** Reads a YAML recording. If the last item of a list is broken, the items before it are read. */
export async function readYamlBytes(
  bytes: Uint8Array,
  state: ReadState,
): Promise<readonly Interaction[]> {
  const foreign = foreignFile(bytes);
  if (foreign !== undefined) {
    throw state.error(
      `This is ${foreign}, not a recording. ${expectedFormats(state.formats)}`,
      "unknown_format",
    );
  }
  const text = decoder.decode(bytes);
  checkComplexity(text, "yaml");
  const { parseYamlRecording } = await import("../cassette/yaml_recording.ts");
  const { location, formats } = state;
  let documents: readonly unknown[];
  let repaired: string | undefined;
  try {
    documents = parseYamlRecording(text, location);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    repaired = withoutLastItem(text, error.line);
    if (repaired === undefined) throw neitherSyntaxError(text, error, state);
    documents = parseYamlRecording(repaired, location);
  }
  const [value] = documents;
  // YAML joins the lines of a log into one text. Bytes are a capture only if they are the whole file.
  if (typeof value === "string" || value instanceof Uint8Array) {
    throw notRecognized(value, location, formats);
  }
  // In a log, the text before a colon isn't a key, and may identify the sender of a request.
  const isLog = isFields(value) && (Object.keys(value).some((name) => name.includes(" ")) ||
    HTTP_VERSION.test(text.slice(0, FILE_START)));
  if (isLog && !formats.some((format) => format.recognize(value))) {
    throw notRecognized(text, location, formats);
  }
  const interactions = readDocuments(documents, state);
  if (repaired !== undefined) state.addBrokenProblem(new TextEncoder().encode(repaired).length);
  return interactions;
}

function foreignFile(bytes: Uint8Array): string | undefined {
  // A latin1 decoder would map some bytes to other characters.
  const start = String.fromCharCode(...bytes.subarray(0, FILE_START));
  return BEGINNINGS.find(([pattern]) => pattern.test(start))?.[1];
}

function neitherSyntaxError(text: string, error: RecordingError, state: ReadState): RecordingError {
  if (/^["']?(?:http_)?interactions["']?\s*:/m.test(text)) return error;
  const sentence = error.message.slice(error.message.indexOf(": ") + 2);
  return state.error(
    `This is neither JSON nor YAML (${sentence.replace(/\.$/, "")}). ${
      expectedFormats(state.formats)
    } ${LOG_FORMAT_HINT}`,
    "unknown_format",
    error,
  );
}

function withoutLastItem(text: string, brokenLine: number | undefined): string | undefined {
  const items = [...text.matchAll(LIST_ITEM)];
  const last = items.at(-1)?.index;
  if (last === undefined || items.length < 2 || brokenLine === undefined) return undefined;
  const whole = text.slice(0, last);
  return brokenLine >= whole.split("\n").length ? whole : undefined;
}
