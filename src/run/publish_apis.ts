import { Ansis } from "ansis";
import type { ApiMaps } from "../coverage_map/api_maps.ts";
import type { DroppedHits } from "../map/results.ts";
import type { Report } from "../report/report.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { thresholdLines } from "../report/threshold_lines.ts";
import type { OutputGuard } from "../files/output_guard.ts";
import type { Unmet } from "./exit_line.ts";
import type { FailedCondition } from "./fail_on.ts";
import type { Host } from "./host.ts";
import { type Judgement, type MadeReport, prepareReport } from "./make_report.ts";
import { withDropped } from "./dropped_hits.ts";
import { optionWarnings } from "./option_warnings.ts";
import type { Output } from "./outputs.ts";
import type { ApiPublishOptions, PublishOptions } from "./publish_options.ts";
import { shareExclusions } from "./share_exclusions.ts";
import { isColored } from "./terminal.ts";
import { unmetNames } from "./unmet_names.ts";
import { warnOfNoApiTraffic, writeApisRound, writeApisSummary } from "./write_apis_summary.ts";
import { writeApisReport } from "./write_report.ts";

/** A measurement of several APIs to report. */
export interface PublishedApis {
  readonly maps: ApiMaps;
  /** The hits of another description that could not be carried over. */
  readonly dropped?: readonly DroppedHits[] | undefined;
  /** Warnings about recordings: sentences. */
  readonly warnings: readonly string[];
  /** The warning to print if no request was recorded: sentences. */
  readonly nothingRecorded?: string | undefined;
  /** The last reports of a session, one for each API. */
  readonly since?: readonly Report[] | undefined;
  /** Leaves out warnings that were said before. */
  readonly newWarnings: (warnings: readonly string[]) => readonly string[];
  /** Is called with the reports. */
  readonly onReports?: ((reports: readonly Report[]) => void) | undefined;
}

/** The made report of one of several APIs. */
interface MadeApi extends MadeReport {
  readonly name: string;
}

/**
 * Checks everything about the reports of several APIs that can be checked before there is traffic.
 *
 * @param options Those of the whole run; each API has its own title, scope, thresholds and baseline.
 * @returns what writes the reports, and gives what is not met.
 * @throws {CommandError} if a baseline cannot be read, or a condition needs one.
 */
export async function preparePublishApis(
  outputs: readonly Output[],
  options: PublishOptions,
  apis: readonly ApiPublishOptions[],
  host: Host,
  guard: OutputGuard,
): Promise<(measured: PublishedApis) => Promise<Unmet>> {
  const makers = await Promise.all(apis.map((api) => prepareReport(api, host)));
  const { title } = options;
  return async ({ maps, warnings, dropped, nothingRecorded, ...session }) => {
    const { since, newWarnings, onReports } = session;
    let measured: readonly Report[] | undefined;
    const reports = () => measured ??= maps.apis.map(({ map }) => map.report({ generatedAt: "" }));
    const made = maps.apis.flatMap(({ name, map }, index): MadeApi[] => {
      const make = makers[index];
      if (make === undefined) return [];
      const lost = dropped?.filter(({ api }) => api === name);
      const report = make(map, (own) => withDropped(shareExclusions(own, reports), lost));
      const inputFor = (output: Output) => ({
        ...report.inputFor(output),
        hits: () => map.exportHits(name),
      });
      return [{ ...report, name, inputFor }];
    });
    const { variables, stderr } = host;
    const colors = new Ansis(isColored(options.color, variables, stderr) ? 1 : 0);
    const isWarned = await warnOfNoApiTraffic(made, nothingRecorded, colors, host);
    onReports?.(made.map(({ report }) => report));
    for (const output of outputs) {
      if (since !== undefined && output.path === undefined && host.stdout.isTerminal) continue;
      const reported = made.map(({ name, report, inputFor }) => ({
        name,
        report,
        input: inputFor(output),
      }));
      await writeApisReport(reported, title, output, options, host, async () => {
        for (const { lines } of made) await lines.checkCopies(guard);
      });
    }
    for (const { lines } of made) await lines.writeCopies(guard);
    const judged = made.map(({ name, lines, judge }) => ({ name, lines, judgement: judge() }));
    const noticed = [
      ...warnings,
      ...tieSentences(maps),
      ...judged.flatMap(({ name, judgement }) => named(name, judgement.warnings)),
      ...optionWarnings(options, outputs),
      ...new Set(judged.flatMap(({ lines }) => lines.warnings)),
    ];
    const messages = {
      warnings: newWarnings(noticed),
      missed: judged.flatMap(({ name, judgement }) =>
        named(name, thresholdLines(judgement.shortfalls))
      ),
      failed: failedConditions(judged),
      isWarned,
      unjudged: apis.find(({ unjudged }) => unjudged !== undefined)?.unjudged,
    };
    if (since === undefined) await writeApisSummary(made, title, outputs, messages, colors, host);
    else await writeApisRound(made, since, messages, colors, host);
    return judged.flatMap(({ name, judgement }) =>
      unmetNames(judgement).map((unmet) => `${unmet} in ${name}`)
    );
  };
}

/** How many operations that two APIs share are named. */
const MOST_TIES = 3;

function tieSentences(maps: ApiMaps): string[] {
  const ties = maps.ties();
  const rest = ties.length - MOST_TIES;
  return [
    ...ties.slice(0, MOST_TIES).map(({ name, other, operation, requests }) =>
      `${operation} is in ${name} and in ${other}, and nothing tells them apart: ${
        formatAmount(requests, "request")
      } ${requests === 1 ? "counts" : "count"} for ${name}. Set hosts or basePath.`
    ),
    ...(rest > 0 ? [`So it is with ${formatAmount(rest, "more operation")}.`] : []),
  ];
}

function named(name: string, sentences: readonly string[]): string[] {
  return sentences.map((sentence) => `${name}: ${sentence}`);
}

/** Each condition once, with the reasons of every API that it fails. */
function failedConditions(
  judged: readonly { readonly name: string; readonly judgement: Judgement }[],
): FailedCondition[] {
  const reasons = new Map<string, string[]>();
  for (const { name, judgement } of judged) {
    for (const failed of judgement.failed) {
      const list = reasons.get(failed.condition) ?? [];
      reasons.set(failed.condition, [...list, ...named(name, failed.reasons)]);
    }
  }
  return [...reasons].map(([condition, reasons]) => ({ condition, reasons }));
}
