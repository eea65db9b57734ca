import { rmSync, writeFileSync } from "node:fs";
import { CoverageMap } from "../../mod.ts";
import { describeOperations } from "./describe_operations.ts";
import { descriptionPath } from "./descriptions.ts";
import { madeTraffic } from "./made_traffic.ts";
import { CHUNK, readRequest, recordAll } from "./measure_recording.ts";
import { fastest, heapBytes, type Measured, timed } from "./measured.ts";

/**
 * How recording grows with the number of interactions, from a cold start: microseconds for each of the first 1,000,
 * 10,000 and so on, all different, and the bytes of the heap that the map has grown by then.
 */
export async function measureGrowth(name: string, most: number): Promise<Measured> {
  const path = descriptionPath(name);
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  const loaded = heapBytes();
  const measured: Measured = {};
  let floor = 0;
  let spent = 0;
  let done = 0;
  for (let goal = 1000; goal <= most; goal *= 10) {
    while (done < goal) {
      const interactions = madeTraffic(path, done, Math.min(CHUNK, goal - done));
      floor += timed(() => interactions.forEach(readRequest));
      spent += timed(() => recordAll(map, interactions));
      done += interactions.length;
    }
    measured[`floor ${goal}`] = floor * 1000 / goal;
    measured[`spent ${goal}`] = spent * 1000 / goal;
    measured[`grown ${goal}`] = heapBytes() - loaded;
  }
  return measured;
}

/** How loading and recording grow with the number of operations, which are all alike. */
export async function measureOperations(operations: number): Promise<Measured> {
  const text = JSON.stringify(describeOperations(operations));
  const parse = await fastest(15, () => JSON.parse(text));
  const load = await fastest(15, () => {
    CoverageMap.fromDict(JSON.parse(text), { basePath: "/" }).statistic();
  });
  const map = CoverageMap.fromDict(JSON.parse(text), { basePath: "/" });
  const path = Deno.makeTempFileSync();
  writeFileSync(path, text);
  const interactions = madeTraffic(path, 0, CHUNK);
  rmSync(path);
  const floor = await fastest(6, () => interactions.forEach(readRequest));
  let later = 0;
  const spent = await fastest(6, () => recordAll(map, interactions, later += CHUNK));
  return {
    bytes: text.length,
    parse,
    load,
    floor: floor * 1000 / CHUNK,
    spent: spent * 1000 / CHUNK,
  };
}
