import { readFileSync } from "node:fs";
import { CoverageMap } from "../../mod.ts";
import { ajvFloor } from "./ajv_floor.ts";
import { descriptionPath } from "./descriptions.ts";
import { type GeneratedInteraction, type SentValue, TrafficGenerator } from "./generate_traffic.ts";
import { heapBytes, type Measured, timed } from "./measured.ts";

/** So many interactions are made and recorded at a time, so that a million of them need not fit into memory. */
export const CHUNK = 20000;

/** How often the first chunk is recorded, so that the code is warm. */
const WARM_RUNS = 10;

/** Bytes of a body that is not small. */
const LARGE = 1024;

/** The interactions from one number on, as reading a file gives them: texts put together would cost who reads first. */
export function makeInteractions(
  generator: TrafficGenerator,
  from: number,
  count: number,
  sent?: SentValue[],
): readonly GeneratedInteraction[] {
  const made = Array.from({ length: count }, (_, at) => generator.interaction(from + at, sent));
  const read: readonly GeneratedInteraction[] = JSON.parse(JSON.stringify(made));
  return read;
}

/** What every recorder has to do at least: the URL, its query, the body. */
export function readRequest({ request }: GeneratedInteraction): void {
  const url = new URL(request.url);
  for (const _ of url.searchParams);
  if (request.body === undefined) return;
  if (request.headers["Content-Type"] === "application/json") JSON.parse(request.body);
  else for (const _ of new URLSearchParams(request.body));
}

/** Records every interaction, so many seconds later than it says: the same ones again come behind the others. */
export function recordAll(
  map: CoverageMap,
  interactions: readonly GeneratedInteraction[],
  later = 0,
): void {
  for (const { request, response, timestamp } of interactions) {
    map.record(request, response, timestamp + later);
  }
}

/** Checks compiled by ajv with the values of interactions, ready to run. */
function compiledChecks(
  compile: ReturnType<typeof ajvFloor>,
  sent: readonly SentValue[],
): { readonly run: () => void; readonly share: number } {
  const checks = sent.flatMap((value) => {
    const validate = compile(value);
    return validate === undefined ? [] : [{ validate, value: value.value }];
  });
  const run = () => {
    for (const { validate, value } of checks) validate(value);
  };
  return { run, share: checks.length / sent.length };
}

/**
 * Recording, against reading the same requests and against ajv's verdict on the same values; microseconds for each
 * interaction. Of as many as fit into one chunk, the fastest run counts; of more, all chunks with warm code.
 */
export async function measureRecording(name: string, count: number): Promise<Measured> {
  const path = descriptionPath(name);
  const document: unknown = JSON.parse(readFileSync(path, "utf8"));
  const generator = new TrafficGenerator(document);
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  const compile = ajvFloor(document);
  const totals = { interactions: 0, bodies: 0, large: 0, bodyBytes: 0, retained: 0 };
  const spent = { floor: 0, ajv: 0, covtool: 0 };
  let ajvShare = 1;
  let later = 0;
  for (let from = 0; from < count; from += CHUNK) {
    const sent: SentValue[] = [];
    const interactions = makeInteractions(generator, from, Math.min(CHUNK, count - from), sent);
    for (const { request: { body } } of interactions) {
      if (body === undefined) continue;
      totals.bodies++;
      totals.bodyBytes += body.length;
      if (body.length >= LARGE) totals.large++;
    }
    totals.interactions += interactions.length;
    heapBytes(); // so that nobody pays for what making them has left behind
    const runs = from === 0 ? WARM_RUNS : 1;
    const best = (run: () => unknown): number =>
      Math.min(...Array.from({ length: runs }, () => timed(run)));
    spent.floor += best(() => interactions.forEach(readRequest));
    spent.covtool += best(() => recordAll(map, interactions, later += CHUNK));
    if (from + CHUNK >= count) {
      const before = heapBytes();
      recordAll(map, interactions, later += CHUNK);
      totals.retained = (heapBytes() - before) / interactions.length;
    }
    const checks = compiledChecks(compile, sent);
    ajvShare = Math.min(ajvShare, checks.share);
    spent.ajv += best(checks.run);
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
    ajv: spent.ajv * each,
    ajvShare,
    spent: spent.covtool * each,
    retained: totals.retained,
  };
}
