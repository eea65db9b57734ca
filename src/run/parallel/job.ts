import type { ApiTie } from "../../coverage_map/api_maps.ts";
import type { PartResult } from "../../traffic/read/streamed_list.ts";
import type { StreamedList } from "../../traffic/read/streamed_list.ts";
import type { FormatOptions } from "../../traffic/formats/recording_format.ts";
import type { Separator } from "../../traffic/stream/item_boundary.ts";
import type { FoundRecording } from "../find_recordings.ts";
import type { FileResult } from "../read_file_batches.ts";

/** Records all of a file. */
export interface FileJob {
  readonly kind: "file";
  readonly recording: FoundRecording;
  /** What formats are read with. */
  readonly options?: FormatOptions | undefined;
  /** Carries over hits of another description. */
  readonly carry?: boolean | undefined;
}

/** Records a part of a list. */
export interface PartJob {
  readonly kind: "part";
  readonly path: string;
  /** In bytes from the beginning of the file. */
  readonly start: number;
  /** In bytes from the beginning of the file. */
  readonly end: number;
  readonly list: StreamedList;
  readonly separator: Separator;
}

/** A piece of work for one thread; data that can be sent to it. */
export type Job = FileJob | PartJob;

/** The result of a job. */
export type JobResult = FileResult | PartResult;

/** A message to a worker. */
export type Order =
  | { readonly kind: "jobs"; readonly jobs: readonly Job[]; readonly queue: SharedArrayBuffer }
  | { readonly kind: "export" };

/** A message from a worker. */
export type Answer =
  /** Its jobs are done: their numbers, and what came of them. */
  | { readonly kind: "done"; readonly results: readonly (readonly [number, JobResult])[] }
  /** The bytes of {@linkcode CoverageMap.exportHits}. */
  | { readonly kind: "hits"; readonly bytes: Uint8Array; readonly ties?: readonly ApiTie[] }
  /** It cannot go on: a sentence where it is not to be expected, else undefined. */
  | { readonly kind: "failed"; readonly reason: string | undefined };
