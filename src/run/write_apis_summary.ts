import type { Ansis } from "ansis";
import type { NamedReport } from "../report/apis/apis_overview.ts";
import { overviewLines } from "../report/apis/apis_text_report.ts";
import type { Report } from "../report/report.ts";
import { changeLines } from "../report/text/change_lines.ts";
import { explainNothingMatched } from "../report/text/nothing_matched.ts";
import { plainText } from "../report/text/plain_text.ts";
import { roundLines } from "../report/text/round_lines.ts";
import { wrapText } from "../report/text/text_width.ts";
import { withoutCommands } from "../report/text/without_commands.ts";
import type { Host } from "./host.ts";
import type { Output } from "./outputs.ts";
import { saidText } from "./said_text.ts";
import { outputWidth } from "./terminal.ts";
import { joinSections, requirementLines, type RunMessages, warningLines } from "./write_summary.ts";

/** An API of which a session shows what changed. */
export interface WatchedApi extends NamedReport {
  /** The value of a keyword in the description, by its schema path. */
  readonly valueOf: (schema_path: string) => unknown;
}

/**
 * Writes to standard error, before any report, which APIs no request matched.
 *
 * @param nothingRecorded The warning to print if no request was recorded at all: sentences.
 * @returns whether there was anything to say.
 */
export async function warnOfNoApiTraffic(
  apis: readonly NamedReport[],
  nothingRecorded: string | undefined,
  colors: Ansis,
  host: Host,
): Promise<boolean> {
  const { variables, stderr } = host;
  const lines = warningsOf(apis, nothingRecorded).flatMap((text) =>
    wrapText(saidText(`Warning: ${text}`), outputWidth(variables, stderr))
  ).map((line) => colors.yellow(line));
  if (lines.length > 0) await stderr.write(withoutCommands(lines.join("\n") + "\n"));
  return lines.length > 0;
}

function warningsOf(
  apis: readonly NamedReport[],
  nothingRecorded: string | undefined,
): readonly string[] {
  if (apis.every(({ report }) => report.traffic.recorded === 0)) {
    return [nothingRecorded ?? "The traffic contains no requests."];
  }
  return apis.flatMap(({ name, report }) => {
    if (report.traffic.recorded === 0) return [`${name}: No request of the traffic belongs to it.`];
    const explained = explainNothingMatched(report, String);
    if (explained === undefined) return [];
    const { problem, basePath } = explained;
    const advice = basePath === null ? "" : ` Most of them would match with basePath: ${basePath}`;
    return [`${name}: ${problem}${advice}`];
  });
}

/**
 * Writes a summary of several APIs to standard error: the overview (unless a report on standard output has it), warnings,
 * files, thresholds that are not met, and conditions that fail the run.
 *
 * @param title The title of all together; undefined if none is given.
 * @param outputs The reports that were written.
 */
export async function writeApisSummary(
  apis: readonly NamedReport[],
  title: string | undefined,
  outputs: readonly Output[],
  messages: RunMessages,
  colors: Ansis,
  host: Host,
): Promise<void> {
  const { variables, stderr } = host;
  const width = outputWidth(variables, stderr);
  const isShown = outputs.some(({ path }) => path === undefined);
  const text = joinSections([
    isShown ? [] : overviewLines(apis, title, width, colors),
    ...(isShown ? [] : apis.map(({ name, report }) => {
      const lines = changeLines(report.comparison, width, colors, 0);
      return lines.length === 0 ? [] : [colors.bold(plainText(name)), ...lines];
    })),
    warningLines(messages.warnings, width, colors),
    outputs.flatMap(({ path }) =>
      path === undefined ? [] : wrapText(saidText(`Report: ${path}`), width)
    ),
    messages.unjudged === undefined ? [] : wrapText(
      saidText(`covtool merge checks the thresholds and conditions of ${messages.unjudged}.`),
      width,
    ),
    ...requirementLines(messages, width, colors),
  ]);
  await stderr.write(withoutCommands(messages.isWarned && text !== "" ? `\n${text}` : text));
}

/**
 * Writes what changed in several APIs since the last measurement of a session to standard error, with warnings and the
 * requirements that are not met.
 *
 * @param since The last reports, one for each API.
 */
export async function writeApisRound(
  apis: readonly WatchedApi[],
  since: readonly Report[],
  messages: RunMessages,
  colors: Ansis,
  host: Host,
): Promise<void> {
  const { variables, stderr } = host;
  const width = outputWidth(variables, stderr);
  const lines = [
    ...apis.flatMap(({ name, report, valueOf }) => {
      // An API that the config file has only now is compared with nothing.
      const last = since.find(({ title }) => title === report.title);
      return last === undefined ? [] : [
        colors.bold(plainText(name)),
        ...roundLines(report, last, width, colors, valueOf),
      ];
    }),
    ...warningLines(messages.warnings, width, colors),
    ...requirementLines(messages, width, colors).flat(),
  ];
  await stderr.write(withoutCommands(`\n${lines.join("\n")}\n`));
}
