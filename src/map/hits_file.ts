import type { PrefixCount } from "./base_path_hints.ts";
import type { CountedUnit } from "../schema/counted_unit.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Hits } from "./hits.ts";
import type { OperationHits, ParameterHits } from "./operation_hits.ts";
import type { UnmatchedState } from "./unmatched.ts";
import type { UndocumentedBody } from "./undocumented_bodies.ts";
import { VERSION } from "../values/version.ts";
import { type CoveredByFile, exportCoveredBy, mergeCoveredBy } from "./covered_by_file.ts";
import { findUnit } from "./find_unit.ts";
import { fingerprint } from "./fingerprint.ts";

/** Hits as they are saved: UTF-8 JSON, bound to a description and a version of covtool. */
interface HitsFile {
  readonly covtool_hits: 1;
  readonly version: string;
  /** Which description these are hits of. */
  readonly description: string;
  readonly recorded: number;
  readonly matched: number;
  readonly answered: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
  /** Times at which something was first seen, in seconds since 1970; absent where none is known. */
  readonly times?: readonly number[];
  readonly operations: readonly OperationFile[];
  readonly unmatched: UnmatchedState;
  readonly hints: readonly PrefixCount[];
  /** Absent where no test is known. */
  readonly covered_by?: CoveredByFile;
}

interface OperationFile {
  readonly index: number;
  readonly hits: number;
  /** Absent where there are none. */
  readonly succeeded?: number;
  /** Absent where there are none. */
  readonly refused?: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
  readonly parameters: readonly ParameterFile[];
  /** Index, hits, timed, elapsed, slowest, first time (as an index into the times, or {@linkcode NO_TIME}). */
  readonly responses: readonly (readonly [number, number, number, number, number, number])[];
  readonly undocumented: readonly (readonly [string, number])[];
  /** Absent where there are none. */
  readonly undocumented_bodies?: readonly UndocumentedBody[];
}

interface ParameterFile {
  readonly index: number;
  readonly hits: number;
  readonly malformed: number;
  readonly not_recorded: number;
  /** Absent where no value did. */
  readonly nested_too_deep?: true;
  /** Absent where no value was. */
  readonly replaced?: true;
  /** Absent where every text was held against its patterns. */
  readonly pattern_unjudged?: true;
  readonly examples: readonly number[];
  /** Hits of the values that its schema names; absent where none was hit. */
  readonly values?: readonly number[];
  /** Each schema with its block of counters, and where times are known when each was first counted. */
  readonly units: readonly UnitFile[];
  /** When it was first carried, and when each example was first sent; indexes as above. Absent where no time is known. */
  readonly firsts?: readonly [own: number, examples: readonly number[]];
}

type UnitFile = readonly [
  schema_path: string,
  counts: readonly number[],
  firsts?: readonly number[],
];

/** Stands for a time that is not known. */
const NO_TIME = -1;

/** Gives each time a number, the same one every time: what is first seen is mostly first seen together. */
class Times {
  readonly list: number[] = [];
  readonly #numbers = new Map<number, number>();

  number(time: number): number {
    if (time === Infinity) return NO_TIME;
    const known = this.#numbers.get(time);
    if (known !== undefined) return known;
    this.#numbers.set(time, this.list.length);
    return this.list.push(time) - 1;
  }
}

/** Everything that traffic has shown, as bytes that {@linkcode mergeHits} takes. */
export function exportHits(plan: CoveragePlan, hits: Hits): Uint8Array {
  const times = new Times();
  const operations = hits.operations.flatMap((operation, index) =>
    operation === undefined ? [] : [operationFile(operation, index, times)]
  );
  const file: HitsFile = {
    covtool_hits: 1,
    version: VERSION,
    description: plan.fingerprint,
    recorded: hits.recorded,
    matched: hits.matched,
    answered: hits.answered,
    first_at: hits.firstAt,
    last_at: hits.lastAt,
    ...(times.list.length > 0 && { times: times.list }),
    operations,
    unmatched: hits.unmatched.export(),
    hints: hits.hints.export(),
    ...exportCoveredBy(hits),
  };
  const text = JSON.stringify({ ...file, checksum: fingerprint([file]) });
  return new TextEncoder().encode(text);
}

