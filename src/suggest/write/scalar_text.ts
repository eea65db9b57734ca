import type { Json } from "../../values/json.ts";

/** The text of a value that is neither an array nor an object; undefined for those. */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (value === undefined || (typeof value === "object" && value !== null)) return undefined;
  return JSON.stringify(value);
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

/** The names and the texts of properties; undefined if one of them has none. */
export function memberTexts(
  object: { readonly [name: string]: Json },
): readonly (readonly [name: string, text: string])[] | undefined {
  const texts: [string, string][] = [];
  for (const name of Object.keys(object)) {
    const text = scalarText(object[name]);
    if (text === undefined) return undefined;
    texts.push([name, text]);
  }
  return texts;
}

/** Escapes text for a path, a query or an urlencoded form; undefined for text that isn't well formed. */
export function escapeText(text: string): string | undefined {
  return text.isWellFormed() ? encodeURIComponent(text) : undefined;
}
