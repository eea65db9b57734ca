import { VERSION } from "../../values/version.ts";
import type { PrefixCount } from "../base_path_hints.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import { findUnit } from "../find_unit.ts";
import { firstFingerprint } from "./first_fingerprint.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import type { UndocumentedBody } from "../undocumented_bodies.ts";
import type { UnmatchedState } from "../unmatched.ts";
import { checkHits, HitsProblem } from "./check_hits.ts";
import { describePlan, operationName, parameterName } from "./names.ts";
import {
  type CountsFile,
  type ExampleFile,
  HITS_FORMAT,
  type HitsFile,
  NO_TIME,
  type OperationFile,
  type ParameterFile,
  type SchemaFile,
  type SchemaTestsFile,
  type TestIndexes,
} from "./hits_format.ts";

type Entries<Key> = readonly (readonly [Key, TestIndexes])[];

/** Format 1, bound to a description and a version of covtool: everything has an index instead of a name. */
interface FirstFormat {
  readonly version: string;
  readonly description: string;
  readonly checksum?: unknown;
  readonly recorded: number;
  readonly matched: number;
  readonly answered: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
  readonly times?: readonly number[];
  readonly operations: readonly FirstOperation[];
  readonly unmatched: UnmatchedState;
  readonly hints: readonly PrefixCount[];
  readonly covered_by?: {
    readonly names: readonly string[];
    readonly operations: readonly {
      readonly index: number;
      readonly tests: TestIndexes;
      readonly parameters: readonly {
        readonly index: number;
        readonly tests: TestIndexes;
        readonly examples: Entries<number>;
        readonly units: readonly (readonly [string, Entries<number>])[];
      }[];
      readonly responses: Entries<number>;
      readonly undocumented: Entries<string>;
    }[];
  };
}

interface FirstOperation {
  readonly index: number;
  readonly hits: number;
  readonly succeeded?: number;
  readonly refused?: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
  readonly parameters: readonly FirstParameter[];
  readonly responses: readonly (readonly [number, number, number, number, number, number])[];
  readonly undocumented: readonly (readonly [string, number])[];
  readonly undocumented_bodies?: readonly UndocumentedBody[];
}

interface FirstParameter {
  readonly index: number;
  readonly hits: number;
  readonly malformed: number;
  readonly not_recorded: number;
  readonly nested_too_deep?: true;
  readonly replaced?: true;
  readonly pattern_unjudged?: true;
  readonly examples: readonly number[];
  readonly values?: readonly number[];
  readonly units: readonly (readonly [string, readonly number[], (readonly number[])?])[];
  readonly firsts?: readonly [number, readonly number[]];
}

/**
 * Hits of format 1 in today's format.
 *
 * @throws {HitsProblem} if they are damaged, or of another version or description, in which case their indexes have no
 * meaning.
 */
export function upgradeHits(plan: CoveragePlan, value: unknown): HitsFile {
  const { checksum, ...content } = value as FirstFormat;
  if (checksum !== firstFingerprint([content])) {
    throw new HitsProblem("is damaged", "damaged");
  }
  const documents = [...plan.documents.documents.values()].map(({ value }) => value);
  if (content.version !== VERSION || content.description !== firstFingerprint(documents)) {
    throw new HitsProblem(
      `has format 1 of hits, which only fits the description and the version of covtool (${content.version}) that it was written with`,
      "hits_format",
    );
  }
  const file = new Upgrade(plan, content).file();
  checkHits(file);
  return file;
}

