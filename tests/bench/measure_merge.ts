import { readFileSync } from "node:fs";
import { CoverageMap } from "../../mod.ts";
import { descriptionPath } from "./descriptions.ts";
import { TrafficGenerator } from "./generate_traffic.ts";
import { fastest, type Measured, processorTime } from "./measured.ts";

const FILES = 50;

/** Merging 50 hits files of one run's shards, against loading the description once, without and with its totals; and the size of its hits file. */
export async function measureMerge(name: string, count: number): Promise<Measured> {
  const path = descriptionPath(name);
  const generator = new TrafficGenerator(JSON.parse(readFileSync(path, "utf8")));
  const whole = await CoverageMap.fromPath(path, { basePath: "/" });
  const traffic = Array.from({ length: count }, (_, index) => generator.interaction(index));
  const files: Uint8Array[] = [];
  for (let shard = 0; shard < FILES; shard++) {
    const map = await CoverageMap.fromPath(path, { basePath: "/" });
    for (let index = shard; index < count; index += FILES) {
      const { request, response, timestamp } = traffic[index] as (typeof traffic)[number];
      map.record(request, response, timestamp);
      whole.record(request, response, timestamp);
    }
    files.push(map.exportHits());
  }
  const floor = await fastest(5, () => CoverageMap.fromPath(path));
  const totals = await fastest(5, async () => (await CoverageMap.fromPath(path)).statistic());
  let spent = Infinity;
  for (let run = 0; run < 5; run++) {
    const map = await CoverageMap.fromPath(path, { basePath: "/" });
    const start = processorTime();
    for (const file of files) map.mergeHits(file);
    spent = Math.min(spent, processorTime() - start);
  }
  const json = whole.generateReport({ format: "json" }).length;
  return { floor, totals, spent, bytes: whole.exportHits().length, json };
}
