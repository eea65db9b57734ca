import { gunzipSync } from "node:zlib";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { decodeText, readFile } from "../files/files.ts";
import { type ApiTest, describeHits, pickApiLines } from "../coverage_map/api_maps.ts";
import { type BaseReport, readBaseReport } from "../report/base_report.ts";
import { isoTime } from "../report/wording/amounts.ts";
import { compareReports } from "../report/comparison/compare_reports.ts";
import type { Comparison } from "../report/comparison/comparison.ts";
import type { Report } from "../report/report.ts";
import { CommandError } from "./command_error.ts";
import { basename } from "node:path";
import { HITS_START } from "../values/version.ts";
import { RecordingError } from "../values/errors.ts";
import { droppedSentences } from "./dropped_hits.ts";
import { type ReportOptions, unreadableBaseline } from "./publish_options.ts";

interface Baseline {
  readonly report: BaseReport;
  /** False if the baseline doesn't list all that its description had, so that additions are unknown. */
  readonly isComplete: boolean;
  readonly warnings: readonly string[];
}

export interface ComparedBaseline extends Baseline {
  /** Returns the report with the changes since the baseline; throws if they have no operation in common. */
  compare(report: Report): Report;
}

/** Reads a baseline: a JSON report or a hits file, compressed with gzip or not. */
export async function readBaseline(
  path: string,
  subject: ComparedApi,
  load: () => Promise<MeasuredApi>,
): Promise<ComparedBaseline> {
  const baseline = await parseBaseline(path, subject, load);
  return {
    ...baseline,
    compare(report) {
      const compared = { ...report, comparison: compareReports(report, baseline.report) };
      refuseForeignBaseline(compared, path);
      return compared;
    },
  };
}

/** The most dropped things that are named; few, since every run repeats them. */
const MAX_DROPPED = 10;
const HITS_HEAD = new TextEncoder().encode(HITS_START);

/** Reads a hits file as a baseline; counts of another version of the description are carried over. */
function hitsBaseline(bytes: Uint8Array, path: string, map: MeasuredApi): Baseline {
  let isComplete = true;
  let warnings: readonly string[] = [];
  let hasDropped = false;
  try {
    map.mergeHits(bytes, { location: path });
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    isComplete = false;
    const dropped = map.mergeHits(bytes, { location: path, carry: true, keepsFindings: true });
    hasDropped = dropped.length > 0;
    warnings = droppedSentences(dropped, MAX_DROPPED)
      .map((sentence) => `Baseline ${path}: ${sentence}`);
  }
  const report = map.report({ generatedAt: "" });
  const { location, title, version } = describeHits(bytes);
  // If all hits were dropped, they belong to other operations, whatever the title is.
  const isForeign = hasDropped || title !== report.schema.title;
  if (isForeign && report.operations.every(({ hits }) => hits === 0)) {
    throw new CommandError(
      `Cannot compare with ${path}: It has hits of "${title}" (${location}), of which "${report.schema.title}" (${report.schema.location}) has no operation. Choose a baseline of the same API; if all paths of the API have changed, make a new one.`,
    );
  }
  const { last_at: at } = report.traffic;
  return {
    report: {
      ...report,
      title,
      generated_at: at === null ? "" : isoTime(at),
      schema: { ...report.schema, location, title, version },
    },
    isComplete,
    warnings,
  };
}

/** The maximum size of an uncompressed baseline, in bytes. */
const MAX_UNPACKED = 2 ** 30;
/** The byte of `{`. */
const OPEN_OBJECT = 0x7b;

async function parseBaseline(
  path: string,
  subject: ComparedApi,
  load: () => Promise<MeasuredApi>,
): Promise<Baseline> {
  const bytes = await readBytes(path);
  if (HITS_HEAD.every((byte, index) => bytes[index] === byte)) {
    return await readHits(bytes, path, subject, load);
  }
  try {
    const value: unknown = JSON.parse(decodeText(bytes));
    const apis = readApiReports(value);
    const report = apis === undefined ? readBaseReport(value) : findApiReport(apis, subject);
    if (report !== undefined) return { report, isComplete: true, warnings: [] };
    if (subject.source !== undefined) return emptyBaseline(subject);
    const names = (apis ?? []).map(({ title }) => `"${title}"`).join(", ");
    throw baselineError(
      path,
      `It is a report on several APIs (${names}), and none of them has the description ${subject.schema}. Choose a report on the same API.`,
    );
  } catch (error) {
    if (error instanceof SyntaxError) {
      const isCut = bytes[0] === OPEN_OBJECT;
      throw baselineError(
        path,
        isCut
          ? "The JSON is broken or cut off. Copy the whole file again, or create it with --format json."
          : "It isn't JSON. Create it with --format json.",
        error,
      );
    }
    throw error instanceof TypeError ? baselineError(path, error.message, error) : error;
  }
}

