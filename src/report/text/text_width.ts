import stringWidth from "fast-string-width";

const ASCII = /^[\x20-\x7e]*$/;

/** The width of a text in columns of a terminal: wide characters take two, combining ones none. */
export function textWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** Cuts a text to at most `width` columns with `…`; graphemes stay whole, so it may be a column shorter. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width < 1) return "";
  return fittingPart(text, width - 1, 0) + "…";
}

/** The beginning of a text that fits, of whole graphemes: at least as many as are asked for. */
function fittingPart(text: string, width: number, least: 0 | 1): string {
  if (ASCII.test(text)) return text.slice(0, Math.max(least, width));
  let part = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    used += textWidth(segment);
    if (used > width && (least === 0 || part !== "")) break;
    part += segment;
  }
  return part;
}

/** Pads a text with spaces to `width` columns: after it, or before it with `"right"`. */
export function padText(text: string, width: number, align: "left" | "right" = "left"): string {
  const fill = " ".repeat(Math.max(0, width - textWidth(text)));
  return align === "left" ? text + fill : fill + text;
}

/** Breaks a text at its spaces; a word that is longer than a line is broken before its slashes, or where it must be. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const wide = textWidth(word);
    if (used > 0 && used + 1 + wide <= width) {
      line += " " + word;
      used += 1 + wide;
      continue;
    }
    if (used > 0) lines.push(line);
    const parts = wrapPath(word, width);
    line = parts.pop() ?? "";
    used = textWidth(line);
    lines.push(...parts);
  }
  if (used > 0 || lines.length === 0) lines.push(line);
  return lines;
}

/** Wraps a text: its first line begins at `indent`, the others `hanging` columns further in. */
export function listLines(text: string, width: number, indent: number, hanging = 0): string[] {
  return wrapText(text, width - indent - hanging).map((line, index) =>
    " ".repeat(index === 0 ? indent : indent + hanging) + line
  );
}

/** Breaks a path before its slashes; a segment that is longer than a line is cut over several. */
export function wrapPath(path: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const segment of path.split(/(?=\/)/)) {
    if (textWidth(line + segment) <= width) {
      line += segment;
      continue;
    }
    if (line !== "") lines.push(line);
    const parts = splitWord(segment, width);
    line = parts.pop() ?? "";
    lines.push(...parts);
  }
  return [...lines, line];
}

function splitWord(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (textWidth(rest) > width) {
    const head = fittingPart(rest, width, 1);
    if (head === rest) break; // A single character may be wider than the line.
    lines.push(head);
    rest = rest.slice(head.length);
  }
  return [...lines, rest];
}

/** Shortens a path: the first segment and the last ones stay, since these tell operations apart. */
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