function operationFile(operation: OperationHits, index: number, times: Times): OperationFile {
  const bodies = operation.undocumentedBodies.list();
  return {
    index,
    hits: operation.hits,
    ...(operation.succeeded > 0 && { succeeded: operation.succeeded }),
    ...(operation.refused > 0 && { refused: operation.refused }),
    first_at: operation.firstAt,
    last_at: operation.lastAt,
    parameters: operation.parameters.flatMap((parameter, index) =>
      parameter === undefined
        ? []
        : [parameterFile(parameter, index, operation.firstAt === null ? undefined : times)]
    ),
    responses: operation.responses.flatMap((response, index) => {
      if (response === undefined) return [];
      const { hits, timed, elapsed, slowest, firstAt } = response;
      return [[index, hits, timed, elapsed, slowest, times.number(firstAt)] as const];
    }),
    undocumented: [...operation.undocumented],
    ...(bodies.length > 0 && { undocumented_bodies: bodies }),
  };
}

/** Times are undefined if no request to the operation has one. */
function parameterFile(
  parameter: ParameterHits,
  index: number,
  times: Times | undefined,
): ParameterFile {
  const { counters: { store }, counters, exampleFirsts } = parameter;
  return {
    index,
    hits: parameter.hits,
    malformed: parameter.malformed,
    not_recorded: parameter.notRecorded,
    ...(parameter.nestedTooDeep && { nested_too_deep: true }),
    ...(parameter.replaced && { replaced: true }),
    ...(parameter.patternUnjudged && { pattern_unjudged: true }),
    examples: Array.from(parameter.examples, (hits) => hits ?? 0),
    ...(parameter.values !== undefined && {
      values: Array.from(parameter.values, (hits) => hits ?? 0),
    }),
    units: counters.units.map((unit): UnitFile => {
      const base = counters.baseOf(unit);
      const counts = [...store.counts.subarray(base, base + unit.size)];
      return times === undefined ? [unit.root.pathOf(""), counts] : [
        unit.root.pathOf(""),
        counts,
        counts.map((_, slot) => times.number(store.firstOf(base + slot))),
      ];
    }),
    ...(times !== undefined && {
      firsts: [
        times.number(parameter.firstAt),
        Array.from(exampleFirsts, (time) => times.number(time ?? Infinity)),
      ] as const,
    }),
  };
}

/**
 * Adds hits that another map of the same description exported.
 *
 * @throws {TypeError} if the bytes are no hits, or hits of another description or version.
 */
export function mergeHits(plan: CoveragePlan, hits: Hits, bytes: Uint8Array): void {
  const file = readFile(bytes);
  if (file.version !== VERSION) {
    throw new TypeError(
      `Cannot merge these hits: covtool ${file.version} exported them, but this is ${VERSION}. Use the same version for all parts of a run.`,
    );
  }
  if (file.description !== plan.fingerprint) {
    throw new TypeError(
      `Cannot merge these hits: they belong to a different description than ${plan.documents.location}. Load the same description in all parts of a run.`,
    );
  }
  const { checksum, ...content } = file;
  if (checksum !== fingerprint([content])) throw new TypeError(DAMAGED);
  const units = unitsOf(plan, file); // before anything is added, so that bad bytes add nothing
  hits.coveredBy.settle(hits.operations); // so that no test here takes what is merged for its own
  hits.recorded += file.recorded;
  hits.matched += file.matched;
  hits.answered += file.answered;
  hits.seeAt(file.first_at);
  hits.seeAt(file.last_at);
  hits.unmatched.merge(file.unmatched);
  hits.hints.merge(file.hints);
  hits.store.mix();
  const timeAt = (index: number): number => file.times?.[index] ?? Infinity;
  for (const saved of file.operations) {
    const operation = hits.operation(saved.index);
    operation.hits += saved.hits;
    operation.succeeded += saved.succeeded ?? 0;
    operation.refused += saved.refused ?? 0;
    operation.seeAt(saved.first_at);
    operation.seeAt(saved.last_at);
    for (const parameter of saved.parameters) {
      addParameter(operation.parameter(parameter.index), parameter, units, timeAt);
    }
    for (const [index, count, timed, elapsed, slowest, firstAt] of saved.responses) {
      const response = operation.response(index);
      response.hits += count;
      response.timed += timed;
      response.elapsed += elapsed;
      response.slowest = Math.max(response.slowest, slowest);
      response.cameAt(timeAt(firstAt));
    }
    operation.undocumentedBodies.merge(saved.undocumented_bodies ?? []);
    for (const [status, count] of saved.undocumented) {
      operation.undocumented.set(status, (operation.undocumented.get(status) ?? 0) + count);
    }
  }
  if (file.covered_by !== undefined) mergeCoveredBy(hits.coveredBy, file.covered_by, units);
}

