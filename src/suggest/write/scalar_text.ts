import type { Json } from "../../values/json.ts";
import { isHeaderText } from "../../http/headers.ts";

/** Pairs that are not escaped yet. */
export type Pairs = readonly (readonly [name: string, text: string])[];

/** The text of a string, number or boolean; undefined for other values, since no text means null. */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  return value === undefined || typeof value === "object" ? undefined : JSON.stringify(value);
}

/** The texts of items; undefined if one of them has none. */
export function itemTexts(items: readonly Json[]): readonly string[] | undefined {
  const texts = items.map(scalarText).filter((text) => text !== undefined);
  return texts.length < items.length ? undefined : texts;
}

/** Characters that separate items even when they are percent-encoded. */
const ALWAYS_SEPARATE = " \t|";

/** True if a text isn't split at the separator: it has none, or escaping protects it. */
export function isUnsplit(text: string, separator: string, isEscaped: boolean): boolean {
  return !text.includes(separator) || (isEscaped && !ALWAYS_SEPARATE.includes(separator));
}

/** True if a header field can have this value: text of one byte per character, without spaces around it. */
export function isHeaderValue(text: string): boolean {
  return isHeaderText(text) && text.trim() === text;
}

/** True if a cookie can have this value unescaped; more lenient than RFC 6265, section 4.1.1: just `;` would end it. */
export function isCookieValue(text: string): boolean {
  return isHeaderValue(text) && !text.includes(";");
}
