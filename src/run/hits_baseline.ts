import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import type { BaseReport } from "../report/base_report.ts";
import { HITS_START } from "../values/hits_start.ts";
import { RecordingError } from "../values/errors.ts";
import { CommandError } from "./command_error.ts";
import { droppedSentences } from "./dropped_hits.ts";

/** A baseline that was read. */
export interface Baseline {
  readonly report: BaseReport;
  /** False if it does not list what its description had, so that additions are unknown. */
  readonly tellsAdditions: boolean;
  /** Sentences. */
  readonly warnings: readonly string[];
}

/** The description of a hits file, as far as the file describes it. */
interface HitsHead {
  readonly description?: {
    readonly location?: unknown;
    readonly title?: unknown;
    readonly version?: unknown;
  };
}

/** Most dropped things that are named: every run says them again. */
const MOST_DROPPED = 10;
const HEAD = new TextEncoder().encode(HITS_START);

/** True for the bytes of a hits file. */
export function isHits(bytes: Uint8Array): boolean {
  return HEAD.every((byte, index) => bytes[index] === byte);
}

/**
 * Reads a hits file as a baseline: its counts, in the present description. Those of another version of the description
 * are carried over.
 *
 * @param path The file, for errors.
 * @param map A new map of the present description.
 * @throws {RecordingError} if the hits are damaged.
 * @throws {CommandError} if they are of another API.
 */
export function hitsBaseline(bytes: Uint8Array, path: string, map: CoverageMap): Baseline {
  let tellsAdditions = true;
  let warnings: readonly string[] = [];
  try {
    map.mergeHits(bytes, { location: path });
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    tellsAdditions = false;
    const dropped = map.mergeHits(bytes, { location: path, carry: true });
    warnings = droppedSentences(dropped, MOST_DROPPED)
      .map((sentence) => `Baseline ${path}: ${sentence}`);
  }
  const report = map.report({ generatedAt: "" });
  const own = headOf(bytes);
  if (own.title !== report.schema.title && report.summary.operations.seen === 0) {
    throw new CommandError(
      `Cannot compare with ${path}: It has hits of "${own.title}" (${own.location}), of which "${report.schema.title}" (${report.schema.location}) has no operation. Choose a baseline of the same API.`,
    );
  }
  const { last_at } = report.traffic;
  return {
    report: {
      ...report,
      title: own.title,
      generated_at: last_at === null
        ? ""
        : `${new Date(last_at * 1000).toISOString().slice(0, 19)}Z`,
      schema: { ...report.schema, ...own },
    },
    tellsAdditions,
    warnings,
  };
}

function headOf(
  bytes: Uint8Array,
): { readonly location: string; readonly title: string; readonly version: string } {
  const end = bytes.indexOf(0x0a);
  const line = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  const { description } = JSON.parse(line) as HitsHead; // merged above
  const text = (value: unknown): string => typeof value === "string" ? value : "";
  return {
    location: text(description?.location),
    title: text(description?.title),
    version: text(description?.version),
  };
}
