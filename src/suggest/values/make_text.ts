import { compileWish, searchText } from "../../schema/pattern/find_text.ts";
import { getOrAdd } from "../../values/collections.ts";
import { ANY_NUMBER, ANY_TYPE } from "../../values/json_type.ts";
import type { Position } from "../../values/position.ts";
import type { Facts } from "./facts.ts";

const MAX_LENGTH = 200_000;

/** Texts that many formats refuse, for different reasons. */
const UNUSUAL = ["not valid", "%", "{", "(", "\\", "~2", "?", "-", "é", "a b", "", "//[", "\u0000"];

export const NON_ASCII = "[^\\x00-\\x7f]";

/** Makes a text that meets all demands and that `admits` accepts; undefined if none was found. */
export function makeText(
  facts: Facts,
  position: Position,
  admits: (text: string) => boolean,
): string | undefined {
  const { minLength, maxLength, patterns: accepts, notPatterns: refuses } = facts;
  if (minLength > maxLength || minLength > MAX_LENGTH || maxLength < 0) return undefined;
  const isAdmitted = (text: string) => facts.matchesFormats(text) && admits(text);
  const { plain, fallback } = matchingTexts(facts, position);
  for (const text of plain) if (isAdmitted(text)) return text;
  if (accepts.length + refuses.length > 0) {
    const found = searchText({ accepts, refuses, minLength, maxLength, admits: isAdmitted });
    if (found.text !== undefined || found.isEmpty) return found.text;
  }
  for (const text of fallback) if (isAdmitted(text)) return text;
  return undefined;
}

/** Returns the right texts of a generator, and caches them: each text is made once, when it is first needed. */
function cacheTexts(
  source: Iterator<string>,
  matches: (text: string) => boolean,
): Iterable<string> {
  const cached: string[] = [];
  return {
    *[Symbol.iterator]() {
      for (let index = 0;; index++) {
        while (index >= cached.length) {
          const { done, value } = source.next();
          if (done === true) return;
          if (matches(value)) cached.push(value);
        }
        yield cached[index] ?? "";
      }
    },
  };
}

interface Texts {
  readonly plain: Iterable<string>;
  readonly fallback: Iterable<string>;
}

/**
 * Texts are made for the same demands again and again, each time to show something else. Matching a text with patterns
 * takes time in proportion to its length, which may be 200,000 characters, so it is done once.
 */
const MAX_CACHED = 1_000;
const cache = new Map<string, Texts>();

/** A copy of the facts that texts depend on, taken when the first text is made. */
type TextDemands = Pick<Facts, "formats" | "notFormats" | "patterns" | "minLength" | "maxLength">;

/** Returns the texts that have the demanded length and match the demanded patterns. */
function matchingTexts(facts: Facts, position: Position): Texts {
  const { formats, notFormats, patterns, notPatterns: refuses, minLength, maxLength } = facts;
  const number = numericText(facts, position);
  const make = (): Texts => {
    const demands = {
      formats: [...formats],
      notFormats: [...notFormats],
      patterns: [...patterns],
      minLength,
      maxLength,
    };
    const matches = compileWish({
      accepts: patterns,
      refuses,
      minLength,
      maxLength,
      admits: () => true,
    });
    return {
      plain: cacheTexts(plainTexts(demands, number), matches),
      fallback: cacheTexts(fallbackTexts(demands), matches),
    };
  };
  if (patterns.length + refuses.length === 0) return make();
  const lengths = [minLength, String(maxLength)];
  const key = JSON.stringify([patterns, refuses, formats, notFormats, lengths, number]);
  if (cache.size >= MAX_CACHED) cache.clear();
  return getOrAdd(cache, key, make);
}

/** Returns a text that servers read as a number, but covtool doesn't: outside JSON, that is `01`. */
function numericText(facts: Facts, position: Position): string | undefined {
  const isOfBoth = facts.types !== ANY_TYPE && (facts.types & ANY_NUMBER) !== 0;
  return facts.mayBeNumber || isOfBoth ? position.json ? "1" : "01" : undefined;
}

function* plainTexts(facts: TextDemands, number: string | undefined): Generator<string> {
  const { minLength, maxLength, notFormats } = facts;
  for (const name of facts.formats) yield* formatTexts(name, minLength, maxLength);
  for (const name of notFormats) {
    for (const text of formatTexts(name, 0, Infinity)) yield `${text}!`;
  }
  if (notFormats.length > 0) yield* UNUSUAL;
  if (number !== undefined) yield number;
  if (facts.patterns.includes(NON_ASCII)) {
    yield fitLength("texté", Math.max(minLength, Math.min(5, maxLength)));
  }
  yield fitLength("text", Math.max(minLength, Math.min(4, maxLength)));
  for (let number = 1; number <= FEW; number++) yield numberedText(number, facts);
}

