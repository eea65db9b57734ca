import stringWidth from "fast-string-width";
import { append } from "../../values/collections.ts";

const ASCII = /^[\x20-\x7e]*$/;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The width of a text in terminal columns: wide characters take two, combining characters none. */
export function textWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** Cuts a text to at most `width` columns with `…`. Keeps graphemes whole, so the result may be a column shorter. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width < 1) return "";
  return fittingPart(text, width - 1) + "…";
}

/** The longest beginning of a text that fits, in whole graphemes. */
function fittingPart(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, width);
  let part = "";
  let used = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += textWidth(segment);
    if (used > width) break;
    part += segment;
  }
  return part;
}

/**
 * Pads a text with spaces to `width` columns: after it, or before it with `"right"`. Colours only the text itself, so
 * that trailing spaces can be trimmed.
 */
export function padText(
  text: string,
  width: number,
  align: "left" | "right" = "left",
  paint: (text: string) => string = String,
): string {
  const fill = " ".repeat(Math.max(0, width - textWidth(text)));
  const painted = text === "" ? "" : paint(text);
  return align === "left" ? painted + fill : fill + painted;
}

/** Fills lines with pieces, in linear time. A piece that is longer than a line is split by `splitPiece`. */
function fillLines(
  pieces: Iterable<string>,
  width: number,
  separator: "" | " ",
  splitPiece: (piece: string) => string[],
): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const piece of pieces) {
    const between = used === 0 ? "" : separator;
    const wider = used + between.length + textWidth(piece);
    if (wider <= width) {
      line += between + piece;
      used = wider;
      continue;
    }
    if (line !== "") lines.push(line);
    const parts = splitPiece(piece);
    line = parts.pop() ?? "";
    used = textWidth(line);
    append(lines, parts);
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines;
}

/** Breaks a text at spaces. A word longer than a line is broken before slashes, otherwise anywhere. */
export function wrapText(text: string, width: number): string[] {
  return fillLines(text.split(" "), width, " ", (word) => wrapPath(word, width));
}

/** Breaks a path before slashes. A segment longer than a line is split. */
export function wrapPath(path: string, width: number): string[] {
  return fillLines(
    path.split(/(?=\/)/),
    width,
    "",
    (segment) => fillLines(unbrokenParts(segment, width), width, "", (part) => [part]),
  );
}

/** Wraps a text: its first line begins at `indent`, the others `hanging` columns further in. */
export function listLines(text: string, width: number, indent: number, hanging = 0): string[] {
  return wrapText(text, width - indent - hanging).map((line, index) =>
    " ".repeat(index === 0 ? indent : indent + hanging) + line
  );
}

/** Yields graphemes, which must stay whole. In ASCII text each is one character, so yields whole lines. */
function* unbrokenParts(text: string, width: number): Generator<string> {
  if (!ASCII.test(text)) {
    for (const { segment } of GRAPHEMES.segment(text)) yield segment;
    return;
  }
  const step = Math.max(1, Math.min(width, text.length));
  for (let at = 0; at < text.length; at += step) yield text.slice(at, at + step);
}

/** Shortens a path but keeps the first segment and the last ones, which distinguish operations. */
export function shortenPath(path: string, width: number): string {
  if (textWidth(path) <= width) return path;
  const segments = path.split("/").slice(1);
  const first = segments[0];
  if (path.startsWith("/") && first !== undefined) {
    for (const head of [`/${first}/…`, "…"]) {
      const tail = lastSegments(segments.slice(1), width - textWidth(head));
      if (tail !== "") return head + tail;
    }
  }
  return cutText(path, width);
}

function lastSegments(segments: readonly string[], width: number): string {
  let tail = "";
  for (const segment of segments.toReversed()) {
    const longer = `/${segment}${tail}`;
    if (textWidth(longer) > width) break;
    tail = longer;
  }
  return tail;
}