class Upgrade {
  readonly #plan: CoveragePlan;
  readonly #old: Omit<FirstFormat, "checksum">;
  readonly #times: number[];
  readonly #schemas: SchemaFile[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(plan: CoveragePlan, old: Omit<FirstFormat, "checksum">) {
    this.#plan = plan;
    this.#old = old;
    this.#times = [...old.times ?? []];
  }

  file(): HitsFile {
    const { recorded, matched, answered, first_at, last_at, unmatched, hints } = this.#old;
    const operations = this.#old.operations.map((operation) => this.#operation(operation));
    return {
      covtool_hits: HITS_FORMAT,
      covtool: VERSION,
      description: describePlan(this.#plan),
      recorded,
      matched,
      answered,
      ...(first_at !== null && last_at !== null && { seen: [first_at, last_at] }),
      tests: this.#old.covered_by?.names ?? [],
      schemas: this.#schemas,
      operations,
      times: this.#times,
      unmatched,
      hints,
    };
  }

  #operation(old: FirstOperation): OperationFile {
    const plan = this.#plan.operations[old.index];
    if (plan === undefined) throw new HitsProblem("is damaged", "damaged");
    const tests = this.#old.covered_by?.operations.find(({ index }) => index === old.index);
    const statusOf = (index: number): string => plan.model.responses[index]?.status_code ?? "";
    return {
      operation: operationName(plan),
      hits: old.hits,
      succeeded: old.succeeded ?? 0,
      refused: old.refused ?? 0,
      ...(old.first_at !== null && old.last_at !== null && {
        seen: [this.#times.push(old.first_at) - 1, this.#times.push(old.last_at) - 1],
      }),
      parameters: old.parameters.map((parameter) => this.#parameter(plan, old.index, parameter)),
      responses: old.responses.map(([index, hits, timed, elapsed, slowest, first]) =>
        [statusOf(index), hits, first, timed, elapsed, slowest] as const
      ),
      undocumented: old.undocumented,
      undocumented_bodies: old.undocumented_bodies ?? [],
      ...(tests !== undefined && {
        tests: tests.tests,
        response_tests: tests.responses.map(([index, list]) => [statusOf(index), list] as const),
        undocumented_tests: tests.undocumented,
      }),
    };
  }

  #parameter(operation: OperationPlan, index: number, old: FirstParameter): ParameterFile {
    const plan = operation.parameters[old.index];
    if (plan === undefined) throw new HitsProblem("is damaged", "damaged");
    const [first = NO_TIME, exampleFirsts = []] = old.firsts ?? [];
    const tests = this.#old.covered_by?.operations.find((tests) => tests.index === index)
      ?.parameters.find((tests) => tests.index === old.index);
    const { layouts } = this.#plan;
    const examples = old.examples.map((hits, at): ExampleFile => [
      at,
      layouts.hashOf(plan.model.examples[at]?.place.value),
      hits,
      exampleFirsts[at] ?? NO_TIME,
    ]).filter(([, , hits]) => hits > 0);
    return [
      parameterName(plan),
      old.hits,
      old.units.map(([path, counts, firsts = []]): CountsFile => [
        this.#schema(plan, path),
        counts,
        counts.flatMap((count, slot) => count > 0 ? [firsts[slot] ?? NO_TIME] : []),
      ]),
      first,
      {
        malformed: old.malformed,
        not_recorded: old.not_recorded,
        ...(old.nested_too_deep && { nested_too_deep: true }),
        ...(old.replaced && { replaced: true }),
        ...(old.pattern_unjudged && { pattern_unjudged: true }),
        examples,
        values: plan.values.flatMap((value, at) => {
          const hits = old.values?.[at] ?? 0;
          return hits === 0 ? [] : [[value, hits] as const];
        }),
        ...(tests !== undefined && {
          tests: tests.tests,
          example_tests: tests.examples,
          schema_tests: tests.units.map(([path, counters]): SchemaTestsFile => [
            this.#schema(plan, path),
            counters,
          ]),
        }),
      },
    ];
  }

  #schema(parameter: ParameterPlan, path: string): number {
    const role = (["schema", "itemSchema"] as const).find((role) => {
      const schema = parameter[role];
      return typeof schema === "object" && schema.pathOf("") === path;
    });
    const unit = findUnit(this.#plan, parameter, path);
    if (unit === undefined) throw new HitsProblem("is damaged", "damaged");
    const layout = this.#plan.layouts.textOf(unit);
    const key = `${role ?? path}\n${layout}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#schemas.push([role ?? path, layout]) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}
