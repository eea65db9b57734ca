import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { CoverageMap } from "../../mod.ts";
import { ajvFloor } from "./ajv_floor.ts";
import { describeOperations } from "./describe_operations.ts";
import { descriptionPath } from "./descriptions.ts";
import { type GeneratedInteraction, type SentValue, TrafficGenerator } from "./generate_traffic.ts";
import { madeTraffic } from "./made_traffic.ts";
import { fastest, heapBytes, timed } from "./measured.ts";

/** Interactions are generated and recorded in chunks of this size, so that a million need not fit into memory. */
const CHUNK = 20000;

/** The first chunk is recorded this often to warm up the code. */
const WARM_RUNS = 10;

/** Size in bytes from which a body is large. */
const LARGE = 1024;

/** The least that every recorder must do: parse the URL, its query and the body. */
function readRequest({ request }: GeneratedInteraction): void {
  const url = new URL(request.url);
  for (const _ of url.searchParams);
  if (request.body === undefined) return;
  if (request.headers["Content-Type"] === "application/json") JSON.parse(request.body);
  else for (const _ of new URLSearchParams(request.body));
}

/** Records every interaction this many seconds later than its time, so that repeated chunks are in sequence. */
function recordAll(
  map: CoverageMap,
  interactions: readonly GeneratedInteraction[],
  later = 0,
): void {
  for (const { request, response, timestamp } of interactions) {
    map.record(request, response, timestamp + later);
  }
}

/** Measures recording compared with only reading the requests, in microseconds per interaction. */
export async function measureRecording(name: string, count: number) {
  const path = descriptionPath(name);
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  const totals = { interactions: 0, bodies: 0, large: 0, bodyBytes: 0, retained: 0 };
  const spent = { floor: 0, covtool: 0 };
  let later = 0;
  for (let from = 0; from < count; from += CHUNK) {
    const interactions = madeTraffic(path, from, Math.min(CHUNK, count - from));
    for (const { request: { body } } of interactions) {
      if (body === undefined) continue;
      totals.bodies++;
      totals.bodyBytes += body.length;
      if (body.length >= LARGE) totals.large++;
    }
    totals.interactions += interactions.length;
    const runs = from === 0 ? WARM_RUNS : 1;
    spent.floor += shortestTime(runs, () => interactions.forEach(readRequest));
    spent.covtool += shortestTime(runs, () => recordAll(map, interactions, later += CHUNK));
    if (from + CHUNK >= count) {
      const before = heapBytes();
      recordAll(map, interactions, later += CHUNK);
      totals.retained = (heapBytes() - before) / interactions.length;
    }
  }
  const { traffic, operations } = map.report();
  let evaluations = 0;
  for (const { parameters } of operations) {
    for (const { keywords } of parameters) {
      for (const { valid, invalid } of keywords) evaluations += valid + invalid;
    }
  }
  const each = 1000 / totals.interactions;
  return {
    interactions: totals.interactions,
    matched: traffic.matched / traffic.recorded,
    bodies: totals.bodies / totals.interactions,
    large: totals.large / totals.interactions,
    bodyBytes: totals.bodyBytes / Math.max(1, totals.bodies),
    evaluations: evaluations / traffic.recorded,
    floor: spent.floor * each,
    spent: spent.covtool * each,
    retained: totals.retained,
  };
}

/** Measures ajv's validation of a chunk's values, in microseconds per interaction. */
export function measureValidation(name: string) {
  const document: unknown = JSON.parse(readFileSync(descriptionPath(name), "utf8"));
  const generator = new TrafficGenerator(document);
  const sent: SentValue[] = [];
  for (let index = 0; index < CHUNK; index++) generator.interaction(index, sent);
  const compile = ajvFloor(document);
  const checks = sent.flatMap((value) => {
    const validate = compile(value);
    return validate === undefined ? [] : [{ validate, value: value.value }];
  });
  const ajv = shortestTime(WARM_RUNS, () => {
    for (const { validate, value } of checks) validate(value);
  });
  return { ajv: ajv * 1000 / CHUNK, ajvShare: checks.length / sent.length };
}

/**
 * Measures recording by number of interactions after a cold start: microseconds for each of the first 1,000, 10,000 and
 * so on, all different, and the bytes by which the heap has grown.
 */
export async function measureGrowth(name: string, most: number) {
  const path = descriptionPath(name);
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  const loaded = heapBytes();
  const stages: { goal: number; floor: number; spent: number; grown: number }[] = [];
  let [floor, spent, done] = [0, 0, 0];
  for (let goal = 1000; goal <= most; goal *= 10) {
    while (done < goal) {
      const interactions = madeTraffic(path, done, Math.min(CHUNK, goal - done));
      floor += timed(() => interactions.forEach(readRequest));
      spent += timed(() => recordAll(map, interactions));
      done += interactions.length;
    }
    const each = 1000 / goal;
    stages.push({ goal, floor: floor * each, spent: spent * each, grown: heapBytes() - loaded });
  }
  return { stages };
}

/** Measures loading and recording by the number of operations, which are all alike. */
export async function measureOperations(operations: number) {
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

function shortestTime(runs: number, run: () => unknown): number {
  return Math.min(...Array.from({ length: runs }, () => timed(run)));
}
