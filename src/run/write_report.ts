import { DIMENSIONS } from "../map/results.ts";
import type { ReportedApi, TextReportOptions } from "../report/reported_api.ts";
import { findReporter, type Reporter } from "../report/reporters.ts";
import { jsonWithoutCommands, withoutCommands } from "../report/text/plain_text.ts";
import { type Host, isColored, outputWidth } from "./host.ts";
import { type Output, writeOutput } from "./outputs.ts";
import type { PublishOptions } from "./publish_options.ts";

/** Keeps build servers from acting on a chunk of a report. */
const SAFE: Readonly<Record<Reporter["log"], (chunk: string) => string>> = {
  lines: withoutCommands,
  json: jsonWithoutCommands,
  escaped: String,
};

/** Writes one report to its file or to standard output. */
export async function writeReport(
  apis: readonly ReportedApi[],
  title: string | undefined,
  { format, path }: Output,
  options: PublishOptions,
  host: Host,
  beforeWriting: () => Promise<void>,
): Promise<void> {
  const { write, log } = findReporter(format);
  const text = textLayout(path === undefined ? host.stdout : undefined, options, host);
  const { tcl, badgeDimensions } = options;
  const chunks = write(
    apis.map((api) => ({
      ...api,
      input: { ...api.input, badge: badgeDimensions.flat(), tcl, text },
    })),
    title,
  );
  await beforeWriting();
  await writeChunks(chunks, path, log, host);
}

/** Writes the chunks of a report to its file, or to standard output in a way that no build server acts on. */
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
  const gaps = new Set(options.gap);
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
    showMissing: gaps.size > 0 && options.showMissing.length === 0
      ? DIMENSIONS
      : options.showMissing.flat(),
    gaps: gaps.size > 0 ? gaps : undefined,
  };
}
