import { Worker } from "node:worker_threads";
import type { Descriptions } from "../load_apis.ts";
import { WorkerPoolError } from "./worker_pool_error.ts";
import type { Answer, Order } from "./job.ts";
import type { WorkerData } from "./serve_jobs.ts";

/** One worker, seen from the main thread. */
export class PoolWorker {
  /** Its number among the threads. */
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

  /** True if it has failed. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Sends an order and waits for the answer.
   *
   * @throws {WorkerPoolError} if the worker cannot obey, or ends.
   */
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

  /** Ends it, whatever it does. */
  async close(): Promise<void> {
    this.#fail(undefined);
    await this.#worker.terminate();
  }

  #fail(reason: string | undefined): void {
    this.#failure ??= new WorkerPoolError(reason);
    for (const answer of this.#waiting.splice(0)) answer(this.#failure);
  }
}
