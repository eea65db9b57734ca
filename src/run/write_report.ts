import type { Report } from "../report/report.ts";
import {
  type ReportedApi,
  type Reporter,
  type ReporterInput,
  reporterOf,
} from "../report/reporters.ts";
import { jsonWithoutCommands, withoutCommands } from "../report/text/without_commands.ts";
import type { TextReportOptions } from "../report/text_report.ts";
import type { Host } from "./host.ts";
import type { Output } from "./outputs.ts";
import type { PublishOptions } from "./publish_options.ts";
import { isColored, outputWidth } from "./terminal.ts";
import { writeOutput } from "./write_output.ts";

/** Keeps build servers from acting on a chunk of a report. */
const SAFE: Readonly<Record<Reporter["log"], (chunk: string) => string>> = {
  lines: withoutCommands,
  json: jsonWithoutCommands,
  escaped: String,
};

/**
 * Writes one report to its file or to standard output.
 *
 * @param beforeWriting Checks what the report refers to, before there is a report.
 * @throws {CommandError} if it cannot be written.
 */
export async function writeReport(
  report: Report,
  { format, path }: Output,
  input: ReporterInput,
  options: PublishOptions,
  host: Host,
  beforeWriting: () => Promise<void>,
): Promise<void> {
  const { write, log } = reporterOf(format);
  const text = textLayout(path === undefined ? host.stdout : undefined, options, host);
  const chunks = write(report, {
    ...input,
    badge: options.badgeDimensions.flat(),
    tcl: options.tcl,
    text,
  });
  await beforeWriting();
  await writeChunks(chunks, path, log, host);
}

/**
 * Writes one report of several APIs to its file or to standard output.
 *
 * @param title The title of all together; undefined if none is given.
 * @param beforeWriting Checks what the report refers to, before there is a report.
 * @throws {CommandError} if it cannot be written.
 */
export async function writeApisReport(
  apis: readonly ReportedApi[],
  title: string | undefined,
  { format, path }: Output,
  options: PublishOptions,
  host: Host,
  beforeWriting: () => Promise<void>,
): Promise<void> {
  const { writeAll, log } = reporterOf(format);
  const text = textLayout(path === undefined ? host.stdout : undefined, options, host);
  const { tcl, badgeDimensions } = options;
  const chunks = writeAll(
    apis.map(({ name, report, input }) => ({
      name,
      report,
      input: { ...input, badge: badgeDimensions.flat(), tcl, text },
    })),
    title,
  );
  await beforeWriting();
  await writeChunks(chunks, path, log, host);
}

/**
 * Writes the chunks of a report to its file, or to standard output in a way that no build server acts on.
 *
 * @throws {CommandError} if they cannot be written.
 */
export async function writeChunks(
  chunks: Iterable<string>,
  path: string | undefined,
  log: Reporter["log"],
  host: Host,
): Promise<void> {
  if (path !== undefined) return await writeOutput(path, chunks);
  for (const chunk of chunks) await host.stdout.write(SAFE[log](chunk));
}

function textLayout(
  stream: Host["stdout"] | undefined,
  options: PublishOptions,
  host: Host,
): TextReportOptions {
  return {
    width: outputWidth(host.variables, stream),
    wrapPaths: stream?.isTerminal === true,
    colored: isColored(options.color, host.variables, stream),
    skipCovered: options.skipCovered,
    skipEmpty: options.skipEmpty,
    tcl: options.tcl,
    groupBy: options.groupBy,
    sort: options.sort,
    top: options.top,
    showMissing: options.showMissing.flat(),
  };
}
