import { skipString } from "./parse_json.ts";

/** More would need more memory than a program has: its message is a sentence that says what to do. */
export class InputLimitError extends RangeError {}

/** Bytes of a document, or of one entry of a recording, that are held in memory at a time. */
export const MAX_BYTES: number = 256 * 2 ** 20;
/** Lists and objects of JSON: 100 bytes each in memory, of 3 in the text. */
const MAX_JSON = 2 ** 24;
/** Lines, lists, mappings and items of YAML, each up to 200 bytes in memory, of 2 in the text. */
const MAX_YAML = 2 ** 23;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Throws an InputLimitError for a small text that would be large when parsed: millions of empty objects. */
export function checkComplexity(text: string, syntax: "json" | "yaml"): void {
  const most = syntax === "json" ? MAX_JSON : MAX_YAML;
  // Most texts are shorter, and cost nothing.
  if (text.length <= most) return;
  const parts = syntax === "json" ? partsOfJson(text) : partsOfYaml(text);
  if (parts <= most) return;
  throw new InputLimitError(
    `It has more than ${
      most.toLocaleString("en-US")
    } parts (lists, objects, lines), for which there may be no memory. Split it.`,
  );
}

function partsOfJson(text: string): number {
  let parts = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) parts++;
    else if (unit === QUOTE) index = skipString(text, index) - 1;
  }
  return parts;
}

function partsOfYaml(text: string): number {
  let parts = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === LINE_FEED || unit === COMMA || unit === OPEN_LIST || unit === OPEN_OBJECT) parts++;
  }
  return parts;
}
