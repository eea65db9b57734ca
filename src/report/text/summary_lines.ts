import type { Ansis } from "ansis";
import type { Summary } from "../../map/results.ts";
import { dimensionRows } from "../dimension_rows.ts";
import { formatPercent } from "../percent.ts";
import type { Report } from "../report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { credentialsText } from "../wording/credentials_text.ts";
import { coverageLevel } from "../wording/coverage_level.ts";
import { enforcementText } from "../wording/enforcement_text.ts";
import { responseKeywordsText } from "../wording/response_keywords_text.ts";
import { tclText } from "../wording/tcl_wording.ts";
import { plainText } from "./plain_text.ts";
import type { Paint } from "./text_table.ts";
import { cutText, padText, wrapText } from "./text_width.ts";

/** Columns of a dimension's name and percentage, with the spaces that follow them. */
const BESIDE_COUNTS = 20;
/** Columns of a label with the spaces that follow it. */
const LABEL = 12;
const WIDEST_BAR = 30;
const NARROWEST_BAR = 8;
/** The length of the date in a timestamp, including the space after it. */
const DAY = "2026-01-31 ".length;

/** The colour that a percentage is shown in: red below 50, yellow below 80, green from there. */
export function percentPaint(percent: number | null, colors: Ansis): Paint {
  const level = coverageLevel(percent);
  if (level === null) return colors.dim;
  return { high: colors.green, medium: colors.yellow, low: colors.red }[level];
}

/** The head of a text report: what was measured against what. */
export function headingLines(report: Report, width: number, colors: Ansis): string[] {
  const { schema, traffic } = report;
  const facts = [schema.specification, `version ${schema.version}`, schema.location];
  if (schema.title !== report.title) facts.unshift(schema.title);
  if (schema.base_path !== null) facts.push(`base path ${schema.base_path}`);
  const requests = `${formatAmount(traffic.recorded, "request")}: ${
    formatNumber(traffic.matched)
  } matched, ${formatNumber(traffic.unmatched)} unmatched`;
  return [
    colors.bold(cutText(plainText(report.title), width)),
    ...wrapText(plainText(facts.join(" · ")), width).map((line) => colors.dim(line)),
    ...wrapText(requests + period(traffic), width).map((line) => colors.dim(line)),
  ];
}

/** The five dimensions, one a line: percentage, bar and exact counts. */
export function summaryLines(
  summary: Summary,
  width: number,
  colors: Ansis,
  isScoped = false,
): string[] {
  const rows = dimensionRows(summary, isScoped);
  const longest = rows.reduce((most, { counts }) => Math.max(most, counts.length), 0);
  const bar = Math.min(WIDEST_BAR, width - BESIDE_COUNTS - longest - 2);
  return rows.flatMap(({ label, percent, counts }) => {
    const paint = percentPaint(percent, colors);
    const shown = padText(formatPercent(percent), 6, "right");
    const middle = bar < NARROWEST_BAR ? "" : `${coverageBar(percent, bar, paint, colors)}  `;
    const [first = "", ...rest] = wrapText(counts, width - BESIDE_COUNTS);
    return [
      `${padText(label, 10)}  ${middle}${paint(shown)}  ${first}`,
      ...rest.map((line) => padText("", BESIDE_COUNTS) + line),
    ];
  });
}

/** The test coverage level and what the next one needs; none for reports that don't have it. */
export function tclLines({ summary: { tcl }, tcl_criteria }: Report, width: number): string[] {
  if (tcl === undefined) return [];
  return labelled("TCL", tclText(tcl, tcl_criteria), width);
}

/** The number of rules that the API has proven to enforce; none where nothing was answered. */
export function enforcementLines({ summary: { enforcement } }: Report, width: number): string[] {
  const text = enforcementText(enforcement);
  return text === undefined ? [] : labelled("Enforced", text, width);
}

/** The number of keywords that responses met, or that they are not measured; none where no response was recorded. */
export function responseKeywordLines({ summary }: Report, width: number): string[] {
  const text = responseKeywordsText(summary);
  return text === undefined ? [] : labelled("Returned", text, width);
}

/** The operations that refused requests without credentials; none where traffic doesn't tell. */
export function credentialLines({ operations }: Report, width: number): string[] {
  const text = credentialsText(operations);
  return text === undefined ? [] : labelled("Credentials", text, width);
}

/** Text behind its label. */
function labelled(label: string, text: string, width: number): string[] {
  return wrapText(text, width - LABEL).map((line, index) =>
    padText(index === 0 ? label : "", LABEL) + line
  );
}

/** A bar of blocks. Like the percentage next to it, it is empty or full only if that is exact. */
export function coverageBar(
  percent: number | null,
  width: number,
  paint: Paint,
  colors: Ansis,
): string {
  if (percent === null) return colors.dim("░".repeat(width));
  const filled = percent <= 0
    ? 0
    : percent >= 100
    ? width
    : Math.min(width - 1, Math.max(1, Math.round(percent / 100 * width)));
  const rest = width - filled;
  return (filled > 0 ? paint("█".repeat(filled)) : "") +
    (rest > 0 ? colors.dim("░".repeat(rest)) : "");
}

/** The times of some traffic, as the end of a sentence: `, 2026-01-31 12:00:05 to 12:00:09 UTC`; empty if unknown. */
export function period(traffic: Pick<Report["traffic"], "first_at" | "last_at">): string {
  if (traffic.first_at === null) return "";
  const first = moment(traffic.first_at);
  const last = moment(traffic.last_at ?? traffic.first_at);
  if (first === last) return `, ${first} UTC`;
  const day = first.slice(0, DAY);
  return `, ${first} to ${last.startsWith(day) ? last.slice(DAY) : last} UTC`;
}

function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} s`;
  return date.toISOString().slice(0, 19).replace("T", " ");
}
