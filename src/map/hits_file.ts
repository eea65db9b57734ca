import type { PrefixCount } from "./base_path_hints.ts";
import type { SchemaUnit } from "../schema/schema_unit.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Hits, OperationHits, ParameterHits } from "./hits.ts";
import type { UnmatchedState } from "./unmatched.ts";
import { VERSION } from "../version.ts";
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
  readonly operations: readonly OperationFile[];
  readonly unmatched: UnmatchedState;
  readonly hints: readonly PrefixCount[];
  /** Absent where no test is known. */
  readonly covered_by?: CoveredByFile;
}

interface OperationFile {
  readonly index: number;
  readonly hits: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
  readonly parameters: readonly ParameterFile[];
  /** Index, hits, timed, elapsed, slowest. */
  readonly responses: readonly (readonly [number, number, number, number, number])[];
  readonly undocumented: readonly (readonly [string, number])[];
}

interface ParameterFile {
  readonly index: number;
  readonly hits: number;
  readonly malformed: number;
  readonly not_recorded: number;
  /** Absent where no value did. */
  readonly nested_too_deep?: true;
  readonly examples: readonly number[];
  /** Each schema with its block of counters. */
  readonly units: readonly (readonly [schema_path: string, counts: readonly number[]])[];
}

/** Everything that traffic has shown, as bytes that {@linkcode mergeHits} takes. */
export function exportHits(plan: CoveragePlan, hits: Hits): Uint8Array {
  const file: HitsFile = {
    covtool_hits: 1,
    version: VERSION,
    description: plan.fingerprint,
    recorded: hits.recorded,
    matched: hits.matched,
    answered: hits.answered,
    first_at: hits.firstAt,
    last_at: hits.lastAt,
    operations: hits.operations.flatMap((operation, index) =>
      operation === undefined ? [] : [operationFile(operation, index)]
    ),
    unmatched: hits.unmatched.export(),
    hints: hits.hints.export(),
    ...exportCoveredBy(hits),
  };
  const text = JSON.stringify({ ...file, checksum: fingerprint([file]) });
  return new TextEncoder().encode(text);
}

function operationFile(operation: OperationHits, index: number): OperationFile {
  return {
    index,
    hits: operation.hits,
    first_at: operation.firstAt,
    last_at: operation.lastAt,
    parameters: operation.parameters.flatMap((parameter, index) =>
      parameter === undefined ? [] : [parameterFile(parameter, index)]
    ),
    responses: operation.responses.flatMap((response, index) =>
      response === undefined
        ? []
        : [[index, response.hits, response.timed, response.elapsed, response.slowest] as const]
    ),
    undocumented: [...operation.undocumented],
  };
}

function parameterFile(parameter: ParameterHits, index: number): ParameterFile {
  const { counters } = parameter;
  return {
    index,
    hits: parameter.hits,
    malformed: parameter.malformed,
    not_recorded: parameter.notRecorded,
    ...(parameter.nestedTooDeep && { nested_too_deep: true }),
    examples: Array.from(parameter.examples, (hits) => hits ?? 0),
    units: counters.units.map((unit) => {
      const base = counters.baseOf(unit);
      return [unit.root.pathOf(""), [
        ...counters.store.counts.subarray(base, base + unit.size),
      ]] as const;
    }),
  };
}

/**
 * Adds hits that another map of the same description exported.
 *
 * @throws {TypeError} where the bytes are no hits, or hits of another description or version.
 */
export function mergeHits(plan: CoveragePlan, hits: Hits, bytes: Uint8Array): void {
  const file = readFile(bytes);
  if (file.version !== VERSION) {
    throw new TypeError(
      `Cannot merge these hits: covtool ${file.version} exported them, and this is ${VERSION}. Use one version for all parts of a run.`,
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
  for (const saved of file.operations) {
    const operation = hits.operation(saved.index);
    operation.hits += saved.hits;
    operation.seeAt(saved.first_at);
    operation.seeAt(saved.last_at);
    for (const parameter of saved.parameters) {
      addParameter(operation.parameter(parameter.index), parameter, units);
    }
    for (const [index, count, timed, elapsed, slowest] of saved.responses) {
      const response = operation.response(index);
      response.hits += count;
      response.timed += timed;
      response.elapsed += elapsed;
      response.slowest = Math.max(response.slowest, slowest);
    }
    for (const [status, count] of saved.undocumented) {
      operation.undocumented.set(status, (operation.undocumented.get(status) ?? 0) + count);
    }
  }
  if (file.covered_by !== undefined) mergeCoveredBy(hits.coveredBy, file.covered_by, units);
}

function addParameter(
  parameter: ParameterHits,
  saved: ParameterFile,
  units: ReadonlyMap<string, SchemaUnit>,
): void {
  parameter.hits += saved.hits;
  parameter.malformed += saved.malformed;
  parameter.notRecorded += saved.not_recorded;
  parameter.nestedTooDeep ||= saved.nested_too_deep === true;
  saved.examples.forEach((count, index) => {
    parameter.examples[index] = (parameter.examples[index] ?? 0) + count;
  });
  for (const [path, block] of saved.units) {
    const unit = units.get(path);
    if (unit === undefined) continue; // unitsOf has them all
    const base = parameter.counters.baseOf(unit);
    const counts = parameter.counters.store.counts;
    block.forEach((count, offset) => {
      counts[base + offset] = (counts[base + offset] as number) + count;
    });
  }
}

const DAMAGED = "Cannot merge these hits: the data is damaged. Export it again.";

function unitsOf(plan: CoveragePlan, file: HitsFile): Map<string, SchemaUnit> {
  const units = new Map<string, SchemaUnit>();
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

/** What is read, until its checksum says that it is what was written. */
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
