import { type MessagePort, Worker, workerData } from "node:worker_threads";
import type { ApiMaps, ApiTie } from "../../coverage_map/api_maps.ts";
import { readFilePieces } from "../../files/files.ts";
import { recordBatches } from "../../record/record_batches.ts";
import type { FormatOptions } from "../../traffic/formats/recording.ts";
import { filesBeside, readPart } from "../../traffic/read/stream_entries.ts";
import type { PartResult, StreamedList } from "../../traffic/read/read_state.ts";
import type { Separator } from "../../traffic/stream/item_boundary.ts";
import { RecordingError } from "../../values/errors.ts";
import type { FoundRecording } from "../find_recordings.ts";
import { type Descriptions, loadMaps } from "../load_apis.ts";
import { counted, type FileResult, type OnRead, readFileBatches } from "../recordings_reader.ts";

export interface FileJob {
  readonly kind: "file";
  readonly recording: FoundRecording;
  readonly options?: FormatOptions | undefined;
  readonly carry?: boolean | undefined;
}

export interface PartJob {
  readonly kind: "part";
  readonly path: string;
  /** In bytes from the beginning of the file. */
  readonly start: number;
  readonly end: number;
  readonly list: StreamedList;
  readonly separator: Separator;
}

/** A piece of work for one thread; data that can be sent to it. */
export type Job = FileJob | PartJob;

export type JobResult = FileResult | PartResult;

export type Order =
  | { readonly kind: "jobs"; readonly jobs: readonly Job[]; readonly queue: SharedArrayBuffer }
  | { readonly kind: "export" };

export type Answer =
  /** Its jobs are done: their numbers, and what came of them. */
  | { readonly kind: "done"; readonly results: readonly (readonly [number, JobResult])[] }
  /** The bytes of {@linkcode ApiMaps.exportHits}. */
  | { readonly kind: "hits"; readonly bytes: Uint8Array; readonly ties: readonly ApiTie[] }
  /** It cannot go on: a sentence where it is not to be expected, else undefined. */
  | { readonly kind: "failed"; readonly reason: string | undefined };

export interface WorkerData {
  readonly description: Descriptions;
  readonly thread: number;
}

/** Records a file or a part of one; undefined if the part does not begin and end between two items. */
export async function runJob(
  job: Job,
  map: ApiMaps,
  onRead: OnRead,
): Promise<JobResult | undefined> {
  if (job.kind === "file") {
    const { path } = job.recording;
    const pieces = counted(readFilePieces(path), onRead);
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
  const pieces = counted(readFilePieces(path, { start, end }), onRead);
  const batches = readPart(pieces, list, separator, filesBeside(path));
  return (await recordBatches(map, batches, map.recording(path))).result;
}

const NEXT = 0;
const READ = 1;
const TAKEN = 2;
/** Bytes are counted in units of this many, so that 32 bits are enough for terabytes. */
const UNIT = 1024;

/** Hands out jobs to threads, in shared memory: whoever is ready takes the next, so that none waits. */
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

  takenBy(thread: number): number {
    return Atomics.load(this.#numbers, TAKEN + thread);
  }

  stop(): void {
    Atomics.store(this.#numbers, NEXT, this.#jobs);
  }

  addRead(bytes: number): void {
    Atomics.add(this.#numbers, READ, Math.round(bytes / UNIT));
  }

  /** The approximate number of bytes read since the last call. */
  takeRead(): number {
    return Atomics.exchange(this.#numbers, READ, 0) * UNIT;
  }
}

/** Several threads could not record the traffic together; one can, from the beginning. */
export class WorkerPoolError extends Error {
  /** A warning for the user: sentences; undefined for none. */
  readonly warning: string | undefined;

  /** @param reason The unexpected problem; undefined for an expected one. */
  constructor(reason: string | undefined) {
    super(`The traffic has to be read in one thread${reason === undefined ? "" : `: ${reason}`}.`);
    this.name = "WorkerPoolError";
    this.warning = reason === undefined
      ? undefined
      : `Reading on several cores failed, so covtool used one (${reason}). To use one from the start, add --jobs 1.`;
  }
}

/** The reason for a {@linkcode WorkerPoolError}; undefined if a single thread would report the problem itself. */
export function failureReason(error: unknown): string | undefined {
  if (error instanceof RecordingError) return undefined;
  return error instanceof Error ? error.message : String(error);
}

export function asPoolError(error: unknown): WorkerPoolError {
  return error instanceof WorkerPoolError ? error : new WorkerPoolError(failureReason(error));
}

export class PoolWorker {
  readonly thread: number;
  readonly #worker: Worker;
  #failure: WorkerPoolError | undefined;
  /** Callbacks for answers, in the order of the requests. */
  readonly #waiting: ((answer: Answer | WorkerPoolError) => void)[] = [];

  /** Starts it, which takes a while: it loads the description itself. */
  constructor(program: URL, description: Descriptions, thread: number) {
    this.thread = thread;
    const workerData: WorkerData = { description, thread };
    this.#worker = new Worker(program, { workerData });
    this.#worker.on("message", (answer: Answer) => {
      if (answer.kind === "failed") this.#fail(answer.reason);
      else this.#waiting.shift()?.(answer);
    });
    this.#worker.on("error", (error: unknown) => {
      this.#fail(error instanceof Error ? error.message : String(error));
    });
    this.#worker.on("exit", () => this.#fail("a worker ended"));
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Sends an order and waits for the answer. */
  async ask(order: Order): Promise<Answer> {
    if (this.#failure !== undefined) throw this.#failure;
    const answer = new Promise<Answer | WorkerPoolError>((resolve) => {
      this.#waiting.push(resolve);
    });
    this.#worker.postMessage(order);
    const result = await answer;
    if (result instanceof WorkerPoolError) throw result;
    return result;
  }

  async close(): Promise<void> {
    this.#fail(undefined);
    await this.#worker.terminate();
  }

  #fail(reason: string | undefined): void {
    this.#failure ??= new WorkerPoolError(reason);
    for (const answer of this.#waiting.splice(0)) answer(this.#failure);
  }
}

/** Does what the main thread orders, one order after the other: takes jobs and records them, exports what it counted. */
export function serveJobs(port: MessagePort): void {
  const { description, thread } = workerData as WorkerData;
  const answer = (message: Answer): void => port.postMessage(message);
  const loading = loadMaps(description);
  let last: Promise<unknown> = loading;
  // The first job reports it.
  loading.catch(() => {});
  port.on("message", (order: Order) => {
    last = last.then(async () => answer(await obey(order, await loading, thread)))
      .catch((error: unknown) => answer({ kind: "failed", reason: failureReason(error) }));
  });
}

async function obey(order: Order, map: ApiMaps, thread: number): Promise<Answer> {
  if (order.kind === "export") {
    return { kind: "hits", bytes: map.exportHits(), ties: map.ties() };
  }
  const { jobs } = order;
  const queue = new JobQueue(order.queue, jobs.length);
  const results: (readonly [number, JobResult])[] = [];
  for (let number = queue.take(thread); number !== undefined; number = queue.take(thread)) {
    const job = jobs[number];
    const result = job && await runJob(job, map, (bytes) => queue.addRead(bytes));
    if (result === undefined) {
      queue.stop();
      return { kind: "failed", reason: undefined };
    }
    results.push([number, result]);
  }
  return { kind: "done", results };
}
