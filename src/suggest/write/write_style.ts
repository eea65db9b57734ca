import type { DelimitedLayout } from "../../http/delimited.ts";
import type { StyleEncoding } from "../../http/encoding.ts";
import { isHeaderText } from "../../http/headers.ts";
import { effectiveStyle, type StylePlan, stylePlan } from "../../http/style_plan.ts";
import { SEPARATORS } from "../../http/percent.ts";
import type { Json } from "../../values/json.ts";
import type { WrittenParameter } from "./written_parameter.ts";

/** Pairs that are not escaped yet. */
export type Pairs = readonly (readonly [name: string, text: string])[];

/** The text of a string, number or boolean; undefined for other values, since no text means null. */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  return value === undefined || typeof value === "object" ? undefined : JSON.stringify(value);
}

/** The texts of items; undefined if one of them has none. */
function itemTexts(items: readonly Json[]): readonly string[] | undefined {
  const texts = items.map(scalarText).filter((text) => text !== undefined);
  return texts.length < items.length ? undefined : texts;
}

/** Characters that separate items even when they are percent-encoded. */
const ALWAYS_SEPARATE = " \t|";

/** True if a text isn't split at the separator: it has none, or escaping protects it. */
function isUnsplit(text: string, separator: string, isEscaped: boolean): boolean {
  return !text.includes(separator) || (isEscaped && !ALWAYS_SEPARATE.includes(separator));
}

/** True if a header field can have this value: text of one byte per character, without spaces around it. */
function isHeaderValue(text: string): boolean {
  return isHeaderText(text) && text.trim() === text;
}

/** True if a cookie can have this value unescaped; more lenient than RFC 6265, section 4.1.1: just `;` would end it. */
function isCookieValue(text: string): boolean {
  return isHeaderValue(text) && !text.includes(";");
}

type Escape = (text: string) => string;

export const asIs: Escape = (text) => text;

/** Writes a value as one text: items, or names and values, with separators; undefined for values with other parts. */
export function writeDelimited(
  value: Json,
  { separator, keyed, items }: DelimitedLayout,
  escape: Escape,
): string | undefined {
  const scalar = scalarText(value);
  if (scalar !== undefined) return escape(scalar);
  const isList = Array.isArray(value);
  // Lists of lists are from Swagger 2.0, where parameters have no objects.
  if (value === null || (items !== undefined && !isList)) return undefined;
  const sign = SEPARATORS[separator];
  const isEscaped = escape !== asIs;
  const partText = (part: Json): string | undefined => {
    const text = scalarText(part);
    if (text !== undefined) return isUnsplit(text, sign, isEscaped) ? escape(text) : undefined;
    return items === undefined ? undefined : writeDelimited(part, items, escape);
  };
  const texts: string[] = [];
  for (const [name, part] of Object.entries(value)) {
    const key = isList ? "" : partText(name);
    const text = partText(part as Json);
    if (key === undefined || text === undefined) return undefined;
    if (isList) texts.push(text);
    else if (!keyed) texts.push(key, text);
    else if (isEscaped || !name.includes("=")) texts.push(`${key}=${text}`);
    else return undefined;
  }
  // Spaces, tabs and pipes separate in their percent-encoded form.
  const isPlain = !isEscaped || separator === "dot" || separator === "comma";
  return texts.join(isPlain ? sign : encodeURIComponent(sign));
}

/** The pairs of an exploded value: items repeat the name, properties are pairs of their own. */
export function explodedPairs(name: string, value: Json): Pairs | undefined {
  if (Array.isArray(value)) return itemTexts(value)?.map((text) => [name, text]);
  if (typeof value !== "object" || value === null) {
    const text = scalarText(value);
    return text === undefined ? undefined : [[name, text]];
  }
  const pairs: (readonly [string, string])[] = [];
  for (const [key, member] of Object.entries(value)) {
    const texts = Array.isArray(member) ? itemTexts(member) : itemTexts([member as Json]);
    if (texts === undefined) return undefined;
    for (const text of texts) pairs.push([key, text]);
  }
  return pairs;
}

