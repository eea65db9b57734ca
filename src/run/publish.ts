import type { ApiMaps } from "../coverage_map/api_maps.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { type DroppedHits, GAP_KIND_NAMES } from "../map/results.ts";
import type { Report } from "../report/report.ts";
import type { ReportedApi, TextReportOptions } from "../report/reported_api.ts";
import {
  DEFAULT_FORMAT,
  findReporter,
  formatList,
  formatsByExtension,
  type Reporter,
  REPORTERS,
} from "../report/reporters.ts";
import { append, getOrAdd, rechunk } from "../values/collections.ts";
import { jsonWithoutCommands, withoutCommands } from "../report/text/plain_text.ts";
import { formatAmount, sentenceList } from "../report/wording/amounts.ts";
import { MEASURE_NAMES, thresholdLines } from "../report/wording/verdict_text.ts";
import { addDropped } from "./dropped_hits.ts";
import { usageError } from "./command_error.ts";
import type { FailedCondition } from "./fail_on.ts";
import type { Failures } from "./exit_code.ts";
import { type Host, layoutFor, type TextLayout } from "./host.ts";
import { type Judgement, type MakeReport, prepareReport, type ReportData } from "./make_report.ts";
import type { Measurement } from "./measure.ts";
import { flagName } from "./options/option.ts";
import { guardedReports, type Output, writeOutput } from "./outputs.ts";
import type { PublishOptions } from "./publish_options.ts";
import { warnNothingCounted, writeSummary, writeWatchRound } from "./write_summary.ts";

export interface PublishedMeasurement extends Measurement {
  /** The warning to print if no request was recorded, as sentences. */
  readonly nothingRecorded?: string | undefined;
  /** The previous reports of a watch session; if present, standard error shows the changes since. */
  readonly earlier?: readonly Report[] | undefined;
  /** The warnings of the session's previous report, which aren't repeated; updated with each report. */
  readonly printed?: Set<string> | undefined;
  readonly onReports?: ((reports: readonly Report[]) => void) | undefined;
}

/** Writes the reports, and a summary on standard error. */
export type Publish = (measured: PublishedMeasurement) => Promise<Failures>;

interface PreparedApi extends ReportData {
  /** Undefined for an API that is measured alone. */
  readonly name: string | undefined;
}

/** Checks everything about reports that can be checked before there is traffic; returns the function to write them. */
export async function preparePublish(
  outputs: readonly Output[],
  options: PublishOptions,
  inputs: readonly (string | undefined)[],
  host: Host,
  guard: OutputGuard = new OutputGuard(guardedReports(outputs)),
): Promise<Publish> {
  const { apis = [options], title } = options;
  const single = outputs.find(({ format }) => findReporter(format).isOfOneApi === true);
  if (single !== undefined && apis.length > 1) {
    throw usageError(
      `The format ${single.format} is about one API, and there are ${apis.length}. Name a description on the command line to measure it alone.`,
    );
  }
  await guard.check([
    options.schema,
    options.config,
    ...inputs,
    ...apis.flatMap(({ schema, baseline }) => [schema, baseline]),
  ]);
  const makers = await Promise.all(apis.map((api) => prepareReport(api, host)));
  return async ({ map, warnings, recordings = [], dropped, nothingRecorded, ...session }) => {
    const { earlier, printed, onReports } = session;
    await guard.check([...map.documentUrls(), ...recordings]);
    const prepared = makeReports(map, makers, dropped);
    const layout = layoutFor(host, options.color);
    const inFiles = layoutFor(host, options.color, null);
    const onScreen = {
      ...layoutFor(host, options.color, host.stdout),
      wrapPaths: host.stdout.isTerminal,
    };
    const isOnScreen = ({ path }: Output) => path === undefined && host.stdout.isTerminal;
    // A text report on the terminal shows this warning itself.
    const isShown = earlier === undefined &&
      outputs.some((output) => output.format === "text" && isOnScreen(output));
    const isWarned = await warnNothingCounted(prepared, nothingRecorded, isShown, layout, host);
    onReports?.(prepared.map(({ report }) => report));
    for (const output of outputs) {
      if (earlier !== undefined && isOnScreen(output)) continue;
      const reported = await Promise.all(
        prepared.map(async ({ name, report, inputFor }) => ({
          name,
          report,
          input: await inputFor(output),
        })),
      );
      const text = textOptions(options, output.path === undefined ? onScreen : inFiles);
      await writeReport(reported, title, output, { ...options, text }, host, async () => {
        for (const { lines } of prepared) await lines.checkCopies(guard);
      });
    }
    for (const { lines } of prepared) await lines.writeCopies(guard);
    const allWarnings = [
      ...warnings,
      ...tieSentences(map),
      ...prepared.flatMap(({ name, judgement }) => prefixName(name, judgement.warnings)),
      ...misnamedWarnings(options),
      ...unusedWarnings(options, outputs),
      ...new Set(prepared.flatMap(({ lines }) => lines.warnings)),
    ];
    const messages = {
      warnings: newWarnings(allWarnings, printed),
      missedThresholds: prepared.flatMap(({ name, judgement }) =>
        prefixName(name, thresholdLines(judgement.shortfalls))
      ),
      failedConditions: failedConditions(prepared),
      isWarned,
      unjudged: apis.find(({ unjudged }) => unjudged !== undefined)?.unjudged,
    };
    if (earlier === undefined) await writeSummary(prepared, title, outputs, messages, layout, host);
    else await writeWatchRound(prepared, earlier, messages, layout, host);
    return prepared.flatMap(({ name, judgement }) =>
      failedRequirements(judgement).map((unmet) =>
        name === undefined ? unmet : `${unmet} in ${name}`
      )
    );
  };
}

