/** Runs of each command. The shortest one counts, as the least disturbed. */
const RUNS = 20;

/** Ratio of the times of two commands. They run in turns, so that a busy machine slows both. */
export function startRatio(command: readonly string[], other: readonly string[]): number {
  let [shortest, shortestOther] = [Infinity, Infinity];
  for (let run = 0; run < RUNS; run++) {
    shortest = Math.min(shortest, milliseconds(command));
    shortestOther = Math.min(shortestOther, milliseconds(other));
  }
  return shortest / shortestOther;
}

function milliseconds([program = "", ...args]: readonly string[]): number {
  const start = performance.now();
  const { success } = new Deno.Command(program, { args, stdin: "null" }).outputSync();
  const taken = performance.now() - start;
  if (!success) throw new Error(`${program} ${args.join(" ")} fails.`);
  return taken;
}