/** Yields more texts, for demands that exclude the plain ones. */
function* fallbackTexts(facts: TextDemands): Generator<string> {
  for (let number = FEW + 1; number <= MAX_NUMBERED; number++) yield numberedText(number, facts);
  yield "";
  for (let code = 97; code <= 122; code++) yield String.fromCharCode(code);
  for (const text of UNUSUAL) yield fitLength(text, Math.max(facts.minLength, text.length));
}

/** Texts such as `text1` are tried up to this number before patterns are searched, and up to `MAX_NUMBERED` after that. */
const FEW = 3;
const MAX_NUMBERED = 200;

function numberedText(number: number, { minLength, maxLength }: TextDemands): string {
  return fitLength(`text${number}`, Math.min(Math.max(minLength, 5), maxLength));
}

/** Cuts or pads a text at its start to an exact length. */
function fitLength(text: string, length: number): string {
  return text.length >= length
    ? text.slice(text.length - length)
    : text.slice(0, 1).repeat(length - text.length) + text;
}

/** Texts of each format, the plainest first. */
const FORMAT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2024-01-15T09:30:00Z", "2024-01-15T09:30:00.123Z", "2024-01-15T09:30:00+00:00"],
  date: ["2024-01-15"],
  time: ["09:30:00Z", "09:30:00.123Z"],
  duration: ["P1D", "PT1H30M"],
  email: ["user@example.com", "a@b.co"],
  "idn-email": ["user@example.com"],
  hostname: ["example.com", "a.co", "a"],
  "host-name": ["example.com", "a.co", "a"],
  "idn-hostname": ["example.com", "a"],
  ipv4: ["192.0.2.1"],
  "ip-address": ["192.0.2.1"],
  ipv6: ["2001:db8::1", "::1"],
  ip: ["192.0.2.1"],
  uri: ["https://example.com/", "a:b", "https://example.com/path"],
  url: ["https://example.com/"],
  "uri-reference": ["https://example.com/", "/path", "a"],
  iri: ["https://example.com/", "a:b"],
  "iri-reference": ["https://example.com/", "a"],
  "uri-template": ["https://example.com/{id}", "{id}"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000"],
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8].map((version) => [
      `uuid${version}`,
      [`123e4567-e89b-${version}2d3-a456-426614174000`],
    ]),
  ),
  "json-pointer": ["/path", ""],
  "relative-json-pointer": ["0", "1/path"],
  regex: ["^[a-z]+$", "a"],
  byte: ["dGV4dA==", "dGV4"],
  binary: ["text"],
  password: ["correct horse battery staple", "secret-1"],
};

/** The start and end of a longer text of a format; a filler of any length goes between them. */
const LONG_FORMAT_TEXTS: Readonly<Record<string, readonly [start: string, end: string]>> = {
  email: ["u", "@example.com"],
  "idn-email": ["u", "@example.com"],
  hostname: ["a", ".example.com"],
  "host-name": ["a", ".example.com"],
  "idn-hostname": ["a", ".example.com"],
  uri: ["https://example.com/", ""],
  url: ["https://example.com/", ""],
  "uri-reference": ["https://example.com/", ""],
  iri: ["https://example.com/", ""],
  "iri-reference": ["https://example.com/", ""],
  "uri-template": ["https://example.com/", "{id}"],
  "json-pointer": ["/", ""],
  "date-time": ["2024-01-15T09:30:00.", "Z"],
  time: ["09:30:00.", "Z"],
  regex: ["a", ""],
};

const MAX_FORMAT_LENGTH = 100_000;

/** Yields texts of a format, some of the given length, for the caller to check; none for unknown formats. */
export function* formatTexts(
  name: string,
  minLength: number,
  maxLength: number,
): Generator<string> {
  if (!Object.hasOwn(FORMAT_TEXTS, name)) return;
  yield* FORMAT_TEXTS[name] ?? [];
  const parts = LONG_FORMAT_TEXTS[name];
  if (name === "byte") {
    for (const length of [minLength, maxLength]) {
      if (length <= MAX_FORMAT_LENGTH) yield "AAAA".repeat(Math.ceil(length / 4));
    }
  }
  if (parts === undefined) return;
  const [start, end] = parts;
  const filler = name === "date-time" || name === "time" ? "0" : "a";
  for (const length of [minLength, maxLength]) {
    const missing = length - start.length - end.length;
    if (missing > 0 && length <= MAX_FORMAT_LENGTH) yield start + filler.repeat(missing) + end;
  }
}