/** Functions that keep build servers from acting on commands in a chunk of a report. */
const CHUNK_FILTERS: Readonly<Record<Reporter["log"], (chunk: string) => string>> = {
  lines: withoutCommands,
  json: jsonWithoutCommands,
  escaped: String,
};

async function writeReport(
  apis: readonly ReportedApi[],
  title: string | undefined,
  { format, path }: Output,
  { tcl, badgeDimensions, text }: PublishOptions & { readonly text: TextReportOptions },
  host: Host,
  beforeWriting: () => Promise<void>,
): Promise<void> {
  const { write, log } = findReporter(format);
  const options = { badge: badgeDimensions.flat(), tcl, text };
  const pieces = write(apis.map((api) => ({ ...api, input: { ...api.input, ...options } })), title);
  await beforeWriting();
  await writePieces(pieces, path, log, host);
}

/** Writes a report to its file, or to standard output without commands for build servers. */
export async function writePieces(
  pieces: Iterable<string>,
  path: string | undefined,
  log: Reporter["log"],
  host: Host,
): Promise<void> {
  if (path !== undefined) return await writeOutput(path, pieces);
  for (const chunk of rechunk(pieces)) await host.stdout.write(CHUNK_FILTERS[log](chunk));
}

function textOptions(
  { skipCovered, skipEmpty, tcl, groupBy, sort, top, showMissing, gap }: PublishOptions,
  { width, colored, wrapPaths = false }: TextLayout & { readonly wrapPaths?: boolean },
): TextReportOptions {
  const gaps = gap === undefined || gap.length === 0 ? undefined : new Set(gap);
  const missing = gaps !== undefined && showMissing.length === 0
    ? GAP_KIND_NAMES
    : showMissing.flat();
  const arranged = { skipCovered, skipEmpty, tcl, groupBy, sort, top, showMissing: missing, gaps };
  return { width, wrapPaths, colored, ...arranged };
}

function makeReports(
  { apis }: ApiMaps,
  makers: readonly MakeReport[],
  dropped: readonly DroppedHits[] | undefined,
): PreparedApi[] {
  const copied = new Map<string, string>();
  return apis.flatMap(({ name, map }, index): PreparedApi[] => {
    const make = makers[index];
    if (make === undefined) return [];
    const others = apis.map(({ map }) => map).toSpliced(index, 1);
    const droppedHere = dropped?.filter(({ api }) => api === name);
    const adjust = (own: Report) => addDropped(own, droppedHere);
    const report = make(map, others, adjust, copied);
    const inputFor = async (output: Output) => ({
      ...await report.inputFor(output),
      hits: () => map.exportHits(name),
    });
    return [{ ...report, name, inputFor }];
  });
}

const MAX_TIES = 3;

function tieSentences(maps: ApiMaps): string[] {
  const ties = maps.ties();
  const rest = ties.length - MAX_TIES;
  return [
    ...ties.slice(0, MAX_TIES).map(({ name, other, operation, requests }) =>
      `${operation} is in ${name} and in ${other}, and nothing tells them apart: ${
        formatAmount(requests, "request")
      } ${requests === 1 ? "counts" : "count"} for ${name}. Set hosts or basePath.`
    ),
    ...(rest > 0 ? [`So it is with ${formatAmount(rest, "more operation")}.`] : []),
  ];
}

function prefixName(name: string | undefined, sentences: readonly string[]): readonly string[] {
  return name === undefined ? sentences : sentences.map((sentence) => `${name}: ${sentence}`);
}

function failedConditions(prepared: readonly PreparedApi[]): FailedCondition[] {
  const reasons = new Map<string, string[]>();
  for (const { name, judgement } of prepared) {
    for (const failed of judgement.failed) {
      append(getOrAdd(reasons, failed.condition, () => []), prefixName(name, failed.reasons));
    }
  }
  return [...reasons].map(([condition, reasons]) => ({ condition, reasons }));
}

function failedRequirements({ shortfalls, failed }: Judgement): Failures {
  const names = sentenceList(shortfalls.map(({ dimension }) => MEASURE_NAMES[dimension]));
  const thresholds = shortfalls.length === 1 ? "threshold" : "thresholds";
  return [
    ...(shortfalls.length === 0 ? [] : [`${thresholds} of ${names}`]),
    ...failed.map(({ condition }) => condition),
  ];
}

/** Returns the warnings that weren't in the previous report, and remembers those of this one in `printed`. */
function newWarnings(warnings: readonly string[], printed: Set<string> | undefined): string[] {
  const fresh = warnings.filter((warning) => printed?.has(warning) !== true);
  printed?.clear();
  for (const warning of warnings) printed?.add(warning);
  return fresh;
}

/** Returns a warning if `-o` has the extension of another format: `-o report.json` alone writes HTML. */
function misnamedWarnings({ formats, output }: PublishOptions): string[] {
  const implied = formatsByExtension(/\.(\w+)$/.exec(output ?? "")?.[1] ?? "");
  if (formats.length > 0 || implied.length === 0 || implied.includes(DEFAULT_FORMAT)) return [];
  const names = implied.join(" or ");
  const added = implied.map((format) => `--format ${format}`).join(" or ");
  return [`${output} contains HTML. For ${names} add ${added}.`];
}

function unusedWarnings(given: PublishOptions, outputs: readonly Output[]): string[] {
  const options = new Set(REPORTERS.flatMap(({ options = [] }) => options));
  return [...options].filter((option) => isGiven(given[option])).flatMap((option) => {
    const readers = REPORTERS.filter(({ options }) => options?.includes(option))
      .map(({ name }) => name);
    if (outputs.some(({ format }) => readers.includes(format))) return [];
    return [`${flagName(option)} is ignored without --format ${formatList(readers)}.`];
  });
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