/** An API to find in a baseline: by its title, if it has its own, and by its description. */
type ComparedApi = Pick<ReportOptions, "name" | "schema" | "source"> & {
  readonly title?: string | undefined;
};

async function readHits(
  bytes: Uint8Array,
  path: string,
  subject: ComparedApi,
  load: () => Promise<MeasuredApi>,
): Promise<Baseline> {
  const map = await load();
  const isAlone = subject.source === undefined;
  const name = subject.name ?? map.title;
  const isNamed: ApiTest = ({ api }) => api === name;
  const isSame: ApiTest = ({ fingerprint }) => fingerprint === map.plan.fingerprint;
  const isTitled: ApiTest = ({ title }) => title === map.title;
  const apiHits = pickApiLines(bytes, isAlone ? [isNamed, isSame, isTitled] : [isNamed]);
  if (apiHits !== undefined) return hitsBaseline(apiHits, path, map);
  if (!isAlone) return emptyBaseline(subject);
  throw baselineError(
    path,
    `It has hits of several APIs, and none of them alone has the description ${subject.schema}. Choose hits of the same API.`,
  );
}

async function readBytes(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((error) => {
    throw unreadableBaseline(path, error);
  });
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch (error) {
    throw baselineError(
      path,
      error instanceof RangeError
        ? "It unpacks to more than 1 GB."
        : "The gzip data is broken. Copy the whole file again.",
      error,
    );
  }
}

function refuseForeignBaseline({ schema, operations, comparison }: Report, path: string): void {
  const isOperation = ({ kind }: Comparison["added"][number]): boolean => kind === "operation";
  const counted = operations.filter(({ excluded }) => excluded === undefined).length;
  if (comparison === undefined || counted === 0) return;
  if (!comparison.removed.some(isOperation)) return;
  if (comparison.added.filter(isOperation).length < counted) return;
  const { title, location } = comparison.baseline.schema;
  throw baselineError(
    path,
    `It is a report on "${title}" (${location}), which has no operation in common with "${schema.title}" (${schema.location}). Choose a report on the same API; if all paths of the API have changed, make a new baseline.`,
  );
}

function baselineError(path: string, sentence: string, cause?: unknown): CommandError {
  return new CommandError(`Cannot compare with ${path}: ${sentence}`, cause);
}

/** Returns the reports in a JSON report of several APIs; undefined for a report of one API. */
function readApiReports(value: unknown): readonly BaseReport[] | undefined {
  const apis = typeof value === "object" && value !== null && "apis" in value
    ? value.apis
    : undefined;
  return Array.isArray(apis) ? apis.map(readBaseReport) : undefined;
}

/** Finds the report of an API among several: by its title, or by its description if it has no title of its own. */
function findApiReport(
  reports: readonly BaseReport[],
  { title, schema }: ComparedApi,
): BaseReport | undefined {
  if (title !== undefined) return reports.find((report) => report.title === title);
  const same = reports.find((report) => report.schema.location === schema);
  if (same !== undefined) return same;
  const alike = reports.filter(({ schema: { location } }) =>
    basename(location) === basename(schema)
  );
  return alike.length === 1 ? alike[0] : undefined;
}

/** Returns a baseline for an API that the earlier run didn't have: everything in it counts as added. */
function emptyBaseline({ title = "", schema }: ComparedApi): Baseline {
  const none = { seen: 0, total: 0, percent: null };
  const report: BaseReport = {
    format_version: 1,
    title,
    generated_at: "",
    schema: { location: schema, title, version: "", specification: "", base_path: null },
    summary: {
      // Not null: nothing was covered, so that no percentage can be lower now.
      operations: { ...none, percent: 0 },
      parameters: none,
      keywords: { partial: 0, full: 0, total: 0, percent: null },
      examples: none,
      responses: { ...none, measured: false },
    },
    operations: [],
    gaps: [],
  };
  return { report, isComplete: true, warnings: [] };
}
