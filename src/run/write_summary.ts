import type { Ansis } from "ansis";
import type { Report } from "../report/report.ts";
import { changeLines } from "../report/text/change_lines.ts";
import { roundLines } from "../report/text/round_lines.ts";
import { findingCountLines } from "../report/text/finding_lines.ts";
import {
  enforcementLines,
  headingLines,
  responseKeywordLines,
  summaryLines,
} from "../report/text/summary_lines.ts";
import { nothingMatched } from "../report/text/nothing_matched.ts";
import { withoutCommands } from "../report/text/without_commands.ts";
import type { Host } from "./host.ts";
import type { Output } from "./outputs.ts";
import { saidText } from "./said_text.ts";
import { outputWidth } from "./terminal.ts";
import type { FailedCondition } from "./fail_on.ts";
import { diagnosticLines } from "../report/text/traffic_lines.ts";
import { wrapText } from "../report/text/text_width.ts";

/** Messages of a run, apart from its report. */
export interface RunMessages {
  /** Sentences. */
  readonly warnings: readonly string[];
  /** The thresholds that are not met: sentences. */
  readonly missed: readonly string[];
  /** The conditions that fail the run. */
  readonly failed: readonly FailedCondition[];
  /** True if {@linkcode warnOfNothing} printed a warning. */
  readonly isWarned: boolean;
  /** The config file whose thresholds and conditions are left to `covtool merge`. */
  readonly unjudged?: string | undefined;
}

/** Most diagnostics in a summary; the report has all of them. */
const MOST_DIAGNOSTICS = 3;

/**
 * Writes to standard error, before any report, that no request was recorded or matched: it is what the reader of the
 * numbers has to know first.
 *
 * @param nothingRecorded The warning to print if no request was recorded: sentences.
 * @param isTold True if a report on the same screen says that no request matched.
 * @returns true if it printed a warning.
 */
export async function warnOfNothing(
  report: Report,
  nothingRecorded: string | undefined,
  isTold: boolean,
  colors: Ansis,
  { variables, stderr }: Host,
): Promise<boolean> {
  const lines = nothingCounted(report, nothingRecorded, isTold).flatMap((text) =>
    wrapText(text, outputWidth(variables, stderr)).map((line) => colors.yellow(line))
  );
  if (lines.length > 0) await stderr.write(withoutCommands(lines.join("\n") + "\n"));
  return lines.length > 0;
}

/**
 * Writes a summary to standard error: the numbers (unless a report on standard output has them), warnings, files,
 * thresholds that are not met, and conditions that fail the run.
 *
 * @param outputs The reports that were written.
 */
export async function writeSummary(
  report: Report,
  outputs: readonly Output[],
  messages: RunMessages,
  colors: Ansis,
  { variables, stderr }: Host,
): Promise<void> {
  const text = summaryText(report, outputs, messages, outputWidth(variables, stderr), colors);
  await stderr.write(withoutCommands(messages.isWarned && text !== "" ? `\n${text}` : text));
}

/**
 * Writes what changed since the last measurement of a session to standard error, with warnings and the requirements that
 * are not met.
 *
 * @param valueOf The value of a keyword in the description, by its schema path.
 */
export async function writeRound(
  report: Report,
  since: Report,
  messages: RunMessages,
  valueOf: (schema_path: string) => unknown,
  colors: Ansis,
  { variables, stderr }: Host,
): Promise<void> {
  const width = outputWidth(variables, stderr);
  const lines = [
    ...roundLines(report, since, width, colors, valueOf),
    ...warningLines(messages.warnings, width, colors),
    ...requirementLines(messages, width, colors).flat(),
  ];
  await stderr.write(withoutCommands(`\n${lines.join("\n")}\n`));
}

function summaryText(
  report: Report,
  outputs: readonly Output[],
  messages: RunMessages,
  width: number,
  colors: Ansis,
): string {
  const isShown = outputs.some(({ path }) => path === undefined);
  const wrapped = (text: string) => saidLines(text, width);
  const attention = [
    ...messages.warnings.map((warning) => `Warning: ${warning}`),
    ...trafficWarnings(report),
  ].flatMap((text) => wrapped(text).map((line) => colors.yellow(line)));
  const sections = [
    isShown ? [] : headingLines(report, width, colors),
    isShown ? [] : [
      ...summaryLines(report.summary, width, colors, report.exclusions !== undefined),
      ...enforcementLines(report, width),
      ...responseKeywordLines(report, width),
    ],
    isShown ? [] : changeLines(report.comparison, width, colors, 0),
    isShown ? [] : findingCountLines(report, width, colors),
    isShown ? [] : diagnosticLines(report, width, colors, MOST_DIAGNOSTICS),
    attention,
    outputs.flatMap(({ path }) => path === undefined ? [] : wrapped(`Report: ${path}`)),
    messages.unjudged === undefined
      ? []
      : wrapped(`covtool merge checks the thresholds and conditions of ${messages.unjudged}.`),
    ...requirementLines(messages, width, colors),
  ];
  return joinSections(sections);
}

/** Sections of lines with an empty line between them; empty ones are left out. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  return sections.filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n") + "\n").join("\n");
}

/** Warnings as lines of a terminal. */
export function warningLines(
  warnings: readonly string[],
  width: number,
  colors: Ansis,
): string[] {
  return warnings.flatMap((warning) =>
    saidLines(`Warning: ${warning}`, width).map((line) => colors.yellow(line))
  );
}

/** A text of covtool's own, which may end with a list, as lines of a terminal. */
function saidLines(text: string, width: number): string[] {
  // Other line feeds are those of names that it quotes.
  const [sentence = "", ...items] = text.split("\n- ");
  return [
    ...wrapText(saidText(sentence), width),
    ...items.flatMap((item) =>
      wrapText(saidText(item), width - 2).map((line, at) => `${at === 0 ? "- " : "  "}${line}`)
    ),
  ];
}

/** Thresholds that are not met and conditions that fail the run: sections of lines. */
export function requirementLines(
  messages: RunMessages,
  width: number,
  colors: Ansis,
): string[][] {
  const { missed } = messages;
  return [
    missed.length === 0 ? [] : [
      colors.red.bold(missed.length === 1 ? "Threshold not met:" : "Thresholds not met:"),
      ...missed.map((line) => colors.red(`  ${saidText(line)}`)),
    ],
    ...messages.failed.map(({ condition, reasons }) => [
      colors.red.bold(`Failed on ${condition}:`),
      ...reasons.flatMap((reason) =>
        wrapText(saidText(reason), width - 2).map((line) => colors.red(`  ${line}`))
      ),
    ]),
  ];
}

/** Commands that record know better why there is nothing. */
function nothingCounted(
  report: Report,
  nothingRecorded: string | undefined,
  isTold: boolean,
): readonly string[] {
  if (nothingRecorded !== undefined && report.traffic.recorded === 0) {
    return [saidText(`Warning: ${nothingRecorded}`)];
  }
  return isTold ? [] : nothingMatched(report);
}

/** Traffic that mostly misses the description points to a wrong call of covtool, not to bad tests. */
function trafficWarnings({ traffic, suggested_base_path: basePath }: Report): string[] {
  if (traffic.matched === 0 || basePath === null) return [];
  return [
    `Warning: Much of the traffic matches no operation. Most of it would with --base-path ${basePath}`,
  ];
}