function addParameter(
  parameter: ParameterHits,
  saved: ParameterFile,
  units: ReadonlyMap<string, CountedUnit>,
  timeAt: (index: number) => number,
): void {
  const [firstAt, exampleFirsts] = saved.firsts ?? [NO_TIME, []];
  parameter.carriedAt(timeAt(firstAt));
  exampleFirsts.forEach((time, index) => {
    const known = parameter.exampleFirsts[index] ?? Infinity;
    parameter.exampleFirsts[index] = Math.min(known, timeAt(time));
  });
  parameter.hits += saved.hits;
  parameter.malformed += saved.malformed;
  parameter.notRecorded += saved.not_recorded;
  parameter.nestedTooDeep ||= saved.nested_too_deep === true;
  parameter.replaced ||= saved.replaced === true;
  parameter.patternUnjudged ||= saved.pattern_unjudged === true;
  saved.examples.forEach((count, index) => {
    parameter.examples[index] = (parameter.examples[index] ?? 0) + count;
  });
  saved.values?.forEach((count, index) => {
    const values = parameter.values ??= [];
    values[index] = (values[index] ?? 0) + count;
  });
  for (const [path, block, firsts = []] of saved.units) {
    const unit = units.get(path);
    if (unit === undefined) continue; // unitsOf has them all
    const base = parameter.counters.baseOf(unit);
    const { store } = parameter.counters;
    const counts = store.counts;
    firsts.forEach((time, offset) => {
      if (time !== NO_TIME) store.noteAt(base + offset, timeAt(time));
    });
    block.forEach((count, offset) => {
      counts[base + offset] = (counts[base + offset] as number) + count;
    });
  }
}

const DAMAGED = "Cannot merge these hits: the data is damaged. Export it again.";

function unitsOf(plan: CoveragePlan, file: HitsFile): Map<string, CountedUnit> {
  const units = new Map<string, CountedUnit>();
  for (const { index, parameters } of file.operations) {
    const operation = plan.operations[index];
    for (const saved of parameters) {
      const parameter = operation?.parameters[saved.index];
      if (parameter === undefined) throw new TypeError(DAMAGED);
      for (const [path, block] of saved.units) {
        const unit = units.get(path) ?? findUnit(plan, parameter, path);
        if (unit === undefined || unit.size !== block.length) throw new TypeError(DAMAGED);
        units.set(path, unit);
      }
    }
  }
  return units;
}

/** The file as read, before its checksum is verified. */
interface ReadFile extends HitsFile {
  readonly checksum?: unknown;
}

function readFile(bytes: Uint8Array): ReadFile {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new TypeError(
      "Cannot merge these hits: they are not what exportHits() gave. Pass its bytes unchanged.",
      { cause },
    );
  }
  if (typeof value !== "object" || value === null || !("covtool_hits" in value)) {
    throw new TypeError(
      "Cannot merge these hits: they are not what exportHits() gave. Pass its bytes unchanged.",
    );
  }
  return value as ReadFile;
}
