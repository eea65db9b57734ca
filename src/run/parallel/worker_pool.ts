import type { ApiMaps } from "../../coverage_map/api_maps.ts";
import { readFilePieces } from "../../files/files.ts";
import type { FormatOptions } from "../../traffic/formats/recording.ts";
import type { ListPlace, PartResult, ReadParts } from "../../traffic/read/read_state.ts";
import { concatBytes } from "../../values/collections.ts";
import { findCuts } from "../../traffic/stream/item_boundary.ts";
import type { Description, Descriptions } from "../load_apis.ts";
import {
  countReads,
  type FileResult,
  type OnRead,
  type ParallelReader,
  type Shares,
} from "../recordings_reader.ts";
import { type FileJob, type Job, JobQueue, type JobResult, type PartJob, runJob } from "./job.ts";
import { asPoolError, PoolWorker, WorkerPoolError } from "./pool_worker.ts";

/** The number of the main thread, which records, too. */
const MAIN = 0;

/** Threads that record together, each into its own map; at the end, all hits are merged into the main thread's map. */
export class WorkerPool {
  readonly #workers: readonly PoolWorker[];
  readonly #active = new Set<PoolWorker>();

  constructor(program: URL, descriptions: Descriptions, threads: number) {
    const { show, values, apis } = descriptions;
    const description = { ...forWorker(descriptions), show, values, apis: apis?.map(forWorker) };
    const workers: PoolWorker[] = [];
    for (let thread = 1; thread < threads; thread++) {
      try {
        workers.push(new PoolWorker(program, description, thread));
      } catch {
        break; // the runtime has no workers, or allows no more: the other threads do the work
      }
    }
    this.#workers = workers;
  }

  run(jobs: readonly FileJob[], map: ApiMaps, onRead: OnRead): Promise<readonly FileResult[]>;
  run(jobs: readonly PartJob[], map: ApiMaps, onRead: OnRead): Promise<readonly PartResult[]>;
  async run(jobs: readonly Job[], map: ApiMaps, onRead: OnRead): Promise<readonly JobResult[]> {
    if (jobs.length === 0) return [];
    const queue = JobQueue.create(jobs.length, this.#workers.length + 1);
    const results: JobResult[] = [];
    const answers = this.#workers.filter((worker) => !worker.hasFailed).map((worker) => ({
      worker,
      answer: worker.send({ kind: "jobs", jobs, queue: queue.memory })
        // Ignored below if the worker took no jobs.
        .catch(asPoolError),
    }));
    for (let number = queue.take(MAIN); number !== undefined; number = queue.take(MAIN)) {
      const job = jobs[number] as Job; // the queue was created with the number of jobs
      try {
        const result = await runJob(job, map, (bytes) => onRead(bytes + queue.collectRead()));
        if (result === undefined) throw new WorkerPoolError(undefined);
        results[number] = result;
      } catch (error) {
        queue.stop();
        throw asPoolError(error);
      }
    }
    for (const { worker, answer } of answers) {
      // Don't wait for a worker that took no jobs because it started too late.
      if (queue.countTaken(worker.thread) === 0) continue;
      this.#active.add(worker);
      const response = await answer;
      if (response instanceof WorkerPoolError) throw response;
      if (response.kind !== "done") throw new WorkerPoolError("a worker gave no results");
      for (const [number, result] of response.results) results[number] = result;
    }
    return results;
  }

  async merge(map: ApiMaps): Promise<void> {
    const answers = [...this.#active].map((worker) => worker.send({ kind: "export" }));
    for (const answer of await Promise.all(answers)) {
      if (answer.kind !== "hits") throw new WorkerPoolError("a worker did not answer");
      try {
        map.mergeHits(answer.bytes);
        map.addTies(answer.ties);
      } catch (error) {
        throw asPoolError(error);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }
}

export function readWithPool(
  pool: WorkerPool,
  map: ApiMaps,
  { whole, split, partBytes }: Shares,
  options: FormatOptions,
  carry: boolean | undefined,
): ParallelReader {
  /** Divides a list in a file into parts and records them; returns undefined if the list is too short. */
  async function readParts(
    path: string,
    size: number,
    { list, separator, offset }: ListPlace,
    onRead: OnRead,
  ): Promise<ReadParts | undefined> {
    const readAt = async (start: number, length: number) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of readFilePieces(path, { start, end: start + length })) {
        pieces.push(piece);
      }
      return concatBytes(pieces);
    };
    const cuts = await findCuts(readAt, offset, size, partBytes, separator);
    const end = cuts.at(-1);
    if (cuts.length < 3 || end === undefined) return undefined;
    const jobs = cuts.slice(1).map((end, index): PartJob => {
      const start = cuts[index] ?? offset;
      return { kind: "part", path, start, end, list, separator };
    });
    const results = await pool.run(jobs, map, onRead);
    return { results, end, rest: countReads(readFilePieces(path, { start: end }), onRead) };
  }

  return {
    files: async (onRead) => {
      const jobs = whole.map((recording): FileJob => ({ kind: "file", recording, options, carry }));
      const results = await pool.run(jobs, map, onRead);
      return new Map(jobs.map(({ recording }, index) => {
        const result = results[index];
        if (result === undefined) throw new TypeError(`No thread read ${recording.path}.`);
        return [recording, result];
      }));
    },
    parts: (recording, onRead) => {
      const size = split.get(recording);
      if (size === undefined) return undefined;
      return { read: (place) => readParts(recording.path, size, place, onRead) };
    },
    merge: () => pool.merge(map),
  };
}

/** Returns the part of a description that workers need; recording doesn't depend on exclusions. */
function forWorker(description: Description): Description {
  const { name, source, schema, basePath, hosts, overlay, identities } = description;
  const { allowRemoteRefs, allowRefsOutside } = description;
  const own = { name, source, schema, basePath, hosts, overlay, identities };
  return { ...own, allowRemoteRefs, allowRefsOutside };
}
