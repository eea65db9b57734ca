import process from "node:process";

/**
 * Milliseconds of processor time for some work, independent of other load. Returns the least of several attempts if one
 * exceeds the limit, because other work in this process counts too.
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
