import { gunzipSync } from "node:zlib";
import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import { decodeText, readFile } from "../files/files.ts";
import { hitsOfApi } from "../coverage_map/hits_of_api.ts";
import { readBaseReport } from "../report/base_report.ts";
import type { Comparison } from "../report/comparison/comparison.ts";
import type { Report } from "../report/report.ts";
import { apisBaseline, baselineOf, type BaselineSubject, emptyBaseline } from "./apis_baseline.ts";
import { unreadableBaseline } from "./check_baseline.ts";
import { CommandError } from "./command_error.ts";
import { type Baseline, hitsBaseline, isHits } from "./hits_baseline.ts";
import { apiName } from "./load_apis.ts";

/** Most bytes of a packed baseline, unpacked. */
const MOST_UNPACKED = 2 ** 30;
/** `{`. */
const OPEN_OBJECT = 0x7b;

/**
 * Reads the JSON report or the hits file to compare with, packed with gzip or not.
 *
 * @param path Its file; undefined for none.
 * @param subject The API that is compared.
 * @param load Loads the present description.
 * @throws {CommandError} if it cannot be read, is of another API, or isn't of covtool.
 * @throws {RecordingError} if it is a hits file that is damaged.
 * @throws {DescriptionError} if it is a hits file, and the description cannot be loaded.
 */
export async function readBaseline(
  path: string | undefined,
  subject: ComparedApi,
  load: () => Promise<CoverageMap>,
): Promise<Baseline | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readBytes(path);
  if (isHits(bytes)) return await readHits(bytes, path, subject, load);
  try {
    const value: unknown = JSON.parse(decodeText(bytes));
    const apis = apisBaseline(value);
    const report = apis === undefined ? readBaseReport(value) : baselineOf(apis, subject);
    if (report !== undefined) return { report, tellsAdditions: true, warnings: [] };
    if (subject.source !== undefined) return emptyBaseline(subject);
    const names = (apis ?? []).map(({ title }) => `"${title}"`).join(", ");
    throw complaint(
      path,
      `It is a report on several APIs (${names}), and none of them has the description ${subject.schema}. Choose a report on the same API.`,
    );
  } catch (error) {
    if (error instanceof SyntaxError) {
      const isCut = bytes[0] === OPEN_OBJECT;
      throw complaint(
        path,
        isCut
          ? "The JSON is broken or cut off. Copy the whole file again, or create it with --format json."
          : "It isn't JSON. Create it with --format json.",
        error,
      );
    }
    throw error instanceof TypeError ? complaint(path, error.message, error) : error;
  }
}

/** An API to compare with a baseline. */
export interface ComparedApi extends BaselineSubject {
  /** Its name among several; undefined for the title of its description. */
  readonly name?: string | undefined;
  /** The line where it is set among several; undefined for an API that is measured alone. */
  readonly source?: string | undefined;
}

async function readHits(
  bytes: Uint8Array,
  path: string,
  subject: ComparedApi,
  load: () => Promise<CoverageMap>,
): Promise<Baseline> {
  const map = await load();
  const own = hitsOfApi(bytes, apiName({ name: subject.name }, map));
  if (own !== undefined) return hitsBaseline(own, path, map);
  if (subject.source !== undefined) return emptyBaseline(subject);
  throw complaint(path, `It has hits of several APIs, and none of ${subject.schema}.`);
}

/** The bytes of a file, unpacked if it is gzip. */
async function readBytes(path: string): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw unreadableBaseline(path, error);
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch (error) {
    throw complaint(
      path,
      error instanceof RangeError
        ? "It unpacks to more than 1 GB."
        : "The gzip data is broken. Copy the whole file again.",
      error,
    );
  }
}

/**
 * Sentences about a baseline that has no operation in common with the report.
 *
 * @param path The file of the baseline.
 * @returns undefined if it has any, or one of the two has none at all.
 * @throws {CommandError} if it is of another API by its title too.
 */
export function foreignBaseline(
  { schema, operations, comparison }: Report,
  path: string,
): string | undefined {
  if (comparison === undefined || operations.length === 0) return undefined;
  const isOperation = ({ kind }: Comparison["added"][number]): boolean => kind === "operation";
  if (!comparison.removed.some(isOperation)) return undefined;
  if (comparison.added.filter(isOperation).length < operations.length) return undefined;
  const { title, location } = comparison.baseline.schema;
  if (title !== schema.title) {
    throw complaint(
      path,
      `It is a report on "${title}" (${location}), which has no operation in common with "${schema.title}" (${schema.location}). Choose a report on the same API.`,
    );
  }
  return `The baseline ${path} has no operation in common with ${schema.location}, so all of them count as added. If its paths have changed, make a new baseline.`;
}

function complaint(path: string, sentence: string, cause?: unknown): CommandError {
  return new CommandError(`Cannot compare with ${path}: ${sentence}`, cause);
}
