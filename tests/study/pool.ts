import { CoverageMap } from "../../mod.ts";
import { SCHEMATHESIS, schemathesisProgram } from "../bench/outside_tools.ts";
import { randomFrom } from "../corpus/random.ts";
import type { BaseRun, Host, StudyRequest, Unit } from "./host.ts";
import { record, serverUrl } from "./measure.ts";
import { ORDERS } from "./orders.ts";
import { readCompressed, writeCompressed } from "./results.ts";
import type { StudyServer } from "./servers.ts";

export type Source = "suggested" | "schemathesis" | "pair";

/** Data of a suggested request. */
export interface PoolSuggestion {
  /** The round in which it was suggested. */
  readonly round: number;
  /** Its place in the round. */
  readonly place: number;
  /** The operation that it calls. */
  readonly operation: string;
  readonly valid: boolean;
  /** The documented statuses that it may get. */
  readonly expects: readonly string[];
}

/** A unit of a pool. */
export interface PoolUnit {
  readonly source: Source;
  readonly suggestion?: PoolSuggestion;
  readonly requests: Unit;
}

/** A server's requests, and their results without a mutant. */
export interface Pool {
  readonly units: readonly PoolUnit[];
  readonly runs: readonly BaseRun[];
  /** The units that covtool suggests now, in order. */
  readonly today: readonly number[];
}

const ROUNDS = 4;
const MAX_PAIRS = 60;
/** Maximum number of suggestions, and of Schemathesis' requests. */
const MAX_REQUESTS = 300;
/** Number of suggestions of each order that are always in the pool, to measure what the first ones detect. */
const FIRST = 100;

/** The kept pool of a server, or a new one, which is then kept; limited to a number of units on request. */
export async function loadPool(
  { name }: StudyServer,
  host: Host,
  folder: string,
  { seed, units: size }: { readonly seed: string; readonly units: number },
): Promise<Pool> {
  const path = new URL(`pools/${name}.json.gz`, import.meta.url);
  let units = readCompressed<readonly PoolUnit[]>(path);
  if (units === undefined) {
    units = await makePool(host, folder);
    writeCompressed(units, path);
  }
  const drawn = draw(units, size, randomFrom(`${seed} units`));
  const places = new Map(drawn.map(({ requests }, unit) => [JSON.stringify(requests), unit]));
  const today = (await suggest(host)).flatMap(({ requests }) =>
    places.get(JSON.stringify(requests)) ?? []
  );
  const runs = await host.base(drawn.map(({ requests }) => requests));
  const bad = runs.filter((run) => !isUsable(run)).map(({ unit }) => unit);
  if (bad.length > 0) throw new Error(`${name}: units ${bad} aren't answered, or not alike.`);
  return { units: drawn, runs, today };
}

/** The units of a pool, without those whose responses change by themselves. */
async function makePool(host: Host, folder: string): Promise<readonly PoolUnit[]> {
  const { description, base, headers } = await host.describe();
  const suggested = await suggest(host);
  const made = await host.keepUp(() => runSchemathesis(description, base, headers, folder));
  const random = randomFrom("1 pool");
  const seen = new Set<string>();
  const singles: PoolUnit[] = [];
  const add = (unit: PoolUnit) => {
    const text = JSON.stringify(unit.requests);
    if (!seen.has(text)) singles.push(unit);
    seen.add(text);
  };
  const first = new Set(Object.values(ORDERS).flatMap((order) => order(suggested).slice(0, FIRST)));
  const others = suggested.filter((unit) => !first.has(unit));
  const also = new Set(draw(others, MAX_REQUESTS - first.size, random));
  for (const unit of suggested) if (first.has(unit) || also.has(unit)) add(unit);
  for (const request of draw(made, MAX_REQUESTS, random)) {
    add({ source: "schemathesis", requests: [request] });
  }
  const runs = await host.base(singles.map(({ requests }) => requests));
  const good = singles.filter((_, index) => isUsable(runs[index]!));
  const goodRuns = runs.filter(isUsable);
  const does = (reads: boolean) =>
    good.filter(({ requests: [request] }, index) =>
      ["GET", "HEAD"].includes(request!.method) === reads &&
      Math.floor(goodRuns[index]!.answers[0]!.status / 100) === 2
    );
  const [reading, writing] = [does(true), draw(does(false), MAX_PAIRS, random)];
  const pairs = reading.length === 0 ? [] : writing.map(({ requests }): PoolUnit => ({
    source: "pair",
    requests: [...requests, ...random.pick(reading).requests],
  }));
  const units = [...good, ...pairs];
  const all = await host.base(units.map(({ requests }) => requests));
  return units.filter((_, index) => isUsable(all[index]!));
}

