/** A value of a tagged netstring; bytes stay bytes. */
export type Tnetstring =
  | Uint8Array
  | string
  | number
  | boolean
  | null
  | readonly Tnetstring[]
  | { readonly [name: string]: Tnetstring };

const COLON = 0x3a;
/** The digits of a length, as mitmproxy's own reader allows. */
const LONGEST_LENGTH = 12;
/** Flows are nested less deeply. */
const DEEPEST = 32;

const decoder = new TextDecoder();

/**
 * The index after the value that begins at an index; -1 if it isn't there to its end, -2 if none can begin there.
 */
export function endOfTnetstring(bytes: Uint8Array, start: number): number {
  let length = 0;
  for (let index = start; index - start <= LONGEST_LENGTH; index++) {
    const byte = bytes[index];
    if (byte === undefined) return -1;
    if (byte === COLON && index > start) {
      const end = index + 1 + length + 1;
      return end <= bytes.length ? end : -1;
    }
    if (byte < 0x30 || byte > 0x39) return -2;
    length = length * 10 + byte - 0x30;
  }
  return -2;
}

/**
 * Reads a tagged netstring, with the types that mitmproxy adds to them: `;` for text beside `,` for bytes.
 *
 * @throws {TypeError} if it is malformed.
 *
 * @example
 * ```ts
 * import { readTnetstring } from "./tnetstring.ts";
 * import assert from "node:assert/strict";
 *
 * const bytes = new TextEncoder().encode("17:4:port;4:8080#}");
 * assert.throws(() => readTnetstring(bytes));
 * assert.deepEqual(readTnetstring(new TextEncoder().encode("14:4:port;4:8080#}")), { port: 8080 });
 * ```
 */
export function readTnetstring(bytes: Uint8Array, depth: number = DEEPEST): Tnetstring {
  const end = endOfTnetstring(bytes, 0);
  if (end !== bytes.length || depth === 0) throw new TypeError("It isn't a tagged netstring.");
  const content = bytes.subarray(bytes.indexOf(COLON) + 1, end - 1);
  const type = String.fromCharCode(bytes[end - 1] ?? 0);
  switch (type) {
    case ",":
      return content;
    case ";":
      return decoder.decode(content);
    case "#":
    case "^":
      return numberOf(decoder.decode(content));
    case "!":
      return decoder.decode(content) === "true";
    case "~":
      return null;
    case "]":
      return itemsOf(content, depth);
    case "}":
      return objectOf(itemsOf(content, depth));
    default:
      throw new TypeError(`Tagged netstrings have no type "${type}".`);
  }
}

function itemsOf(content: Uint8Array, depth: number): Tnetstring[] {
  const items: Tnetstring[] = [];
  for (let start = 0, end = 0; start < content.length; start = end) {
    end = endOfTnetstring(content, start);
    if (end < 0) throw new TypeError("An item of a tagged netstring is longer than its list.");
    items.push(readTnetstring(content.subarray(start, end), depth - 1));
  }
  return items;
}

function objectOf(items: readonly Tnetstring[]): { readonly [name: string]: Tnetstring } {
  const pairs: [string, Tnetstring][] = [];
  for (let index = 0; index + 1 < items.length; index += 2) {
    const name = textOf(items[index]);
    if (name === undefined) throw new TypeError("A name in a tagged netstring is no text.");
    pairs.push([name, items[index + 1] ?? null]);
  }
  return Object.fromEntries(pairs);
}

/** Text, given as such or as bytes; undefined for anything else. */
export function textOf(value: Tnetstring | undefined): string | undefined {
  if (value instanceof Uint8Array) return decoder.decode(value);
  return typeof value === "string" ? value : undefined;
}

function numberOf(text: string): number {
  const number = Number(text);
  if (text === "" || Number.isNaN(number)) throw new TypeError("A number is malformed.");
  return number;
}
