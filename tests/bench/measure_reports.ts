import { fileURLToPath } from "node:url";
import { CoverageMap } from "../../mod.ts";
import { COMMAND_GROUPS } from "../../src/cli/command_groups.ts";
import { report } from "../../src/cli/report.ts";
import { watchReport } from "../../src/cli/watch.ts";
import { resolveOptions } from "../../src/run/options/resolve_options.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { descriptionPath } from "./descriptions.ts";
import { type GeneratedInteraction, generateTraffic } from "./generate_traffic.ts";
import { fastest, type Measured, median, processorTime } from "./measured.ts";

const SHOP = fileURLToPath(new URL("../../examples/bookshop", import.meta.url));
/** Number of merged hits files. */
const FILES = 50;
const CHANGES = 20;

function record(map: CoverageMap, interactions: readonly GeneratedInteraction[]): void {
  for (const { request, response, timestamp } of interactions) {
    map.record(request, response, timestamp);
  }
}

/** Measures each report of recorded traffic, compared with `JSON.stringify` of the model. */
export async function measureReports(name: string, count: number): Promise<Measured> {
  const path = descriptionPath(name);
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  record(map, generateTraffic(path, count));
  const model = map.report();
  const floor = await fastest(3, () => JSON.stringify(model));
  const measured: Measured = { floor, model: await fastest(3, () => map.report()) };
  for (const format of ["json", "html", "text"] as const) {
    measured[format] = await fastest(3, () => map.generateReport({ format }));
    measured[`${format}Bytes`] = map.generateReport({ format }).length;
  }
  return measured;
}

/** Measures merging 50 shards' hits files against loading the description, with and without totals, and their size. */
export async function measureMerge(name: string, count: number) {
  const path = descriptionPath(name);
  const load = () => CoverageMap.fromPath(path, { basePath: "/" });
  const traffic = generateTraffic(path, count);
  const whole = await load();
  record(whole, traffic);
  const files: Uint8Array[] = [];
  for (let shard = 0; shard < FILES; shard++) {
    const map = await load();
    record(map, traffic.filter((_, index) => index % FILES === shard));
    files.push(map.exportHits());
  }
  const floor = await fastest(5, () => CoverageMap.fromPath(path));
  const totals = await fastest(5, async () => (await CoverageMap.fromPath(path)).statistic());
  let spent = Infinity;
  for (let run = 0; run < 5; run++) {
    const map = await load();
    const start = processorTime();
    for (const file of files) map.mergeHits(file);
    spent = Math.min(spent, processorTime() - start);
  }
  const json = whole.generateReport({ format: "json" }).length;
  return { floor, totals, spent, bytes: whole.exportHits().length, json };
}

/**
 * Wall-clock milliseconds from a change of the bookshop's recording until `report --watch` has new numbers, compared
 * with the same measurement without watching. Most of it is waiting, which processor time doesn't include.
 */
export async function measureWatch() {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/traffic.json`;
  await Deno.copyFile(`${SHOP}/traffic.json`, path);
  const given = {
    schema: `${SHOP}/openapi.yaml`,
    traffic: [path],
    output: `${folder}/coverage.html`,
  };
  const options = { ...resolveOptions(COMMAND_GROUPS.report, given), schema: given.schema };
  const floor = await clocked(async () => void await report(options, fakeHost()));

  let wake = (): void => {};
  let interrupt = (): void => {};
  let rounds = 0;
  const session = watchReport(given, fakeHost(), {
    until: new Promise<void>((resolve) => interrupt = resolve),
    onRound: () => {
      rounds++;
      wake();
    },
  });
  await new Promise<void>((resolve) => wake = resolve);
  const spent = await clocked(async () => {
    await Deno.copyFile(`${SHOP}/traffic.json`, `${path}.new`);
    const measured = new Promise<void>((resolve) => wake = resolve);
    await Deno.rename(`${path}.new`, path);
    await measured;
  });
  interrupt();
  await session;
  await Deno.remove(folder, { recursive: true });
  return { floor, spent, changes: CHANGES, rounds: rounds - 1 };
}

/** The median wall-clock time of several runs. */
async function clocked(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < CHANGES; index++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return median(times);
}
