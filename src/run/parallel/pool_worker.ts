import { type MessagePort, Worker, workerData } from "node:worker_threads";
import type { ApiMaps } from "../../coverage_map/api_maps.ts";
import { RecordingError } from "../../values/errors.ts";
import { type Descriptions, loadMaps } from "../load_apis.ts";
import {
  JobQueue,
  type JobResult,
  runJob,
  type WorkerData,
  type WorkerRequest,
  type WorkerResponse,
} from "./job.ts";

/** Thrown if several threads can't record the traffic together, so that one thread has to start over. */
export class WorkerPoolError extends Error {
  /** A warning for the user, as sentences; undefined if the problem was expected. */
  readonly warning: string | undefined;

  /** @param reason The unexpected problem; undefined if it was expected. */
  constructor(reason: string | undefined) {
    super(`The traffic has to be read in one thread${reason === undefined ? "" : `: ${reason}`}.`);
    this.name = "WorkerPoolError";
    this.warning = reason === undefined
      ? undefined
      : `Reading on several cores failed, so covtool used one (${reason}). To use one from the start, add --jobs 1.`;
  }
}

/** Returns the reason for a {@linkcode WorkerPoolError}; undefined if a single thread would report the problem. */
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
  /** Callbacks for answers, in the order in which the orders were sent. */
  readonly #pending: ((answer: WorkerResponse | WorkerPoolError) => void)[] = [];

  /** Starts the worker; this takes time, as it loads the description itself. */
  constructor(program: URL, description: Descriptions, thread: number) {
    this.thread = thread;
    const workerData: WorkerData = { description, thread };
    this.#worker = new Worker(program, { workerData });
    this.#worker.on("message", (answer: WorkerResponse) => {
      if (answer.kind === "failed") this.#fail(answer.reason);
      else this.#pending.shift()?.(answer);
    });
    this.#worker.on("error", (error: unknown) => {
      this.#fail(error instanceof Error ? error.message : String(error));
    });
    this.#worker.on("exit", () => this.#fail("a worker ended"));
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  async send(order: WorkerRequest): Promise<WorkerResponse> {
    if (this.#failure !== undefined) throw this.#failure;
    const answer = new Promise<WorkerResponse | WorkerPoolError>((resolve) => {
      this.#pending.push(resolve);
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
    for (const answer of this.#pending.splice(0)) answer(this.#failure);
  }
}

/** Executes the main thread's orders one after the other: records jobs, or exports the hits. */
export function serveJobs(port: MessagePort): void {
  const { description, thread } = workerData as WorkerData;
  const respond = (message: WorkerResponse): void => port.postMessage(message);
  const loading = loadMaps(description);
  let last: Promise<unknown> = loading;
  // The first order reports an error of loading.
  loading.catch(() => {});
  port.on("message", (order: WorkerRequest) => {
    last = last.then(async () => respond(await execute(order, await loading, thread)))
      .catch((error: unknown) => respond({ kind: "failed", reason: failureReason(error) }));
  });
}

async function execute(
  order: WorkerRequest,
  map: ApiMaps,
  thread: number,
): Promise<WorkerResponse> {
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
