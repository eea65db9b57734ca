import type { Report, ReportVerdict } from "./report.ts";
import type { UsageReport } from "./usage/usage_report.ts";

const CHUNK = 1 << 16;
const INDENT = "  ";
/** Members that are written on one line, whatever they contain. */
const CLOSED: readonly string[] = ["value", "covered_by", "excluded", "tcl"];

interface JsonReports {
  readonly verdict: ReportVerdict | undefined;
  readonly apis: readonly Report[];
}

/** Writes JSON in chunks, one record per line. A report may exceed the maximum length of strings. */
export function* generateJsonReport(
  report: Report | UsageReport | JsonReports,
): Generator<string, void, undefined> {
  const rest = yield* write(report, "\n", "");
  yield rest + "\n";
}

/** Takes and returns the text that isn't in a chunk yet. Yields seldom: each passes through all outer generators. */
function* write(
  value: object,
  lineBreak: string,
  before: string,
): Generator<string, string, undefined> {
  const inner = lineBreak + INDENT;
  const list = Array.isArray(value);
  let text = before;
  let separator = list ? "[" : "{";
  const names = list ? [] : Object.keys(value);
  const members: readonly unknown[] = list ? value : Object.values(value);
  for (let index = 0; index < members.length; index++) {
    const member = members[index];
    if (member === undefined) continue;
    const key = names[index] ?? "";
    text += separator + inner;
    if (!list) text += `${JSON.stringify(key)}: `;
    if (!CLOSED.includes(key) && isContainer(member) && isOpened(member)) {
      text = yield* write(member, inner, text);
    } else text += JSON.stringify(member);
    separator = ",";
    if (text.length >= CHUNK) {
      yield text;
      text = "";
    }
  }
  return text + lineBreak + (list ? "]" : "}");
}

/** True for objects that are written on several lines because they contain records. */
function isOpened(value: object): boolean {
  if (Array.isArray(value)) return value.some(isContainer);
  let objects = 0;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (CLOSED.includes(key) || !isContainer(member)) continue;
    if (Array.isArray(member) || ++objects > 1) return true;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
