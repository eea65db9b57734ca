/** Texts of each format, the plainest first. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
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
  "json-pointer": ["/path", ""],
  "relative-json-pointer": ["0", "1/path"],
  regex: ["^[a-z]+$", "a"],
  byte: ["dGV4dA==", "dGV4"],
  binary: ["text"],
  password: ["correct horse battery staple", "secret-1"],
};

/** A longer text of a format: `filler` of any length between its beginning and its end. */
const STRETCHED: Readonly<Record<string, readonly [start: string, end: string]>> = {
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

/** The longest text that is made of a format. */
const MAX_LENGTH = 100_000;

/**
 * Texts of a format with so many characters, as far as there are some; each has to be tested. None for formats that
 * covtool doesn't know.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatTexts } from "./format_texts.ts";
 *
 * assert.deepEqual([...formatTexts("date", 0, Infinity)], ["2024-01-15"]);
 * assert([...formatTexts("email", 30, 30)].some((text) => text.length === 30));
 * ```
 */
export function* formatTexts(
  name: string,
  minLength: number,
  maxLength: number,
): Generator<string> {
  if (!Object.hasOwn(TEXTS, name)) return;
  yield* TEXTS[name] ?? [];
  const stretched = STRETCHED[name];
  if (name === "byte") {
    for (const length of [minLength, maxLength]) {
      if (length <= MAX_LENGTH) yield "AAAA".repeat(Math.ceil(length / 4));
    }
  }
  if (stretched === undefined) return;
  const [start, end] = stretched;
  const filler = name === "date-time" || name === "time" ? "0" : "a";
  for (const length of [minLength, maxLength]) {
    const missing = length - start.length - end.length;
    if (missing > 0 && length <= MAX_LENGTH) yield start + filler.repeat(missing) + end;
  }
}
