import type { Json } from "../values/json.ts";
import { ANY_NUMBER, BOOLEAN } from "../values/json_type.ts";
import { type Decoded, decodedWhole } from "./decoded.ts";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads text as the value that the types suggest (semantics, section 3, "Text values"); no text is null. */
export function readText(text: string, types: number): Json {
  if ((types & ANY_NUMBER) !== 0 && JSON_NUMBER.test(text)) return Number(text);
  if ((types & BOOLEAN) !== 0) {
    if (text === "true") return true;
    if (text === "false") return false;
  }
  return text;
}

/** Reads text as {@linkcode readText} does and keeps the text beside the value. */
export function decodeText(text: string, types: number): Decoded {
  return decodedWhole(text, readText(text, types));
}
