import type { ApiMaps, ApiTie } from "../../coverage_map/api_maps.ts";
import { readFilePieces } from "../../files/files.ts";
import { recordBatches } from "../../record/record_batches.ts";
import type { FormatOptions } from "../../traffic/formats/recording.ts";
import type { PartResult, StreamedList } from "../../traffic/read/read_state.ts";
import { readAttachedFiles, readPart } from "../../traffic/read/stream_entries.ts";
import type { Separator } from "../../traffic/stream/item_boundary.ts";
import type { FoundRecording } from "../find_recordings.ts";
import type { Descriptions } from "../load_apis.ts";
import { countReads, type FileResult, type OnRead, readFileBatches } from "../recordings_reader.ts";

export interface FileJob {
  readonly kind: "file";
  readonly recording: FoundRecording;
  readonly options?: FormatOptions | undefined;
  readonly carry?: boolean | undefined;
}

export interface PartJob {
  readonly kind: "part";
  readonly path: string;
  /** The start and end of the part, in bytes from the beginning of the file. */
  readonly start: number;
  readonly end: number;
  readonly list: StreamedList;
  readonly separator: Separator;
}

/** A task for one thread, as data that can be posted to it. */
export type Job = FileJob | PartJob;

export type JobResult = FileResult | PartResult;

export type WorkerRequest =
  | { readonly kind: "jobs"; readonly jobs: readonly Job[]; readonly queue: SharedArrayBuffer }
  | { readonly kind: "export" };

export type WorkerResponse =
  /** All jobs of the thread are done; results with the jobs' numbers. */
  | { readonly kind: "done"; readonly results: readonly (readonly [number, JobResult])[] }
  /** The bytes of {@linkcode ApiMaps.exportHits}. */
  | { readonly kind: "hits"; readonly bytes: Uint8Array; readonly ties: readonly ApiTie[] }
  /** The thread can't go on; the reason as a sentence if unexpected, else undefined. */
  | { readonly kind: "failed"; readonly reason: string | undefined };

export interface WorkerData {
  readonly description: Descriptions;
  readonly thread: number;
}

/** Records a file or a part of one; returns undefined if the part doesn't begin and end between two items. */
export async function runJob(
  job: Job,
  map: ApiMaps,
  onRead: OnRead,
): Promise<JobResult | undefined> {
  if (job.kind === "file") {
    const { path } = job.recording;
    const pieces = countReads(readFilePieces(path), onRead);
    const { carry } = job;
    const batches = readFileBatches(
      job.recording,
      pieces,
      job.options,
      (line, location) => map.mergeHits(line, { location, carry }),
    );
    const recording = map.recording(path);
    const { result } = await recordBatches(map, batches, recording);
    recording.end();
    return result;
  }
  const { path, start, end, list, separator } = job;
  const pieces = countReads(readFilePieces(path, { start, end }), onRead);
  const batches = readPart(pieces, list, separator, readAttachedFiles(path));
  return (await recordBatches(map, batches, map.recording(path))).result;
}

const NEXT = 0;
const READ = 1;
const TAKEN = 2;
/** The unit of counted bytes, so that 32 bits are enough for terabytes. */
const UNIT = 1024;

/** Assigns jobs to threads, in shared memory: a thread that is ready takes the next job. */
export class JobQueue {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #jobs: number;

  constructor(memory: SharedArrayBuffer, jobs: number) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory);
    this.#jobs = jobs;
  }

  static create(jobs: number, threads: number): JobQueue {
    return new JobQueue(
      new SharedArrayBuffer((TAKEN + threads) * Int32Array.BYTES_PER_ELEMENT),
      jobs,
    );
  }

  take(thread: number): number | undefined {
    const job = Atomics.add(this.#numbers, NEXT, 1);
    if (job >= this.#jobs) return undefined;
    Atomics.add(this.#numbers, TAKEN + thread, 1);
    return job;
  }

  countTaken(thread: number): number {
    return Atomics.load(this.#numbers, TAKEN + thread);
  }

  stop(): void {
    Atomics.store(this.#numbers, NEXT, this.#jobs);
  }

  addRead(bytes: number): void {
    Atomics.add(this.#numbers, READ, Math.round(bytes / UNIT));
  }

  /** The approximate number of bytes read since the last call. */
  collectRead(): number {
    return Atomics.exchange(this.#numbers, READ, 0) * UNIT;
  }
}
