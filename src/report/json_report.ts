import type { Report } from "./report.ts";

/** Roughly how many characters a chunk has. */
const CHUNK = 1 << 16;
const INDENT = "  ";

/**
 * Writes a report as JSON (format version 1; `report.schema.json` beside this file is its JSON Schema):
 * indented by two spaces, with one record a line, and a line break at the end.
 *
 * It comes in chunks, since the report of a large description may be longer than the longest string.
 * The same report gives the same bytes.
 *
 * @example
 * ```ts
 * import { generateJsonReport } from "./json_report.ts";
 * import type { Report } from "./report.ts";
 *
 * function jsonText(report: Report): string {
 *   return [...generateJsonReport(report)].join("");
 * }
 * ```
 */
export function* generateJsonReport(report: Report): Generator<string, void, undefined> {
  let chunk = "";
  for (const part of write(report, "\n")) {
    chunk += part;
    if (chunk.length >= CHUNK) {
      yield chunk;
      chunk = "";
    }
  }
  yield chunk + "\n";
}

function* write(value: object, lineBreak: string): Generator<string, void, undefined> {
  const inner = lineBreak + INDENT;
  const list = Array.isArray(value);
  let separator = list ? "[" : "{";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const name = list ? "" : `${JSON.stringify(key)}: `;
    const line = oneLine(key, member);
    if (line !== undefined) {
      yield `${separator}${inner}${name}${line}`;
    } else {
      yield `${separator}${inner}${name}`;
      yield* write(member as object, inner);
    }
    separator = ",";
  }
  yield lineBreak + (list ? "]" : "}");
}

/** The value on one line; undefined where it holds so much that it is opened up. */
function oneLine(key: string, value: unknown): string | undefined {
  return key !== "value" && typeof value === "object" && value !== null && isOpened(value)
    ? undefined
    : JSON.stringify(value);
}

/**
 * Records of the report stand on one line each, so that a line of it can be searched for; what holds
 * records is opened up. An example's `value` comes from the description and is no part of this structure.
 */
function isOpened(value: object): boolean {
  if (Array.isArray(value)) return value.some(isContainer);
  let objects = 0;
  for (const [key, member] of Object.entries(value)) {
    if (key === "value" || !isContainer(member)) continue;
    if (Array.isArray(member) || ++objects > 1) return true;
  }
  return false;
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
