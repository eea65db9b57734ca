import { isJsonMediaType } from "../values/json_type.ts";

export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** Parameters by name in lower case; values unquoted, in their original case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The ways in which bodies of a media type are read (semantics, section 3). */
export type MediaKind = "json" | "xml" | "form" | "multipart" | "text" | "sequence" | "other";

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

export function mediaEssence(mediaType: string): string {
  const semicolon = mediaType.indexOf(";");
  return (semicolon === -1 ? mediaType : mediaType.slice(0, semicolon)).trim().toLowerCase();
}

const LIST_TOKENS = /"(?:[^"\\]|\\.)*"|,/g;
const ESSENCE = /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+\s*(?:;|$)/;

/** Reads the media type of a Content-Type header; of fields joined as a list, the last one (RFC 9110, section 8.3). */
export function readContentType(value: string | undefined): string | undefined {
  const text = value?.trim();
  if (text === undefined || !text.includes(",")) return text;
  const commas = [...text.matchAll(LIST_TOKENS)].filter(([token]) => token === ",").reverse();
  for (const { index } of commas) {
    const last = text.slice(index + 1).trim();
    if (ESSENCE.test(last)) return last;
  }
  return text;
}

/** Parses a media type (RFC 9110, section 8.3.1). Never throws: other text becomes an essence that selects nothing. */
export function parseMediaType(text: string): MediaType {
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) {
      parameters.set(key, quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, "$1"));
    }
  }
  return { essence: mediaEssence(text), parameters };
}

/** Returns the number of parameters of a documented media type; -1 if the Content-Type lacks one of them. */
function matchingParameters(documented: string, sent: ReadonlyMap<string, string>): number {
  const { parameters } = parseMediaType(documented);
  const areSent = [...parameters].every(([name, value]) =>
    sent.get(name)?.toLowerCase() === value.toLowerCase()
  );
  return areSent ? parameters.size : -1;
}

const AMAZON_JSON = /^application\/x-amz-json-1\.[01]$/;

/** Returns the index of the documented media type that a Content-Type selects (semantics, section 3), or -1. */
export function selectMediaType(contentType: string, documented: readonly string[]): number {
  const same = documented.indexOf(contentType);
  if (same !== -1) return same;

  const essence = mediaEssence(contentType);
  const essences = documented.map(mediaEssence);
  const exact = essences.indexOf(essence);
  if (exact !== -1) {
    if (essences.indexOf(essence, exact + 1) === -1) return exact;
    const sent = parseMediaType(contentType).parameters;
    const matching = documented.map((candidate, index) =>
      essences[index] === essence ? matchingParameters(candidate, sent) : -1
    );
    return Math.max(exact, matching.indexOf(Math.max(0, ...matching)));
  }

  const type = essence.slice(0, essence.indexOf("/") + 1);
  const suffix = /\+[^+/]+$/.exec(essence)?.[0];
  const ranges = [
    ...suffix === undefined ? [] : [`${type}*${suffix}`],
    ...suffix === "+json" || AMAZON_JSON.test(essence) ? ["application/json"] : [],
    `${type}*`,
    "*/*",
  ];
  for (const range of ranges) {
    const index = essences.indexOf(range);
    if (index !== -1) return index;
  }
  return -1;
}

/** Media type ranges that include JSON among other types; bodies are read as JSON if they are JSON. */
const RANGES_WITH_JSON: ReadonlySet<string> = new Set(["*/*", "application/*", "text/*"]);

/** True if bodies of an essence can be JSON; false for ranges such as `image/*`, despite `image/svg+json`. */
export function readsJson(essence: string): boolean {
  return RANGES_WITH_JSON.has(essence) || mediaKind(essence) === "json";
}

let lastType = "";
let lastKind: MediaKind = "other";

/** Returns the way to read a body of this Content-Type; the last one is cached, because requests repeat it. */
export function contentTypeKind(contentType: string): MediaKind {
  if (contentType !== lastType) {
    lastKind = mediaKind(mediaEssence(contentType));
    lastType = contentType;
  }
  return lastKind;
}

/** Returns the way to read bodies of an essence; for a range, the way that all its media types have in common. */
export function mediaKind(essence: string): MediaKind {
  if (isJsonMediaType(essence)) return "json";
  if (essence === "text/xml" || essence === "application/xml" || essence.endsWith("+xml")) {
    return "xml";
  }
  if (essence.startsWith("text/")) return "text";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (SEQUENCES.has(essence) || essence.endsWith("+json-seq")) return "sequence";
  return "other";
}

/** Returns the way to read the `content` of a parameter: XML and multipart forms are read in bodies only. */
export function parameterKind(mediaType: string): MediaKind {
  const kind = mediaKind(mediaEssence(mediaType));
  return kind === "xml" || kind === "multipart" ? "other" : kind;
}
