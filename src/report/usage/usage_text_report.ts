import { Ansis } from "ansis";
import { formatPercent } from "../percent.ts";
import { plainText } from "../text/plain_text.ts";
import { coverageBar, percentPaint, period } from "../text/summary_lines.ts";
import { cutText, padText, wrapText } from "../text/text_width.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import type { UndocumentedUse, UsageItem, UsageReport, UsageTraffic } from "./usage_report.ts";
import {
  testedRequestsText,
  undocumentedText,
  unlistedText,
  unseenTexts,
  USAGE_SECTIONS,
  usageCounts,
  usageItemText,
  usageRows,
} from "./usage_wording.ts";

/** The options of a usage report as text. */
export interface UsageTextOptions {
  /** Columns of the terminal; fewer than 40 count as 40. */
  readonly width: number;
  /** Colours with ANSI escape sequences (default: true). */
  readonly colored?: boolean | undefined;
  /** The most lines of each list (default: 20). */
  readonly top?: number | undefined;
}

const NARROWEST = 40;
const MOST_LINES = 20;
const BAR = 20;
/** Columns of a label, and of a percentage. */
const LABEL = 12;
const PERCENT = 6;

/** The totals of a usage report, without its lists: lines of a terminal. */
export function usageSummaryLines(report: UsageReport, width: number, colors: Ansis): string[] {
  const { schema } = report;
  const facts = [schema.specification, `version ${schema.version}`, schema.location];
  const rows = usageRows(report);
  const longest = Math.max(...rows.map(({ count }) => usageCounts(count).length));
  const isBarShown = width >= LABEL + BAR + PERCENT + 4 + longest;
  return [
    colors.bold(cutText(plainText(`${report.title}: used in production, and tested`), width)),
    ...[
      plainText(facts.join(" · ")),
      `Tests: ${trafficText(report.tests)}`,
      `Production: ${trafficText(report.production)}`,
    ].flatMap((text) => wrapText(text, width)).map((line) => colors.dim(line)),
    "",
    ...rows.flatMap(({ label, count }) => {
      const paint = percentPaint(count.percent, colors);
      const bar = isBarShown ? `${coverageBar(count.percent, BAR, paint, colors)}  ` : "";
      const shown = paint(padText(formatPercent(count.percent), PERCENT, "right"));
      const [first = "", ...rest] = wrapText(usageCounts(count), width - LABEL - PERCENT - 2);
      const indent = " ".repeat(LABEL + PERCENT + 2);
      return [
        `${padText(label, LABEL)}${bar}${shown}  ${first}`,
        ...rest.map((line) => indent + line),
      ];
    }),
    ...wrapText(testedRequestsText(report), width),
    ...unseenTexts(report).flatMap((text) => wrapText(text, width)),
  ];
}

/**
 * Writes a usage report for a terminal: the totals, then the three lists with their beginnings. No line is wider than
 * `width`, and nothing from the description or the traffic reaches the terminal as a control character.
 *
 * @returns lines, each with its line break.
 */
export function generateUsageTextReport(report: UsageReport, options: UsageTextOptions): string {
  const width = Math.max(NARROWEST, Math.floor(options.width));
  const colors = new Ansis(options.colored === false ? 0 : 1);
  const list = (name: keyof typeof USAGE_SECTIONS, lines: readonly Line[]) =>
    listLines(USAGE_SECTIONS[name], lines, width, options.top ?? MOST_LINES, colors);
  const sections = [
    usageSummaryLines(report, width, colors),
    list("untested", report.untested.map((item) => itemLine(item, item.production))),
    list("undocumented", report.undocumented.map(undocumentedLine)),
    report.unlisted_requests === 0 ? [] : wrapText(unlistedText(report), width),
    list("unused", report.unused.map((item) => itemLine(item, item.tests))),
  ];
  return sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n") + "\n")
    .join("\n");
}

function trafficText(traffic: UsageTraffic): string {
  const { recorded, matched, unmatched } = traffic;
  return `${formatAmount(recorded, "request")}: ${formatNumber(matched)} matched, ${
    formatNumber(unmatched)
  } unmatched${period(traffic)}`;
}

/** A line of a list. */
interface Line {
  readonly count: number;
  readonly share: number | null;
  readonly text: string;
}

function itemLine(item: UsageItem, count: number): Line {
  const part = usageItemText(item);
  const name = `${item.method} ${item.path}`;
  const share = item.production > 0 ? item.share : null;
  return { count, share, text: part === "" ? name : `${name}: ${part}` };
}

function undocumentedLine(use: UndocumentedUse): Line {
  const text = `${use.method} ${use.path}: ${undocumentedText(use)}`;
  return { count: use.production, share: null, text };
}

function listLines(
  { title, none }: { readonly title: string; readonly none: string },
  lines: readonly Line[],
  width: number,
  most: number,
  colors: Ansis,
): string[] {
  if (lines.length === 0) return [colors.bold(`${title}: 0`), ...wrapText(none, width)];
  const shown = lines.slice(0, most);
  const digits = Math.max(...shown.map(({ count }) => formatNumber(count).length));
  const hasShare = shown.some(({ share }) => share !== null);
  const before = 2 + digits + 2 + (hasShare ? PERCENT + 2 : 0);
  return [
    colors.bold(`${title}: ${formatNumber(lines.length)}`),
    ...shown.flatMap(({ count, share, text }) => {
      const percent = hasShare ? `${padText(formatPercent(share), PERCENT, "right")}  ` : "";
      const [first = "", ...rest] = wrapText(plainText(text), width - before);
      const number = padText(formatNumber(count), digits, "right");
      return [
        `  ${number}  ${colors.dim(percent)}${first}`,
        ...rest.map((line) => " ".repeat(before) + line),
      ];
    }),
    ...(lines.length > most
      ? [colors.dim(`  … and ${formatNumber(lines.length - most)} more`)]
      : []),
  ];
}
