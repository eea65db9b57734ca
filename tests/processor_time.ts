import process from "node:process";

/**
 * Milliseconds of the processor that something takes, however busy the machine is; the least of several attempts where
 * one takes more than the limit, as other work of this process may add to it.
 */
export function processorTime(work: () => void, limit: number, attempts = 5): number {
  let least = Infinity;
  for (let attempt = 0; attempt < attempts && least > limit; attempt++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