/**
 * Writes a value by `style` and `explode` (OpenAPI 3.2, 4.12.8) so that `compileParameter` reads it back; undefined for
 * values that the style can't express.
 */
export function writeStyle(encoding: StyleEncoding, value: Json): WrittenParameter | undefined {
  const { location, name } = encoding;
  const style = effectiveStyle(location, encoding.style);
  const plan = stylePlan(encoding);
  const escape = location === "header" || style === "cookie" ? asIs : encodeURIComponent;
  const sentName = location === "cookie" ? escape(name) : name;
  const single = (text: string | undefined) =>
    text === undefined ? undefined : toWritten(location, sentName, [text]);
  if (style === "matrix") return single(matrixText(name, value, plan));
  if (plan.kind === "deep") {
    const pairs = bracketPairs(name, value);
    if (pairs === undefined || pairs.length === 0) return undefined;
    return { kind: "query", pairs: pairs.map(escapedPair) };
  }
  const isScalar = typeof value !== "object" || value === null;
  const isPair = location === "query" || location === "cookie";
  if (plan.kind === "delimited" && !(isScalar && isPair)) {
    if (style !== "label") return single(writeDelimited(value, plan.layout, escape));
    // A dot would end the item.
    const escapeDots = (part: string) => encodeURIComponent(part).replaceAll(".", "%2E");
    const text = writeDelimited(value, plan.layout, escapeDots);
    return single(text === undefined ? undefined : `.${text}`);
  }
  const pairs = explodedPairs(name, value);
  if (pairs === undefined || pairs.length === 0) return undefined;
  if (location !== "cookie") return { kind: "query", pairs: pairs.map(escapedPair) };
  const cookies = pairs.map(([key, text]) => [escape(key), escape(text)] as const);
  return cookies.every((pair) => pair.every(isCookieValue) && !pair[0].includes("="))
    ? { kind: "cookie", pairs: cookies.map(([key, text]) => `${key}=${text}`) }
    : undefined;
}

function escapedPair([name, text]: readonly [string, string]): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
}

function matrixText(name: string, value: Json, plan: StylePlan): string | undefined {
  if (plan.kind !== "delimited") {
    return explodedPairs(name, value)?.map((pair) => `;${escapedPair(pair)}`).join("");
  }
  const text = writeDelimited(value, plan.layout, encodeURIComponent);
  return text === undefined ? undefined : `;${encodeURIComponent(name)}=${text}`;
}

/** Returns a parameter with written texts; several only if its name can repeat. */
export function toWritten(
  location: "path" | "query" | "header" | "cookie",
  name: string,
  texts: readonly string[],
): WrittenParameter | undefined {
  const [text] = texts;
  if (text === undefined) return undefined;
  switch (location) {
    case "path":
      return { kind: "path", name, text };
    case "header":
      return isHeaderValue(text) ? { kind: "header", name, value: text } : undefined;
    case "query":
      return { kind: "query", pairs: texts.map((one) => `${encodeURIComponent(name)}=${one}`) };
    case "cookie":
      return isCookieValue(text) ? { kind: "cookie", pairs: [`${name}=${text}`] } : undefined;
  }
}

/** Writes pairs such as `a[b]=1`, `a[0][c]=2`; undefined for null and empty values, which no pair can express. */
export function bracketPairs(name: string, value: Json): Pairs | undefined {
  const text = scalarText(value);
  if (text !== undefined) return [[name, text]];
  if (value === null) return undefined;
  const pairs: (readonly [string, string])[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (/[[\]]/.test(key)) return undefined;
    const inner = bracketPairs(`${name}[${key}]`, member as Json);
    if (inner === undefined || inner.length === 0) return undefined;
    pairs.push(...inner);
  }
  return pairs;
}
