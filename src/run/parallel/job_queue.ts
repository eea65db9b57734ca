const NEXT = 0;
const READ = 1;
const TAKEN = 2;
/** Bytes are counted in units of this many, so that 32 bits are enough for terabytes. */
const UNIT = 1024;

/**
 * Hands out jobs to threads: whoever is ready takes the next, so that none waits while there is work. The numbers lie in
 * memory that all threads share.
 *
 * @example
 * ```ts
 * import { JobQueue } from "./job_queue.ts";
 * import assert from "node:assert/strict";
 *
 * const queue = JobQueue.create(2, 1);
 * const same = new JobQueue(queue.memory, 2);
 * assert.deepEqual([queue.take(0), same.take(0), queue.take(0)], [0, 1, undefined]);
 * assert.equal(queue.takenBy(0), 2);
 * ```
 */
export class JobQueue {
  /** The memory to send to other threads. */
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #jobs: number;

  /**
   * A queue that another thread created.
   *
   * @param jobs How many there are.
   */
  constructor(memory: SharedArrayBuffer, jobs: number) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory);
    this.#jobs = jobs;
  }

  /** A queue of as many jobs, for as many threads. */
  static create(jobs: number, threads: number): JobQueue {
    return new JobQueue(
      new SharedArrayBuffer((TAKEN + threads) * Int32Array.BYTES_PER_ELEMENT),
      jobs,
    );
  }

  /** Takes the next job: its number; undefined if none is left. */
  take(thread: number): number | undefined {
    const job = Atomics.add(this.#numbers, NEXT, 1);
    if (job >= this.#jobs) return undefined;
    Atomics.add(this.#numbers, TAKEN + thread, 1);
    return job;
  }

  /** The number of jobs that a thread has taken. */
  takenBy(thread: number): number {
    return Atomics.load(this.#numbers, TAKEN + thread);
  }

  /** Drops the remaining jobs. */
  stop(): void {
    Atomics.store(this.#numbers, NEXT, this.#jobs);
  }

  /** Adds to the number of bytes read. */
  addRead(bytes: number): void {
    Atomics.add(this.#numbers, READ, Math.round(bytes / UNIT));
  }

  /** The approximate number of bytes read since the last call. */
  takeRead(): number {
    return Atomics.exchange(this.#numbers, READ, 0) * UNIT;
  }
}
