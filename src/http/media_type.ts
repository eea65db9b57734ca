import { isJsonMediaType } from "../values/json_media_type.ts";

/** A media type with its parameters: `text/plain; charset=utf-8`. */
export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** Parameters by their name in lower case; values unquoted, in their own case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The ways in which bodies of a media type are read (semantics, section 3). */
export type MediaKind = "json" | "form" | "multipart" | "text" | "sequence" | "other";

const PARAMETER = /;\s*([^=;\s]+)=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

const SEQUENCES: ReadonlySet<string> = new Set([
  "application/json-seq",
  "application/json-lines",
  "application/jsonl",
  "application/jsonlines",
  "application/ndjson",
  "application/x-json-lines",
  "application/x-jsonl",
  "application/x-jsonlines",
  "application/x-ndjson",
]);

/** The `type/subtype` of a media type in lower case, without its parameters. */
export function essenceOf(mediaType: string): string {
  const semicolon = mediaType.indexOf(";");
  return (semicolon === -1 ? mediaType : mediaType.slice(0, semicolon)).trim().toLowerCase();
}

const LISTED = /"(?:[^"\\]|\\.)*"|,/g;
const ESSENCE = /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+\s*(?:;|$)/;

/**
 * The media type of a message. Where the field was sent more than once, its values are joined as a list: the last media
 * type in it counts (RFC 9110, section 8.3), wherever the message was recorded.
 *
 * @param value The value of the field; undefined if there is none.
 * @example
 * ```ts
 * import { contentTypeOf } from "./media_type.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(contentTypeOf("text/plain, application/json; charset=utf-8"), "application/json; charset=utf-8");
 * assert.equal(contentTypeOf(' multipart/form-data; boundary="a, b/c"'), 'multipart/form-data; boundary="a, b/c"');
 * ```
 */
export function contentTypeOf(value: string | undefined): string | undefined {
  const text = value?.trim();
  if (text === undefined || !text.includes(",")) return text;
  const commas = [...text.matchAll(LISTED)].filter(([token]) => token === ",").reverse();
  for (const { index } of commas) {
    const last = text.slice(index + 1).trim();
    if (ESSENCE.test(last)) return last;
  }
  return text;
}

/**
 * Parses a Content-Type (RFC 9110, section 8.3.1). Never fails: text that isn't a media type is an essence
 * that selects nothing.
 *
 * @example
 * ```ts
 * import { parseMediaType } from "./media_type.ts";
 * import assert from "node:assert/strict";
 *
 * const type = parseMediaType('Multipart/Form-Data; boundary="a;b"');
 * assert.equal(type.essence, "multipart/form-data");
 * assert.equal(type.parameters.get("boundary"), "a;b");
 * ```
 */
export function parseMediaType(text: string): MediaType {
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) {
      parameters.set(key, quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, "$1"));
    }
  }
  return { essence: essenceOf(text), parameters };
}

/** Spelling out what does not matter, so that equal media types are equal texts. */
function normalized(mediaType: string): string {
  const { essence, parameters } = parseMediaType(mediaType);
  const list = [...parameters].map(([name, value]) => `;${name}=${value.toLowerCase()}`);
  return essence + list.sort().join("");
}

/**
 * Finds the documented media type that a Content-Type selects (semantics, section 3): the same one (with
 * the same parameters, else with others), for `x/y+suffix` the entry `x/*+suffix`, for `x/y+json` then `application/json`,
 * then `type/*`, then the range of all.
 *
 * @param contentType The Content-Type of a message.
 * @param documented Media types and ranges of a description.
 * @returns An index into `documented`; -1 where none is selected.
 * @example
 * ```ts
 * import { selectMediaType } from "./media_type.ts";
 * import assert from "node:assert/strict";
 *
 * const documented = ["text/*", "application/json"];
 * assert.equal(selectMediaType("application/problem+json; charset=utf-8", documented), 1);
 * assert.equal(selectMediaType("text/csv", documented), 0);
 * assert.equal(selectMediaType("image/png", documented), -1);
 * ```
 */
export function selectMediaType(contentType: string, documented: readonly string[]): number {
  const same = documented.indexOf(contentType);
  if (same !== -1) return same;

  const essence = essenceOf(contentType);
  const essences = documented.map(essenceOf);
  const exact = essences.indexOf(essence);
  if (exact !== -1) {
    if (essences.indexOf(essence, exact + 1) === -1) return exact;
    const wanted = normalized(contentType);
    const best = documented.findIndex((candidate) => normalized(candidate) === wanted);
    return best === -1 ? exact : best;
  }

  const type = essence.slice(0, essence.indexOf("/") + 1);
  const suffix = /\+[^+/]+$/.exec(essence)?.[0];
  const ranges = [
    ...suffix === undefined ? [] : [`${type}*${suffix}`],
    ...suffix === "+json" ? ["application/json"] : [],
    `${type}*`,
    "*/*",
  ];
  for (const range of ranges) {
    const index = essences.indexOf(range);
    if (index !== -1) return index;
  }
  return -1;
}

/** The ranges, beside those of JSON alone, whose bodies are read as JSON where they are it. */
const RANGES_WITH_JSON: ReadonlySet<string> = new Set(["*/*", "application/*", "text/*"]);

/**
 * True if bodies of a documented media type can be JSON. A range such as `image/*` means no JSON, though
 * `image/svg+json` belongs to it.
 *
 * @param essence As {@linkcode essenceOf} gives it.
 */
export function readsJson(essence: string): boolean {
  return RANGES_WITH_JSON.has(essence) || kindOf(essence) === "json";
}

let lastType = "";
let lastKind: MediaKind = "other";

/** The way to read a body of this Content-Type. Requests repeat theirs, so the last one is cached. */
export function kindOfContentType(contentType: string): MediaKind {
  if (contentType !== lastType) {
    lastKind = kindOf(essenceOf(contentType));
    lastType = contentType;
  }
  return lastKind;
}

/**
 * The way in which a body of this media type is read; for a range, that of the bodies it can select, if it is the same
 * for all (`x/*+json`, `text/*`).
 *
 * @param essence As {@linkcode essenceOf} gives it.
 */
export function kindOf(essence: string): MediaKind {
  if (isJsonMediaType(essence)) return "json";
  if (essence.startsWith("text/")) return "text";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (SEQUENCES.has(essence) || essence.endsWith("+json-seq")) return "sequence";
  return "other";
}
