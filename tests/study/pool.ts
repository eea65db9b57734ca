import { CoverageMap } from "../../mod.ts";
import { runOrThrow } from "../../scripts/run.ts";
import { randomFrom } from "../corpus/random.ts";
import type { BaseRun, Host, StudyRequest, Unit } from "./host.ts";
import { record, serverUrl } from "./measure.ts";

export type Source = "suggested" | "schemathesis" | "pair";

/** A unit of a pool. */
export interface PoolUnit {
  readonly source: Source;
  readonly requests: Unit;
}

/** What a server is sent, and what that does without a mutant. */
export interface Pool {
  readonly units: readonly PoolUnit[];
  readonly runs: readonly BaseRun[];
}

const ROUNDS = 4;
const MAX_PAIRS = 60;
/** Suggestions of the first round that are in the pool in any case, for what the first ones detect. */
const FIRST = 100;

/** A pool and what its units do without a mutant; those whose answers change by themselves are left out. */
export async function makePool(
  host: Host,
  folder: string,
  { seed, most }: { readonly seed: string; readonly most: number },
): Promise<Pool> {
  const { description, base, headers } = await host.describe();
  const suggested = await suggest(host, description, base, headers);
  const made = await host.keepUp(() => runSchemathesis(description, base, headers, folder));
  const random = randomFrom(`${seed} pool`);
  const seen = new Set<string>();
  const singles: PoolUnit[] = [];
  const add = (source: Source, requests: readonly StudyRequest[]) => {
    for (const request of requests) {
      const text = JSON.stringify(request);
      if (!seen.has(text)) singles.push({ source, requests: [request] });
      seen.add(text);
    }
  };
  const first = suggested.slice(0, FIRST);
  add("suggested", [...first, ...draw(suggested.slice(FIRST), most - FIRST, random)]);
  add("schemathesis", draw(made, most, random));
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
  const steady = units.filter((_, index) => isUsable(all[index]!));
  // Once more, so that the host knows units by their final numbers.
  return { units: steady, runs: await host.base(steady.map(({ requests }) => requests)) };
}

function isUsable({ steady, answers }: BaseRun): boolean {
  return steady && answers.every(({ status }) => status > 0);
}

/** Some of a list, in its order. */
function draw<T>(list: readonly T[], size: number, random: ReturnType<typeof randomFrom>): T[] {
  const left = list.map((_, index) => index);
  const drawn = Array.from(
    { length: Math.min(size, list.length) },
    () => left.splice(random.below(left.length), 1)[0]!,
  );
  return drawn.sort((one, other) => one - other).map((index) => list[index]!);
}

/** What covtool suggests: without recordings, then with the answers, until nothing is new. */
async function suggest(
  host: Host,
  description: unknown,
  base: string,
  headers: Readonly<Record<string, string>>,
): Promise<StudyRequest[]> {
  const map = CoverageMap.fromDict(description, { keepRequests: true });
  const all: StudyRequest[] = [];
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const server = serverUrl(description, base);
    const { requests } = map.suggestRequests({ server });
    const found = requests.map(({ request }): StudyRequest => ({
      method: request.method,
      url: request.url.slice(base.length),
      headers: withCredentials(request.headers, headers),
      ...(request.body !== undefined && { body: request.body }),
    })).filter((request) => !seen.has(JSON.stringify(request)));
    if (found.length === 0) break;
    for (const request of found) seen.add(JSON.stringify(request));
    all.push(...found);
    for (const [index, { answers }] of (await host.base(found.map((one) => [one]))).entries()) {
      record(map, found[index]!, answers[0]!);
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

/** What Schemathesis sends. */
async function runSchemathesis(
  description: unknown,
  base: string,
  headers: Readonly<Record<string, string>>,
  folder: string,
): Promise<StudyRequest[]> {
  const [schema, har] = [`${folder}/description.json`, `${folder}/schemathesis.har`];
  await Deno.writeTextFile(schema, JSON.stringify(description));
  await Deno.remove(har).catch(() => {});
  const { code, stderr } = await new Deno.Command(await schemathesis(folder), {
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
  // 1 tells that a check has failed.
  if (code > 1) throw new Error(`Schemathesis: ${new TextDecoder().decode(stderr)}`);
  const { log } = JSON.parse(await Deno.readTextFile(har));
  // deno-lint-ignore no-explicit-any -- HAR, of which four fields are read
  return log.entries.map(({ request }: any): StudyRequest => ({
    method: request.method,
    url: request.url.slice(base.length),
    headers: {
      ...Object.fromEntries(
        // deno-lint-ignore no-explicit-any -- likewise
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

const SCHEMATHESIS = "schemathesis==4.32.5";

/** The path of Schemathesis, which is installed next to the servers. */
async function schemathesis(folder: string): Promise<string> {
  const place = `${folder}/../schemathesis`;
  const program = `${place}/bin/schemathesis`;
  const isThere = await Deno.stat(program).then(() => true, () => false);
  if (!isThere) {
    await runOrThrow("python3", ["-m", "venv", place]);
    await runOrThrow(`${place}/bin/pip`, ["install", "--quiet", SCHEMATHESIS]);
  }
  return program;
}
