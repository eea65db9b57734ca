import type { Report, ReportVerdict } from "./report.ts";
import type { UsageReport } from "./usage/usage_report.ts";

const CHUNK = 1 << 16;
const INDENT = "  ";
/** Members that stay on the line of their record, whatever they hold. */
const CLOSED: readonly string[] = ["value", "covered_by", "excluded", "tcl"];

interface JsonReports {
  readonly verdict: ReportVerdict | undefined;
  readonly apis: readonly Report[];
}

/** Writes JSON with one record a line, in chunks: a report may be longer than the longest string. */
export function* generateJsonReport(
  report: Report | UsageReport | JsonReports,
): Generator<string, void, undefined> {
  const rest = yield* write(report, "\n", "");
  yield rest + "\n";
}

/** Takes and returns what is in no chunk yet: a value given passes through all generators that wait, so few are. */
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

/** True for objects that hold records. An example's `value` isn't part of this structure. */
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
