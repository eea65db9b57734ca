// What measurements share: processor time, memory, the fastest of several runs.
import process from "node:process";

/** Numbers by name; durations in milliseconds of processor time. */
export type Measured = Record<string, number>;

/** Milliseconds of processor time since the process began: unlike the clock's, they don't grow while others work. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds that a run takes. */
export function timed(run: () => unknown): number {
  const start = processorTime();
  run();
  return processorTime() - start;
}

/** Milliseconds that the fastest of several runs takes. */
export async function fastest(runs: number, run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let index = 0; index < runs; index++) {
    const start = processorTime();
    await run();
    best = Math.min(best, processorTime() - start);
  }
  return best;
}

/** Megabytes that the process had at its peak. */
export function megabytes(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** Bytes of the heap in use after a collection; needs `--expose-gc`. */
export function heapBytes(): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) return NaN;
  collect();
  return process.memoryUsage().heapUsed;
}

/** The middle one of several numbers, or the greater of the two in the middle. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? NaN;
}
