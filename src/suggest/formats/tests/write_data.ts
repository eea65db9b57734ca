import columns from "fast-string-width";
import type { Json } from "../../../values/json.ts";

/** The way in which a language writes JSON as a literal of its own, as its usual formatter would lay it out. */
export interface DataStyle {
  /** The longest line. */
  readonly width: number;
  /** The spaces of one level. */
  readonly indent: number;
  /** The brackets of a list (default: `[]`). */
  readonly list?: "()";
  /** The spaces within the braces of an object on one line. */
  readonly padding: "" | " ";
  readonly words: Readonly<Record<"true" | "false" | "null", string>>;
  key(name: string): string;
  text(value: string): string;
  /** A text that is too long for its line moves to one of its own, unless its key has fewer columns (default: never). */
  readonly shortKey?: number;
  /** True if several items that are objects or lists with several members are never on one line. */
  readonly parts?: boolean;
  /** True for Prettier, where numbers in a list share their lines, and a template stays beside its key. */
  readonly isPrettier?: boolean;
}

/** JSON as a literal; `depth` is the indent of its last line, `before` and `after` the columns beside it. */
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
  if (!isLarge || (fits && !isParted(value, style))) return flat;
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
    ? style.isPrettier === true && value.every(isNumber)
      ? filledLines(value.map((item) => flatData(item, style)), margin, style.width)
      : value.map((item) => member(item, ""))
    : Object.entries(value).map(([name, item]) => member(item as Json, `${style.key(name)}: `));
  const [open, close] = Array.isArray(value) ? style.list ?? "[]" : "{}";
  return `${open}\n${lines.join("")}${" ".repeat(depth)}${close}`;
}

function isNumber(item: Json): boolean {
  return typeof item === "number";
}

/** Items with as many of them on each line as have room. */
function filledLines(items: readonly string[], margin: string, width: number): string[] {
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
    return style.words[String(value) as "null"] ?? String(value).replace("e+", "e");
  }
  if (Array.isArray(value)) {
    const [open, close] = style.list ?? "[]";
    return `${open}${value.map((item) => flatData(item, style)).join(", ")}${close}`;
  }
  const members = Object.entries(value)
    .map(([name, item]) => `${style.key(name)}: ${flatData(item as Json, style)}`);
  return members.length === 0 ? "{}" : `{${style.padding}${members.join(", ")}${style.padding}}`;
}

/** True if a formatter parts a value, or one in it, even where there is room. */
function isParted(value: Json, style: DataStyle): boolean {
  if (style.parts !== true || typeof value !== "object" || value === null) return false;
  const items = Object.values(value) as Json[];
  const isSeveral = (item: Json) =>
    typeof item === "object" && item !== null && Object.keys(item).length > 1;
  if (Array.isArray(value) && items.length > 1 && items.every(isSeveral)) {
    const isList = Array.isArray(items[0]);
    if (items.every((item) => Array.isArray(item) === isList)) return true;
  }
  return items.some((item) => isParted(item, style));
}

/** A text; one that begins with many of the same letter as so many of it, so that a reader sees how many. */
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

/** More letters behind those that are the same would need a line of their own. */
const MAX_REST = 10;

/** A text between the quotes that need fewer escapes, `"` if that is the same. */
export function quotedText(text: string): string {
  const json = JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  const count = (quote: string) => text.split(quote).length;
  if (count('"') <= count("'")) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
