import { RecordingError } from "../../values/errors.ts";
import type { Interaction } from "../../http/interaction.ts";
import { checkComplexity } from "../../values/input_limits.ts";
import { JsonSyntaxError, parseJson } from "../../values/parse_json.ts";
import { expectedFormats, LOG_FORMAT_HINT, notRecognized } from "./not_recognized.ts";
import type { ReadState } from "./read_state.ts";
import { readDocument } from "./stream_entries.ts";
import {
  CORE_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  floatCoreTag,
  intCoreTag,
  loadAll,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  type ScalarTagDefinition,
  type Schema,
  YAMLException,
} from "js-yaml";
import { indentYaml } from "../../values/indent_yaml.ts";
import { decodeBase64 } from "../../http/body_text.ts";
import { isFields } from "../decode/fields.ts";

const decoder = new TextDecoder();

const LIST_ITEM = /^ {0,2}- /gm;

/** Brackets, and strings, in which brackets are text. */
const TOKEN = /[{}[\]]|"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/** The beginnings of files of other kinds, one character for each byte, with the names of these kinds. */
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
    value = isCut ? parseClosed(text) : undefined;
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
  const interactions = readDocument(value, state);
  // Where no entry can be used, the first problem is the reason, which is one of an entry.
  if (isClosed) state.noteCut(bytes.length);
  return interactions;
}

function parseClosed(text: string): unknown {
  const closed = closeJson(text);
  if (closed === undefined) return undefined;
  try {
    return JSON.parse(closed);
  } catch {
    return undefined;
  }
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

/** Reads a recording in YAML. If it breaks off in the last item of a list, the items before that are read. */
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
  let whole: string | undefined;
  try {
    value = parseYamlRecording(text, location);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    whole = withoutLastItem(text, error.line);
    if (whole === undefined) throw neither(text, error, state);
    value = parseYamlRecording(whole, location);
  }
  // YAML joins lines, so that a log would come to be one; bytes are a capture only where they are the file.
  if (typeof value === "string" || value instanceof Uint8Array) {
    throw notRecognized(value, location, formats);
  }
  const interactions = readDocument(value, state);
  if (whole !== undefined) state.noteBroken(new TextEncoder().encode(whole).length);
  return interactions;
}

function foreignFile(bytes: Uint8Array): string | undefined {
  // A decoder of latin1 would replace some of the bytes with other characters.
  const start = String.fromCharCode(...bytes.subarray(0, FILE_START));
  return BEGINNINGS.find(([pattern]) => pattern.test(start))?.[1];
}

function neither(text: string, error: RecordingError, state: ReadState): RecordingError {
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

const MAX_DEPTH = 1_000;

/** The beginnings of tags that aren't YAML's own: Ruby's `!ruby/…`, Python's `!!python/…`, anybody's. */
const FOREIGN_TAGS = ["!", "tag:"] as const;

/** Ruby and Python put no quotes around texts that are numbers in YAML 1.2 alone: `123e4567`, `0o17`. */
function asWritten(tag: ScalarTagDefinition<number>): ScalarTagDefinition<number> {
  return {
    ...tag,
    resolve: (source, isExplicit, tagName) => {
      const number = tag.resolve(source, isExplicit, tagName);
      return isExplicit || String(number) === source ? number : NOT_RESOLVED;
    },
  };
}

const SCHEMA: Schema = CORE_SCHEMA.withTags(
  mergeTag,
  asWritten(intCoreTag),
  asWritten(floatCoreTag),
  // Ruby's YAML library writes `!binary`, everyone else `!!binary`.
  ["!binary", "tag:yaml.org,2002:binary"].map((name) =>
    defineScalarTag<unknown>(name, {
      // What is broken stays recognizable as such: one broken body does not lose the file.
      resolve: (source) => decodeBase64(source) ?? { base64_string: source },
      identify: () => false,
    })
  ),
  // A tag names a class of some language: what is written stays, the class does not.
  FOREIGN_TAGS.flatMap((prefix) => [
    defineScalarTag<string>(prefix, {
      matchByTagPrefix: true,
      resolve: (source) => source,
      identify: () => false,
    }),
    defineSequenceTag<unknown[]>(prefix, {
      matchByTagPrefix: true,
      create: () => [],
      addItem: (list, item) => {
        list.push(item);
      },
      identify: () => false,
    }),
    defineMappingTag<Record<string, unknown>>(prefix, {
      ...mapTag,
      matchByTagPrefix: true,
      identify: () => false,
    }),
  ]),
);

/** Parses YAML of Ruby VCR, vcrpy and Schemathesis: binary as bytes, other tags ignored, documents joined. */
export function parseYamlRecording(text: string, location: string): unknown {
  let documents: unknown[];
  try {
    documents = parseDocuments(text);
  } catch (error) {
    // Where only spaces are missing, that is mended; the lines stay, and so does what an error says of them.
    const indented = error instanceof YAMLException ? indentYaml(text) : undefined;
    if (indented === undefined) throw recordingError(error, location);
    try {
      documents = parseDocuments(indented.text);
    } catch (error) {
      throw recordingError(error, location);
    }
  }
  const used = documents.filter((document) => document !== null && document !== undefined);
  return used.length > 1 && used.every(isFields) ? joined(used) : used[0] ?? null;
}

function parseDocuments(text: string): unknown[] {
  return loadAll(text, { schema: SCHEMA, json: true, maxDepth: MAX_DEPTH });
}

function joined(documents: readonly Readonly<Record<string, unknown>>[]): unknown {
  const fields = new Map<string, unknown>();
  for (const document of documents) {
    for (const [name, value] of Object.entries(document)) {
      const known = fields.get(name);
      if (Array.isArray(known) && Array.isArray(value)) {
        for (const item of value) known.push(item);
      } else if (known === undefined) {
        // A copy: two fields of a document may be one list, by an alias.
        fields.set(name, Array.isArray(value) ? [...value] : value);
      }
    }
  }
  return Object.fromEntries(fields);
}

function recordingError(error: unknown, location: string): unknown {
  if (error instanceof YAMLException) {
    const { mark, reason } = error;
    return new RecordingError(`The YAML is broken: ${reason}.`, {
      code: "syntax",
      location,
      line: mark && mark.line + 1,
      column: mark && mark.column + 1,
      cause: error,
    });
  }
  if (error instanceof RangeError) {
    return new RecordingError("The YAML is nested too deeply.", {
      code: "syntax",
      location,
      cause: error,
    });
  }
  return error;
}
