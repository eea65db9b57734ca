import columns from "fast-string-width";
import type { Json } from "../../../values/json.ts";

/** The notation of JSON as a literal of a language, in the layout of its usual formatter. */
export interface DataStyle {
  readonly width: number;
  readonly indent: number;
  /** The brackets of a list (default: `[]`). */
  readonly list?: "()";
  /** Spaces inside the braces of an object on one line. */
  readonly padding: "" | " ";
  readonly literals: Readonly<Record<"true" | "false" | "null", string>>;
  key(name: string): string;
  text(value: string): string;
  /** Columns that a key must have for a text too long for its line to move to the next one (default: never moves). */
  readonly shortKey?: number;
  /** True if a list of several objects, or of several lists, with several members each is never on one line. */
  readonly splitsLists?: boolean;
  /** True for Prettier, which fills lines with numbers of a list, and keeps a template beside its key. */
  readonly isPrettier?: boolean;
}

/** Writes JSON as a literal; `depth` is the indent of its last line, `before` and `after` the columns beside it. */
export function writeData(
  value: Json,
  style: DataStyle,
  depth: number,
  before: number,
  after = 1,
): string {
  const flat = flatData(value, style);
  const isLarge = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  const fits = before + columns(flat) + after <= style.width;
  if (!isLarge || (fits && !mustSplit(value, style))) return flat;
  const inner = depth + style.indent;
  const margin = " ".repeat(inner);
  const member = (item: Json, key: string): string => {
    const text = writeData(item, style, inner, inner + columns(key));
    const isLong = inner + columns(key) + columns(text) + 1 > style.width;
    const stays = style.isPrettier === true && text.startsWith("`");
    const moves = typeof item === "string" && isLong && key !== "" && !stays &&
      columns(key) - 2 >= (style.shortKey ?? Infinity);
    return moves
      ? `${margin}${key.trimEnd()}\n${" ".repeat(inner + style.indent)}${text},\n`
      : `${margin}${key}${text},\n`;
  };
  const lines = Array.isArray(value)
    ? style.isPrettier === true && value.every((item) => typeof item === "number")
      ? fillLines(value.map((item) => flatData(item, style)), margin, style.width)
      : value.map((item) => member(item, ""))
    : Object.entries(value).map(([name, item]) => member(item as Json, `${style.key(name)}: `));
  const [open, close] = Array.isArray(value) ? style.list ?? "[]" : "{}";
  return `${open}\n${lines.join("")}${" ".repeat(depth)}${close}`;
}

function fillLines(items: readonly string[], margin: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const item of items) {
    if (line !== "" && `${line} ${item},`.length > width) {
      lines.push(`${line}\n`);
      line = "";
    }
    line += line === "" ? `${margin}${item},` : ` ${item},`;
  }
  return [...lines, `${line}\n`];
}

function flatData(value: Json, style: DataStyle): string {
  if (typeof value === "string") return style.text(value);
  if (typeof value !== "object" || value === null) {
    return style.literals[String(value) as "null"] ?? String(value).replace("e+", "e");
  }
  if (Array.isArray(value)) {
    const [open, close] = style.list ?? "[]";
    return `${open}${value.map((item) => flatData(item, style)).join(", ")}${close}`;
  }
  const members = Object.entries(value)
    .map(([name, item]) => `${style.key(name)}: ${flatData(item as Json, style)}`);
  return members.length === 0 ? "{}" : `{${style.padding}${members.join(", ")}${style.padding}}`;
}

/** True if the formatter splits a value, or one in it, over several lines even if it fits on one. */
function mustSplit(value: Json, style: DataStyle): boolean {
  if (style.splitsLists !== true || typeof value !== "object" || value === null) return false;
  const items = Object.values(value) as Json[];
  const hasSeveral = (item: Json) =>
    typeof item === "object" && item !== null && Object.keys(item).length > 1;
  if (Array.isArray(value) && items.length > 1 && items.every(hasSeveral)) {
    const isList = Array.isArray(items[0]);
    if (items.every((item) => Array.isArray(item) === isList)) return true;
  }
  return items.some((item) => mustSplit(item, style));
}

/** Writes a text; many equal letters at its start as a repetition, so that readers see their number. */
export function repeatedText(
  text: string,
  repeat: (letter: string, count: number) => string,
): string {
  const [start = "", letter = ""] = /^([A-Za-z\d])\1{19,}/.exec(text) ?? [];
  const rest = text.slice(start.length);
  if (start === "" || rest.length > MAX_REST) return quotedText(text);
  const repeated = repeat(quotedText(letter), start.length);
  return rest === "" ? repeated : `${repeated} + ${quotedText(rest)}`;
}

/** The most other letters after a repetition; more would need a line of their own. */
const MAX_REST = 10;

/** Quotes a text with the quotes that need fewer escapes, preferably `"`. */
export function quotedText(text: string): string {
  const json = JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  const count = (quote: string) => text.split(quote).length;
  if (count('"') <= count("'")) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
