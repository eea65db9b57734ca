import { ApiMaps } from "../../coverage_map/api_maps.ts";
import type { Descriptions, MeasuredMap } from "../load_apis.ts";
import type { PartResult } from "../../traffic/read/streamed_list.ts";
import type { FileResult } from "../read_file_batches.ts";
import { asPoolError, WorkerPoolError } from "./worker_pool_error.ts";
import { PoolWorker } from "./pool_worker.ts";
import type { OnRead } from "../recordings_reader.ts";
import { runJob } from "./run_job.ts";
import type { FileJob, Job, JobResult, PartJob } from "./job.ts";
import { JobQueue } from "./job_queue.ts";

/** The number of the main thread, which works too. */
const MAIN = 0;

/**
 * Several threads that record together: each has a map of its own, and those of the workers are added to the main
 * thread's in the end. Addition is all that recording does, so who records what cannot be seen.
 */
export class WorkerPool {
  readonly #workers: readonly PoolWorker[];
  /** Those that have recorded something. */
  readonly #active = new Set<PoolWorker>();

  /**
   * Starts the workers.
   *
   * @param threads How many work, the main thread included.
   */
  constructor(program: URL, description: Descriptions, threads: number) {
    const workers: PoolWorker[] = [];
    for (let thread = 1; thread < threads; thread++) {
      try {
        workers.push(new PoolWorker(program, description, thread));
      } catch {
        break; // the runtime has no workers, or allows none: the others do the work
      }
    }
    this.#workers = workers;
  }

  /**
   * Does jobs together.
   *
   * @param map The main thread's.
   * @returns What came of them, in their order.
   * @throws {WorkerPoolError} if one thread has to do it all from the beginning.
   */
  run(jobs: readonly FileJob[], map: MeasuredMap, onRead: OnRead): Promise<readonly FileResult[]>;
  run(jobs: readonly PartJob[], map: MeasuredMap, onRead: OnRead): Promise<readonly PartResult[]>;
  async run(jobs: readonly Job[], map: MeasuredMap, onRead: OnRead): Promise<readonly JobResult[]> {
    if (jobs.length === 0) return [];
    const queue = JobQueue.create(jobs.length, this.#workers.length + 1);
    const results: JobResult[] = [];
    const answers = this.#workers.filter((worker) => !worker.hasFailed).map((worker) => ({
      worker,
      answer: worker.ask({ kind: "jobs", jobs, queue: queue.memory })
        // Whether that matters is seen below.
        .catch(asPoolError),
    }));
    for (let number = queue.take(MAIN); number !== undefined; number = queue.take(MAIN)) {
      const job = jobs[number] as Job; // the queue has as many
      try {
        const result = await runJob(job, map, (bytes) => onRead(bytes + queue.takeRead()));
        if (result === undefined) throw new WorkerPoolError(undefined);
        results[number] = result;
      } catch (error) {
        queue.stop();
        throw asPoolError(error);
      }
    }
    for (const { worker, answer } of answers) {
      // A worker that did not start in time has nothing to say, and need not be waited for.
      if (queue.takenBy(worker.thread) === 0) continue;
      this.#active.add(worker);
      const heard = await answer;
      if (heard instanceof WorkerPoolError) throw heard;
      if (heard.kind !== "done") throw new WorkerPoolError("a worker gave no results");
      for (const [number, result] of heard.results) results[number] = result;
    }
    return results;
  }

  /**
   * Adds what the workers have recorded to the main thread's map.
   *
   * @throws {WorkerPoolError} if one thread has to do it all from the beginning.
   */
  async merge(map: MeasuredMap): Promise<void> {
    const answers = [...this.#active].map((worker) => worker.ask({ kind: "export" }));
    for (const answer of await Promise.all(answers)) {
      if (answer.kind !== "hits") throw new WorkerPoolError("a worker did not answer");
      try {
        map.mergeHits(answer.bytes);
        if (map instanceof ApiMaps) map.addTies(answer.ties ?? []);
      } catch (error) {
        throw asPoolError(error);
      }
    }
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }
}
