// Helpers for measurements: processor time, memory, the fastest of several runs.
import process from "node:process";

/** Numbers by name; durations are in milliseconds of processor time. */
export type Measured = Record<string, number>;

/** Milliseconds of processor time since the process began, which other load doesn't affect. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of processor time of one run. */
export function timed(run: () => unknown): number {
  const start = processorTime();
  run();
  return processorTime() - start;
}

/** Milliseconds of processor time of the fastest run. */
export async function fastest(runs: number, run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let index = 0; index < runs; index++) {
    const start = processorTime();
    await run();
    best = Math.min(best, processorTime() - start);
  }
  return best;
}

/** Megabytes at the peak of this process. */
export function megabytes(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** Bytes of the heap after garbage collection; needs `--expose-gc`. */
export function heapBytes(): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) return NaN;
  collect();
  return process.memoryUsage().heapUsed;
}

/** The median, rounded up to an element. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? NaN;
}
