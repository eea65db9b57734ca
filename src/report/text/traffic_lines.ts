import type { Ansis } from "ansis";
import type { Diagnostic } from "../../values/diagnostic.ts";
import type { Report } from "../report.ts";
import { formatAmount, formatNumber } from "../wording/amounts.ts";
import { notMeasuredText } from "../wording/not_measured_text.ts";
import { UNMATCHED_REASONS } from "../wording/unmatched_reasons.ts";
import { plainText } from "./plain_text.ts";
import { type Cell, columnWidths, type TableColumn, tableWidth, textTable } from "./text_table.ts";
import { wrapPath, wrapText } from "./text_width.ts";

/** The number of lines shown of a list; the rest is counted. */
const MOST_LINES = 10;

/** If fewer columns than this are left for paths, they go below the other columns. */
const NARROWEST_PATH = 20;
const INDENT = "    ";

const SEVERITIES = [["error", "error"], ["warning", "warning"], ["info", "note"]] as const;

/** The layout of lines. */
interface Layout {
  readonly width: number;
  /** Wraps paths that are too long; otherwise lines get as long as they need. */
  readonly wraps: boolean;
  readonly colors: Ansis;
}

/** Traffic that the description does not document or covtool could not measure: sections of lines. */
export function trafficLines(
  report: Report,
  width: number,
  wraps: boolean,
  colors: Ansis,
): string[][] {
  const layout = { width, wraps, colors };
  return [
    unmatchedLines(report, layout),
    noteLines(report, width),
  ];
}

/** The number of diagnostics, and the most severe of them up to a limit. */
export function diagnosticLines(
  report: Report,
  width: number,
  colors: Ansis,
  most: number = MOST_LINES,
): string[] {
  const { diagnostics, schema } = report;
  if (diagnostics.length === 0) return [];
  const counts: string[] = [];
  const sorted: Diagnostic[] = [];
  for (const [severity, noun] of SEVERITIES) {
    const list = diagnostics.filter((diagnostic) => diagnostic.severity === severity);
    if (list.length > 0) counts.push(formatAmount(list.length, noun));
    sorted.push(...list);
  }
  const lines = [colors.bold(`Description: ${counts.join(", ")}`)];
  for (const diagnostic of sorted.slice(0, most)) {
    const position = diagnostic.line === null
      ? diagnostic.schema_path
      : `${schema.location}:${diagnostic.line}${
        diagnostic.column === null ? "" : `:${diagnostic.column}`
      }`;
    const text = plainText(`${diagnostic.severity}: ${diagnostic.message} (${position})`);
    const [first = "", ...rest] = wrapText(text, width - 4);
    lines.push(`  ${first}`, ...rest.map((line) => `    ${line}`));
  }
  return [...lines, ...more(diagnostics.length, most, colors)];
}

function unmatchedLines(report: Report, layout: Layout): string[] {
  const { unmatched, unmatched_total, suggested_base_path, traffic } = report;
  const { width, colors } = layout;
  if (unmatched_total === 0) return [];
  const lines = listing(
    `Unmatched requests: ${formatNumber(unmatched_total)}`,
    ["Why", "Request"],
    unmatched.toSorted((a, b) => b.count - a.count).slice(0, MOST_LINES).map((request) => ({
      hits: request.count,
      first: UNMATCHED_REASONS[request.reason],
      method: plainText(request.method),
      path: plainText(request.host + request.path),
    })),
    unmatched.length,
    layout,
  );
  // Where nothing matched at all, the report begins with it.
  if (suggested_base_path !== null && traffic.matched > 0) {
    const hint = plainText(
      `Most of the traffic would match with --base-path ${suggested_base_path}`,
    );
    lines.push(...wrapText(hint, width).map((line) => colors.yellow(line)));
  }
  return lines;
}

interface ListedRequest {
  readonly hits: number;
  readonly first: string;
  readonly method: string;
  readonly path: string;
}

function listing(
  title: string,
  headers: readonly [string, string],
  requests: readonly ListedRequest[],
  total: number,
  { width, wraps, colors }: Layout,
): string[] {
  const columns: TableColumn[] = [
    { header: "Count", align: "right" },
    { header: headers[0], align: "left" },
  ];
  const heads = requests.map(({ hits, first }): Cell[] => [
    { text: formatNumber(hits) },
    { text: first },
  ]);
  const left = width - tableWidth(columnWidths(columns, heads)) - 2;
  const isStacked = wraps && left < NARROWEST_PATH;
  const room = !wraps ? Infinity : isStacked ? width - INDENT.length : left;
  const rows = requests.map(({ method, path }, index): Cell[] => {
    const lines = wrapPath(`${method} ${path}`, room);
    const [count = { text: "" }, first = { text: "" }] = heads[index] ?? [];
    return isStacked
      ? [count, { ...first, below: lines.map((line) => INDENT + line) }]
      : [count, first, { text: lines.join("\n") }];
  });
  if (isStacked) {
    columns[1] = { header: headers[0], align: "left", below: [colors.bold(INDENT + headers[1])] };
  } else columns.push({ header: headers[1], align: "left" });
  const table = textTable(columns, rows, undefined, { header: colors.bold, rule: colors.dim });
  return [colors.bold(title), ...table, ...more(total, MOST_LINES, colors)];
}

function more(total: number, shown: number, colors: Ansis): string[] {
  return total > shown ? [colors.dim(`… and ${formatNumber(total - shown)} more`)] : [];
}

function noteLines(report: Report, width: number): string[] {
  let malformed = 0;
  let notRecorded = 0;
  const unsupported = new Set<string>();
  for (const { parameters } of report.operations) {
    for (const parameter of parameters) {
      malformed += parameter.malformed;
      if (parameter.measured !== false && parameter.location !== "path") {
        notRecorded += parameter.not_recorded;
      }
      if (parameter.unsupported && parameter.hits > 0) unsupported.add(parameter.parameter);
    }
  }
  const { responses } = report.summary;
  const notes: string[] = [];
  const hidden = notMeasuredText(report);
  if (hidden !== undefined) notes.push(`${hidden}.`);
  if (!responses.measured && responses.total > 0) {
    notes.push("Responses are not measured: the traffic has no responses.");
  }
  if (malformed > 0) notes.push(`${formatAmount(malformed, "body", "bodies")} couldn't be parsed.`);
  if (notRecorded > 0) {
    notes.push(
      `${formatNumber(notRecorded)} ${
        notRecorded === 1 ? "body is" : "bodies are"
      } missing or cut in the recording.`,
    );
  }
  if (unsupported.size > 0) {
    const names = [...unsupported].map(plainText).join(", ");
    notes.push(`Not decoded, so their keywords are not measured: ${names}.`);
  }
  return notes.flatMap((note) => wrapText(note, width));
}