function isUsable({ steady, answers }: BaseRun): boolean {
  return steady && answers.every(({ status }) => status > 0);
}

/** A random part of a list, in order. */
function draw<T>(list: readonly T[], size: number, random: ReturnType<typeof randomFrom>): T[] {
  const left = list.map((_, index) => index);
  const drawn = Array.from(
    { length: Math.min(size, list.length) },
    () => left.splice(random.below(left.length), 1)[0]!,
  );
  return drawn.sort((one, other) => one - other).map((index) => list[index]!);
}

type SuggestedUnit = PoolUnit & { readonly suggestion: PoolSuggestion };

/** covtool's suggestions: without recordings, then with the responses, until nothing is new. */
async function suggest(host: Host): Promise<SuggestedUnit[]> {
  const { description, base, headers } = await host.describe();
  const map = CoverageMap.fromDict(description, { keepRequests: true });
  const all: SuggestedUnit[] = [];
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const server = serverUrl(description, base);
    const { requests } = map.suggestRequests({ server });
    const found = requests.map(({ request, path, breaks, expects }, place): SuggestedUnit => ({
      source: "suggested",
      suggestion: {
        ...{ round, place, operation: `${request.method} ${path}` },
        ...{ valid: breaks === null, expects },
      },
      requests: [{
        method: request.method,
        url: request.url.slice(base.length),
        headers: withCredentials(request.headers, headers),
        ...(request.body !== undefined && { body: request.body }),
      }],
    })).filter(({ requests }) => !seen.has(JSON.stringify(requests)));
    if (found.length === 0) break;
    for (const { requests } of found) seen.add(JSON.stringify(requests));
    all.push(...found);
    const answered = await host.base(found.map(({ requests }) => requests));
    for (const [index, { answers }] of answered.entries()) {
      record(map, found[index]!.requests[0]!, answers[0]!);
    }
  }
  return all;
}

function withCredentials(
  own: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const others = Object.entries(own).filter(([name, value]) =>
    !names.has(name.toLowerCase()) && !value.includes("$COVTOOL_AUTH")
  );
  return { ...Object.fromEntries(others), ...given };
}

/** Schemathesis' requests. */
async function runSchemathesis(
  description: unknown,
  base: string,
  headers: Readonly<Record<string, string>>,
  folder: string,
): Promise<StudyRequest[]> {
  const [schema, har] = [`${folder}/description.json`, `${folder}/schemathesis.har`];
  await Deno.writeTextFile(schema, JSON.stringify(description));
  await Deno.remove(har).catch(() => {});
  const program = schemathesisProgram();
  if (program === undefined) throw new Error(`${SCHEMATHESIS} cannot be installed.`);
  const { code, stderr } = await new Deno.Command(program, {
    args: [
      ...["run", schema, "--url", serverUrl(description, base), "--seed", "1"],
      ...["--generation-deterministic", "--no-shrink", "--phases", "examples,coverage,fuzzing"],
      ...["--max-examples", "10", "--checks", "not_a_server_error", "--max-time", "120"],
      ...["--request-timeout", "1", "--no-color"],
      ...["--report", "har", "--report-har-path", har, "--output-sanitize", "false"],
      ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ],
    ...{ cwd: folder, stdin: "null", stdout: "null", stderr: "piped" },
  }).output();
  // 1 means that a check has failed.
  if (code > 1) throw new Error(`Schemathesis: ${new TextDecoder().decode(stderr)}`);
  const { log } = JSON.parse(await Deno.readTextFile(har));
  // deno-lint-ignore no-explicit-any -- four fields of HAR are read
  return log.entries.map(({ request }: any): StudyRequest => ({
    method: request.method,
    url: request.url.slice(base.length),
    headers: {
      ...Object.fromEntries(
        // deno-lint-ignore no-explicit-any -- a field of HAR
        request.headers.map(({ name, value }: any) => [name.toLowerCase(), value])
          .filter(([name]: string[]) => !SET_BY_CLIENTS.has(name!)),
      ),
    },
    ...(request.postData?.text && { body: request.postData.text }),
  }));
}

const SET_BY_CLIENTS = new Set([
  ...["host", "connection", "content-length", "accept-encoding", "user-agent", "accept"],
  ...["x-schemathesis-testcaseid", "transfer-encoding"],
]);
