import { type HeaderLookup, headerLookup } from "./headers.ts";
import type { HeadersLike } from "./interaction.ts";
import { decodeFormText, decodePercent } from "./percent.ts";

/** An object whose keys are texts to intern; each is deleted at once. */
const keys: Record<string, unknown> = Object.create(null);

/** Interns a text for a cache: fast to compare, and without a reference to the longer text that it was part of. */
export function internText(text: string): string {
  keys[text] = undefined;
  delete keys[text];
  return text;
}

/** One `name=value` of a query, a form or a cookie header. */
export interface TextPair {
  readonly name: string;
  /** The value as it was sent, because lists are split before decoding. */
  readonly value: string;
}

const MAX_CACHED_NAMES = 10_000;
const decodedNames = new Map<string, string>();

/** Decodes a name, with a cache: requests repeat names, and decoding `a%5Bb%5D` costs more than a look-up. */
function decodeName(text: string): string {
  if (!text.includes("%")) return decodeFormText(text);
  let name = decodedNames.get(text);
  if (name === undefined) {
    name = decodeFormText(text);
    if (decodedNames.size < MAX_CACHED_NAMES) decodedNames.set(internText(text), name);
  }
  return name;
}

/** Splits a query (without `?`) or a urlencoded form; without `=` the value is empty, and invalid escapes stay. */
export function splitQuery(text: string): readonly TextPair[] {
  const pairs: TextPair[] = [];
  let equals = text.indexOf("=");
  for (let start = 0; start < text.length;) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      // Searched for only when passed: a text may have a million names without `=`.
      if (equals !== -1 && equals < start) equals = text.indexOf("=", start);
      const split = equals === -1 || equals > end ? end : equals;
      pairs.push({ name: decodeName(text.slice(start, split)), value: text.slice(split + 1, end) });
    }
    start = end + 1;
  }
  return pairs;
}

/** Splits Cookie headers (RFC 6265, section 4.2). */
function splitCookies(fields: readonly string[]): readonly TextPair[] {
  const pairs: TextPair[] = [];
  for (const field of fields) {
    for (const piece of field.split(";")) {
      const equals = piece.indexOf("=");
      if (equals !== -1) {
        pairs.push({ name: piece.slice(0, equals).trim(), value: piece.slice(equals + 1).trim() });
      }
    }
  }
  return pairs;
}

/** The texts of a request from which parameters are decoded. Each part is parsed on first use. */
export class RequestText {
  /** The text that each path template captured, left to right, still percent-encoded; undefined if it captured none. */
  readonly captures: readonly (string | undefined)[];
  /** The query as it was sent, without `?`. */
  readonly queryText: string;
  readonly headers: HeaderLookup;
  #query: readonly TextPair[] | undefined;
  #cookies: readonly TextPair[] | undefined;
  #formCookies: readonly TextPair[] | undefined;

  constructor(
    captures: readonly (string | undefined)[],
    queryText: string,
    headers: HeadersLike | undefined,
  ) {
    this.captures = captures;
    this.queryText = queryText;
    this.headers = headerLookup(headers);
  }

  get query(): readonly TextPair[] {
    return this.#query ??= splitQuery(this.queryText);
  }

  /** The pairs of all Cookie headers, as they were sent. */
  get cookies(): readonly TextPair[] {
    return this.#cookies ??= splitCookies(this.headers.values("cookie"));
  }

  /** The cookies with decoded names, which `style: form` percent-encodes. */
  get formCookies(): readonly TextPair[] {
    return this.#formCookies ??= this.cookies
      .map(({ name, value }) => ({ name: decodePercent(name), value }));
  }
}
