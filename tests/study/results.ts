import { gunzipSync, gzipSync } from "node:zlib";
import type { Analysis } from "./analysis.ts";
import type { Measured } from "./measure.ts";
import type { PoolSuggestion, Source } from "./pool.ts";
import type { Suite } from "./suites.ts";

/** Ways to see a mutant in responses. */
export const SERIES = ["status", "answer", "description"] as const;
export type Series = (typeof SERIES)[number];
/** Makes a value for each way. */
export function ofSeries<T>(make: (series: Series) => T): Record<Series, T> {
  return Object.fromEntries(SERIES.map((series) => [series, make(series)])) as Record<Series, T>;
}
/** The ways for suites, which have their own assertions. */
export const SUITE_SERIES = [...SERIES, "assertions"] as const;
export type SuiteSeries = (typeof SUITE_SERIES)[number];

/** The study's result for a server. */
export interface ServerResult {
  readonly name: string;
  readonly seed: string;
  readonly node: string;
  readonly operations: number;
  /** Number of keywords in the description that count. */
  readonly keywords: number;
  readonly mutants: { readonly all: number; readonly reached: number };
  /** The mutants that were tried, with the units that detect them as bits in base64. */
  readonly tried: readonly ({
    readonly file: string;
    readonly line: number;
    readonly kind: string;
    readonly replacement: string;
  } & Readonly<Record<Series, string>>)[];
  readonly units: readonly {
    readonly source: Source;
    readonly suggestion?: PoolSuggestion;
    /** The operation of its first request. */
    readonly operation: string;
    readonly status: number;
    readonly size: number;
  }[];
  /** The units that covtool suggests since the study, in order. */
  readonly today: readonly number[];
  readonly suites: readonly (Omit<Suite, "units"> & {
    readonly measured: Measured;
    /** Number of mutants detected. */
    readonly detected: Readonly<Record<SuiteSeries, number>>;
    /** How often noticed parts tell a missed mutant from a detected one; null without pairs. */
    readonly foretold: number | null;
  })[];
}

export interface StudyResults {
  readonly covtool: string;
  readonly servers: readonly ServerResult[];
  /** Computed values, because bootstrap samples take minutes. */
  readonly analysis?: Analysis;
}

/** The raw results beside the code. */
export const RESULTS: URL = new URL("results.json.gz", import.meta.url);

export function readResults(path: URL = RESULTS): StudyResults {
  const results = readCompressed<StudyResults>(path);
  if (results === undefined) throw new Error(`There is no ${path}.`);
  return results;
}

/** The content of a file; undefined if it doesn't exist. */
export function readCompressed<T>(path: URL): T | undefined {
  try {
    return JSON.parse(gunzipSync(Deno.readFileSync(path)).toString());
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  }
}

export function writeCompressed(value: unknown, path: URL): void {
  Deno.mkdirSync(new URL(".", path), { recursive: true });
  Deno.writeFileSync(path, gzipSync(JSON.stringify(value), { level: 9 }));
}

export function packBits(numbers: Iterable<number>, size: number): string {
  const bytes = new Uint8Array(Math.ceil(size / 8));
  for (const number of numbers) bytes[number >> 3]! |= 1 << (number & 7);
  return bytes.toBase64();
}

export function unpackBits(bits: string): number[] {
  return [...Uint8Array.fromBase64(bits)].flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => byte >> bit & 1).map((bit) => index * 8 + bit)
  );
}
