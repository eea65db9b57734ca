// One measurement in a process of its own, so that no other disturbs it: prints a line of JSON. See bench.ts.
import { readFileSync } from "node:fs";
import process from "node:process";
import { CoverageMap } from "../../mod.ts";
import { print } from "../../scripts/print.ts";
import { descriptionPath } from "./descriptions.ts";
import { type GeneratedInteraction, TrafficGenerator } from "./generate_traffic.ts";

/** Numbers by name; durations in milliseconds of processor time. */
type Measured = Record<string, number>;

/** Milliseconds of processor time since the process began: unlike the clock's, they don't grow while others work. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds that the fastest of several runs takes. */
async function fastest(runs: number, run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let index = 0; index < runs; index++) {
    const start = processorTime();
    await run();
    best = Math.min(best, processorTime() - start);
  }
  return best;
}

function megabytes(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** Loading and all totals, against `JSON.parse` of the same text. */
async function load(name: string): Promise<Measured> {
  const path = descriptionPath(name);
  const text = readFileSync(path, "utf8");
  const runs = text.length > 2e7 ? 4 : 9;
  const floor = await fastest(runs, () => JSON.parse(text));
  const floorMegabytes = megabytes();
  let operations = 0;
  let keywords = 0;
  const spent = await fastest(runs, async () => {
    const statistic = (await CoverageMap.fromPath(path)).statistic();
    operations = statistic.operations.total;
    keywords = statistic.keywords.total;
  });
  return {
    bytes: text.length,
    operations,
    keywords,
    floor,
    spent,
    floorMegabytes,
    megabytes: megabytes(),
  };
}

/** What every recorder has to do at least: the URL, its query, the body. */
function readRequest({ request }: GeneratedInteraction): void {
  const url = new URL(request.url);
  for (const _ of url.searchParams);
  if (request.body === undefined) return;
  if (request.headers["Content-Type"] === "application/json") JSON.parse(request.body);
  else for (const _ of new URLSearchParams(request.body));
}

/** Recording, against reading the same requests; microseconds a request. */
async function record(name: string, count: number): Promise<Measured> {
  const path = descriptionPath(name);
  const generator = new TrafficGenerator(JSON.parse(readFileSync(path, "utf8")));
  const interactions = Array.from({ length: count }, (_, index) => generator.interaction(index));
  const bodies = interactions.flatMap(({ request }) => request.body?.length ?? []);
  const runs = 6;
  const floor = await fastest(runs, () => interactions.forEach(readRequest));
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  const recordAll = () => {
    for (const { request, response, timestamp } of interactions) {
      map.record(request, response, timestamp);
    }
  };
  const spent = await fastest(runs, recordAll);
  const retained = retainedBytes(recordAll) / count;
  const { traffic, operations } = map.report();
  let evaluations = 0;
  for (const { parameters } of operations) {
    for (const { keywords } of parameters) {
      for (const { valid, invalid } of keywords) evaluations += valid + invalid;
    }
  }
  return {
    interactions: count,
    matched: traffic.matched / traffic.recorded,
    bodies: bodies.length / count,
    bodyBytes: bodies.reduce((sum, length) => sum + length, 0) / Math.max(1, bodies.length),
    evaluations: evaluations / traffic.recorded,
    floor: floor * 1000 / count,
    spent: spent * 1000 / count,
    retained,
  };
}

/** Bytes of the heap that a run leaves behind; needs `--expose-gc`. */
function retainedBytes(run: () => void): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) return NaN;
  collect();
  const before = process.memoryUsage().heapUsed;
  run();
  collect();
  return process.memoryUsage().heapUsed - before;
}

/** Each report of recorded traffic, against `JSON.stringify` of the model. */
async function report(name: string, count: number): Promise<Measured> {
  const path = descriptionPath(name);
  const generator = new TrafficGenerator(JSON.parse(readFileSync(path, "utf8")));
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  for (let index = 0; index < count; index++) {
    const { request, response, timestamp } = generator.interaction(index);
    map.record(request, response, timestamp);
  }
  const model = map.report();
  const floor = await fastest(3, () => JSON.stringify(model));
  const measured: Measured = { floor, model: await fastest(3, () => map.report()) };
  for (const format of ["json", "html", "text"] as const) {
    measured[format] = await fastest(3, () => map.generateReport({ format }));
    measured[`${format}Bytes`] = map.generateReport({ format }).length;
  }
  return measured;
}

const [what = "", name = "", count = "20000"] = process.argv.slice(2);
const measured = what === "load"
  ? await load(name)
  : what === "record"
  ? await record(name, Number(count))
  : await report(name, Number(count));
print(JSON.stringify(measured));
