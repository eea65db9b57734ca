import { skipString } from "./parse_json.ts";

/** Thrown for input that would need too much memory; the message is a sentence that says what to do. */
export class InputLimitError extends RangeError {}

/** The largest document, or entry of a recording, that is held in memory, in bytes. */
export const MAX_BYTES: number = 256 * 2 ** 20;
/** The most arrays and objects of JSON: each takes about 100 bytes in memory, from 3 bytes of text. */
const MAX_JSON_PARTS = 2 ** 24;
/** The most lines, lists, mappings and items of YAML: each takes up to 200 bytes in memory, from 2 bytes of text. */
const MAX_YAML_PARTS = 2 ** 23;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Throws an InputLimitError for a text that would be far larger when parsed, such as millions of empty objects. */
export function checkComplexity(text: string, syntax: "json" | "yaml"): void {
  const maxParts = syntax === "json" ? MAX_JSON_PARTS : MAX_YAML_PARTS;
  // Most texts are too short to exceed the limit, and need no scan.
  if (text.length <= maxParts) return;
  const parts = syntax === "json" ? countJsonParts(text) : countYamlParts(text);
  if (parts <= maxParts) return;
  throw new InputLimitError(
    `It has more than ${
      maxParts.toLocaleString("en-US")
    } parts (lists, objects, lines), for which there may be no memory. Split it.`,
  );
}

function countJsonParts(text: string): number {
  let parts = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) parts++;
    else if (unit === QUOTE) index = skipString(text, index) - 1;
  }
  return parts;
}

function countYamlParts(text: string): number {
  let parts = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === LINE_FEED || unit === COMMA || unit === OPEN_LIST || unit === OPEN_OBJECT) parts++;
  }
  return parts;
}
