import { drawMutants } from "../../scripts/mutate/sample.ts";
import { Host, type StudyAnswer } from "./host.ts";
import { type Broken, brokenBy, createExchanges, judgeAssertions } from "./assertions.ts";
import { install } from "./install.ts";
import {
  calledOperation,
  contradictions,
  describeDescription,
  measureCoverage,
  share,
} from "./measure.ts";
import { loadPool } from "./pool.ts";
import {
  ofSeries,
  packBits,
  readCompressed,
  type Series,
  type ServerResult,
  writeCompressed,
} from "./results.ts";
import type { StudyServer } from "./servers.ts";
import { drawSuites } from "./suites.ts";

/** The extent of a study. */
export interface Extent {
  readonly seed: string;
  /** Mutants per server. */
  readonly mutants: number;
  /** Units in its pool. */
  readonly units: number;
  /** Number of suites of all sizes, and of each size. */
  readonly suites: number;
  readonly suitesEach: number;
}

/** The units that detect a mutant, and how it changes their responses. */
type Detected = Readonly<Record<Series, readonly number[]>> & {
  readonly broken: readonly (readonly [unit: number, answers: readonly (readonly number[])[]])[];
};

/** Runs the study for one server. Results of its mutants are kept in its folder. */
export async function runServer(
  server: StudyServer,
  folder: string,
  extent: Extent,
  say: (text: string) => void,
): Promise<ServerResult> {
  const began = performance.now();
  const mutants = await install(server, folder);
  const host = new Host(server, folder);
  await host.start();
  try {
    const { description } = await host.describe();
    const { units, runs, today } = await loadPool(server, host, folder, extent);
    say(`${server.name}: ${units.length} units`);
    const reachedBy = new Map<string, number[]>();
    for (const { unit, reached } of runs) {
      for (const id of reached) reachedBy.set(id, [...reachedBy.get(id) ?? [], unit]);
    }
    const reached = mutants.filter(({ id }) => reachedBy.has(id));
    const tried = drawMutants(reached, Number(extent.seed), extent.mutants);
    say(`${server.name}: ${tried.length} of ${reached.length} mutants reached`);
    const knownPath = new URL(`file://${folder}/known-${extent.seed}-${units.length}.json.gz`);
    const key = JSON.stringify([extent.seed, units]);
    // Results of earlier runs with the same units.
    const known = readCompressed<{ key: string; found: Record<string, Detected> }>(knownPath);
    const found = known?.key === key ? known.found : {};
    const keep = () => writeCompressed({ key, found }, knownPath);
    const said = new Map<string, ReadonlySet<string>>();
    const contradicts = (unit: number, index: number, answer: StudyAnswer) => {
      const request = units[unit]!.requests[index]!;
      const key = JSON.stringify([request, answer.status, answer.type, answer.body]);
      const found = said.get(key) ?? contradictions(description, request, answer);
      said.set(key, found);
      return found;
    };
    for (const [index, mutant] of tried.entries()) {
      if (found[mutant.id] !== undefined) continue;
      const candidates = reachedBy.get(mutant.id) ?? [];
      // Units from all over the pool show if the server is unchanged.
      const control = [0.1, 0.5, 0.9].map((part) => Math.floor(units.length * part));
      const changed = await host.try(mutant.id, candidates, control);
      found[mutant.id] = judge(changed, (unit) => runs[unit]!.answers, contradicts);
      if (index % 20 === 19) {
        keep();
        say(`${server.name}: ${index + 1} of ${tried.length} mutants`);
      }
    }
    keep();
    const detected = tried.map(({ id }) => found[id]!);
    const operations = units.map(({ requests }) => calledOperation(description, requests[0]!));
    const sizes = units.map(({ requests }, unit) => ({
      operation: operations[unit]!,
      size: requests.length,
    }));
    const sent = units.map(({ requests }, unit) =>
      requests.map((request, index) => [request, runs[unit]!.answers[index]!] as const)
    );
    const describeExchange = createExchanges(description);
    const exchanges = sent.map((own) => own.map((one) => describeExchange(...one)));
    const allParts = new Set(exchanges.flat().flatMap(({ parts }) => parts.map(({ key }) => key)));
    const broken = detected.map((mutant): Broken => new Map(mutant.broken));
    const suites = drawSuites(sizes, {
      seed: extent.seed,
      anySize: extent.suites,
      each: extent.suitesEach,
    }).map(({ units: chosen, ...suite }, index) => {
      const seed = `${extent.seed} ${server.name} assertions ${index}`;
      const asserted = judgeAssertions(chosen, exchanges, broken, seed);
      return {
        ...suite,
        measured: {
          ...measureCoverage(description, chosen.flatMap((unit) => sent[unit]!)),
          noticed: share(asserted.noticed, asserted.parts),
          noticed_parts: share(asserted.noticed, allParts.size),
        },
        detected: {
          ...ofSeries((series) => countDetected(detected, series, new Set(chosen))),
          assertions: asserted.detected,
        },
        foretold: asserted.foretold,
      };
    });
    const seconds = Math.round((performance.now() - began) / 1000);
    say(`${server.name}: ${suites.length} suites after ${seconds} s`);
    return {
      ...{ name: server.name, seed: extent.seed, node: await nodeVersion() },
      ...describeDescription(description),
      mutants: { all: mutants.length, reached: reached.length },
      tried: tried.map(({ file, line, kind, replacement }, index) => ({
        ...{ file, line, kind, replacement: replacement.slice(0, 80) },
        ...ofSeries((series) => packBits(detected[index]![series], units.length)),
      })),
      units: units.map(({ source, suggestion }, unit) => ({
        ...{ source, ...suggestion && { suggestion }, operation: operations[unit]! },
        ...{ size: sizes[unit]!.size, status: runs[unit]!.answers[0]!.status },
      })),
      ...{ today, suites },
    };
  } finally {
    await host.stop();
  }
}

function countDetected(
  found: readonly Detected[],
  series: Series,
  chosen: ReadonlySet<number>,
): number {
  return found.filter((mutant) => mutant[series].some((unit) => chosen.has(unit))).length;
}

/** What a mutant changes, and which units detect it in each of the three ways. */
function judge(
  changed: ReadonlyMap<number, readonly StudyAnswer[]>,
  expected: (unit: number) => readonly StudyAnswer[],
  contradicts: (unit: number, index: number, answer: StudyAnswer) => ReadonlySet<string>,
): Detected {
  const seen = ofSeries((): number[] => []);
  const broken: [number, number[][]][] = [];
  for (const [unit, answers] of changed) {
    seen.answer.push(unit);
    const before = expected(unit);
    broken.push([unit, before.map((base, index) => brokenBy(base, answers[index]))]);
    if (before.some(({ status }, index) => status !== answers[index]?.status)) {
      seen.status.push(unit);
    }
    const isNew = before.some((base, index) => {
      const answer = answers[index];
      if (answer === undefined || answer.status === 0) return true;
      const known = contradicts(unit, index, base);
      return [...contradicts(unit, index, answer)].some((one) => !known.has(one));
    });
    if (isNew) seen.description.push(unit);
  }
  return { ...seen, broken };
}

async function nodeVersion(): Promise<string> {
  const { stdout } = await new Deno.Command("node", { args: ["--version"] }).output();
  return new TextDecoder().decode(stdout).trim();
}
