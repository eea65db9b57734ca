import process from "node:process";
import { CoverageMap } from "../../mod.ts";
import { recordHandler } from "../../src/entries/server.ts";
import { MAX_TESTS } from "../../src/map/covered_by.ts";
import { FILLING, scrambled, VARYING_DESCRIPTION, varyingInteraction } from "./varying_traffic.ts";

/** Resources of a map after some interactions. */
export interface Sample {
  readonly interactions: number;
  /** Bytes of live objects, after garbage collection. */
  readonly heap: number;
  /** Resident memory of the process, in bytes. */
  readonly rss: number;
  /** Bytes of its exported hits; undefined if they were not exported. */
  readonly hits: number | undefined;
}

/** The result of a long run. */
export interface LongLife {
  readonly samples: readonly Sample[];
  /** Sentences about what grew; empty if nothing did. */
  readonly problems: readonly string[];
  /** Microseconds of processor time per interaction, including generating it. */
  readonly each: number;
}

/** Share of the run after which memory may not grow; compiled code and caches grow until then. */
const WARM_UP = 0.2;
/** Limit for the heap in the last tenth of the run, relative to the maximum in the tenth after the warm-up. */
export const HEAP_BOUND = 1.05;
/** Bytes that are tolerated in addition, because tables double when they are full. */
const SLACK = 1_000_000;
/** The same limit for resident memory, which the engine frees late. */
export const RSS_BOUND = 1.1;
/** Number of interactions after which resident memory must be constant too. */
const SETTLED = 1_000_000;
/** One in this many interactions goes through a server's handler. */
const HANDLED = 1_000;
/** One in this many interactions has a unique test name. */
const NAMED = 40;

/** Options of the map. */
export interface LongLifeOptions {
  /** Gives interactions test names. First, as many as a map keeps are recorded, which takes half a minute. */
  readonly tests?: boolean;
  /** Keeps requests for suggestions. */
  readonly keepRequests?: boolean;
}

/** Records interactions that differ in every possible way into one map, like a server's map over months. */
export async function liveLong(
  interactions: number,
  { tests = false, keepRequests = false }: LongLifeOptions = {},
  say: (sample: Sample) => void = () => {},
): Promise<LongLife> {
  const map = CoverageMap.fromDict(VARYING_DESCRIPTION, {
    undocumentedProperties: true,
    keepRequests,
  });
  const handler = recordHandler(
    map,
    (request: Request) =>
      Response.json({ url: request.url }, { status: request.method === "GET" ? 200 : 201 }),
  );
  const samples: Sample[] = [];
  const parts = Math.min(200, Math.ceil(interactions / 5_000));
  const part = Math.max(1, Math.floor(interactions / parts));
  const first = tests ? 2 * MAX_TESTS : FILLING;
  for (let number = 0; number < first; number++) {
    const { request, response, timestamp } = varyingInteraction(number, number < FILLING);
    map.record(request, response, timestamp, tests ? `test ${scrambled(number)}` : undefined);
  }
  const began = process.cpuUsage();
  for (let number = first; number < first + interactions; number++) {
    const { request, response, timestamp } = varyingInteraction(number);
    const test = tests && number % NAMED === 0 ? `test ${scrambled(number)}` : undefined;
    if (number % HANDLED === HANDLED - 1 && request.url.startsWith("https:")) {
      map.setTest(test);
      const { method, url, headers } = request;
      await (await handler(new Request(url, { method, headers: headers as HeadersInit }))).text();
    } else map.record(request, response, timestamp, test);
    const recorded = number + 1 - first;
    if (recorded % part !== 0) continue;
    await map.settled();
    const index = samples.length;
    // Exporting needs memory itself, so it is rare.
    const hits = index % 100 === 99 ? map.exportHits().length : undefined;
    const sample = { interactions: recorded, ...measure(), hits };
    samples.push(sample);
    say(sample);
  }
  const { user, system } = process.cpuUsage(began);
  const problems = growth(samples);
  const { recorded } = map.traffic();
  if (recorded !== first + interactions) {
    problems.push(`${recorded} of ${first + interactions} interactions are counted.`);
  }
  map.generateReport({ format: "json" });
  return { samples, problems, each: (user + system) / interactions };
}

function measure(): Pick<Sample, "heap" | "rss"> {
  const { gc } = globalThis as { readonly gc?: () => void };
  gc?.();
  gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss };
}

/** Problems with growth after the warm-up. */
export function growth(samples: readonly Sample[]): string[] {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  const early = part(WARM_UP, WARM_UP + 0.1);
  const late = part(0.9, 1);
  const most = (list: readonly Sample[], of: (sample: Sample) => number) =>
    Math.max(...list.map(of));
  const problems: string[] = [];
  const compare = (what: string, of: (sample: Sample) => number, bound: number): void => {
    const [before, after] = [most(early, of), most(late, of)];
    if (after <= before * bound + SLACK) return;
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    problems.push(`The ${what} grew from ${megabytes(before)} to ${megabytes(after)}.`);
  };
  compare("heap", ({ heap }) => heap, HEAP_BOUND);
  // In the first minute, resident memory grows with the engine's own: compiled code, and room for garbage.
  if ((samples.at(-1)?.interactions ?? 0) >= SETTLED) {
    compare("memory of the process", ({ rss }) => rss, RSS_BOUND);
  }
  return problems;
}
