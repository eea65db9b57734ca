import type { MessagePort } from "node:worker_threads";
import { workerData } from "node:worker_threads";
import { ApiMaps } from "../../coverage_map/api_maps.ts";
import { type Descriptions, loadMaps, type MeasuredMap } from "../load_apis.ts";
import { reasonOf } from "./worker_pool_error.ts";
import { runJob } from "./run_job.ts";
import type { Answer, JobResult, Order } from "./job.ts";
import { JobQueue } from "./job_queue.ts";

/** The start data of a worker. */
export interface WorkerData {
  readonly description: Descriptions;
  /** Its number among the threads. */
  readonly thread: number;
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
      .catch((error: unknown) => answer({ kind: "failed", reason: reasonOf(error) }));
  });
}

async function obey(order: Order, map: MeasuredMap, thread: number): Promise<Answer> {
  if (order.kind === "export") {
    const bytes = map.exportHits();
    return map instanceof ApiMaps
      ? { kind: "hits", bytes, ties: map.ties() }
      : { kind: "hits", bytes };
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
