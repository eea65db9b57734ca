import type { Json } from "../../values/json.ts";
import { isHeaderText } from "../../http/headers.ts";

/** Names with texts, before they are escaped. */
export type Pairs = readonly (readonly [name: string, text: string])[];

/** The text of a string, a number or a boolean; undefined for all others: no text is null. */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  return value === undefined || typeof value === "object" ? undefined : JSON.stringify(value);
}

/** The texts of items; undefined if one of them has none. */
export function itemTexts(items: readonly Json[]): readonly string[] | undefined {
  const texts: string[] = [];
  for (const item of items) {
    const text = scalarText(item);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

/** Characters that separate in their percent-encoded form as well. */
const ALWAYS_SEPARATE = " \t|";

/** True if a text can stand between separators: what isn't escaped, and some of what is, would split it. */
export function isWhole(text: string, separator: string, isEscaped: boolean): boolean {
  return !text.includes(separator) || (isEscaped && !ALWAYS_SEPARATE.includes(separator));
}

/** True if a header field can have this value: text of one byte per character, without spaces around it. */
export function isHeaderValue(text: string): boolean {
  return isHeaderText(text) && text.trim() === text;
}

/** True if a cookie can have this value as it is (RFC 6265, section 4.1.1, without what would end it). */
export function isCookieValue(text: string): boolean {
  return isHeaderValue(text) && !text.includes(";");
}
