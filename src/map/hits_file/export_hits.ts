import {
  appendTo,
  compareText,
  concatBytes,
  getOrAdd,
  sortByName,
} from "../../values/collections.ts";
import type { CountedUnit } from "../../schema/counters.ts";
import { VERSION } from "../../values/version.ts";
import type { AccessCount } from "../access_hits.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import type { OpenRecording } from "../credential_hits.ts";
import type { CoveredBy } from "../covered_by.ts";
import type { Evidence, EvidenceExample, EvidenceKind } from "../evidence.ts";
import type { Hits } from "../hits.ts";
import type { NoticedPartHits } from "../noticed_hits.ts";
import type { OperationHits, ParameterHits, ResponsePartHits } from "../operation_hits.ts";
import { parameterName, type ParameterPlan } from "../parameter_plan.ts";
import { DEFAULT_VISIBILITY, type TrafficVisibility } from "../visible_parts.ts";
import { areValuesCounted } from "../value_coverage.ts";
import { checksum } from "../value_hash.ts";
import { shortPath, writeEvidence, writeExample, writeViolation } from "./evidence_entry.ts";
import {
  CHECKSUM_START,
  type CountsFile,
  type CredentialsFile,
  type EvidenceFile,
  type EvidenceFiles,
  HITS_FORMAT,
  type HitsFile,
  NO_TIME,
  type NoticedFile,
  type OperationFile,
  type ParameterDetails,
  type ParameterFile,
  type RequestFile,
  type ResponseFile,
  type SchemaFile,
  type SchemaTestsFile,
  type TestIndexes,
  type TimeIndex,
} from "./hits_format.ts";
import { describePlan, operationKey } from "./plan_names.ts";

/** Exports hits as one line. Equal counts result in equal bytes, whatever the order in which they were collected. */
export function exportHits(plan: CoveragePlan, hits: Hits, api?: string): Uint8Array {
  hits.coveredBy.attributeCounts();
  const writer = new HitsWriter(plan, new SortedTests(hits.coveredBy), api);
  const encoder = new TextEncoder();
  const content = encoder.encode(withoutCommands(JSON.stringify(writer.write(hits))).slice(0, -1));
  const ending = encoder.encode(`${CHECKSUM_START}${checksum(content)}"}\n`);
  return concatBytes([content, ending]);
}

/** Keeps build servers from executing text as commands when hits go to standard output and must stay unchanged. */
function withoutCommands(json: string): string {
  return json.includes("##") ? json.replaceAll("##", "#\\u0023") : json;
}

/** Numbers times. Each time is listed once, as much is often first seen at the same time. */
class TimeTable {
  readonly list: number[] = [];
  readonly #numbers = new Map<number, TimeIndex>();

  index(time: number | null): TimeIndex {
    if (time === null || time === Infinity) return NO_TIME;
    return getOrAdd(this.#numbers, time, () => this.list.push(time) - 1);
  }
}

/** The tests of a file, sorted by name: the order in which they run differs between runs. */
class SortedTests {
  readonly names: readonly string[];
  readonly #coveredBy: CoveredBy;
  /** The new index of each test; undefined if all indexes stay the same. */
  readonly #ranks: readonly number[] | undefined;

  constructor(coveredBy: CoveredBy) {
    const { names } = coveredBy;
    this.#coveredBy = coveredBy;
    this.names = [...names].sort(compareText);
    if (this.names.every((name, index) => name === names[index])) return;
    const ranks = new Map(this.names.map((name, index) => [name, index]));
    this.#ranks = names.map((name) => ranks.get(name) as number); // the map has all names
  }

  testsAt(at: number | undefined): TestIndexes | undefined {
    const tests = this.#coveredBy.testsAt(at);
    const ranks = this.#ranks;
    if (tests === undefined || ranks === undefined) return tests;
    return tests.map((test) => ranks[test] as number).sort((a, b) => a - b); // `ranks` has all tests
  }

  /** Returns the tests of several counters, each with its position in the list; counters without tests are left out. */
  entries(counters: readonly (number | undefined)[]): (readonly [place: number, TestIndexes])[] {
    return counters.flatMap((at, place) => {
      const tests = this.testsAt(at);
      return tests === undefined ? [] : [[place, tests] as const];
    });
  }
}

/** The schemas of a file. Identical entries of several parameters are written once. */
class SchemaTable {
  readonly #plan: CoveragePlan;
  readonly #entries: { readonly pointer: string; readonly unit: CountedUnit }[] = [];
  readonly #numbers = new Map<string, number>();
  /** Numbers of units that are identified by their pointer. */
  readonly #byUnit = new Map<CountedUnit, number>();
  readonly #pointers = new Map<CountedUnit, string>();

  constructor(plan: CoveragePlan) {
    this.#plan = plan;
  }

  /** Sorts units by pointer: a parameter lists them in the order in which values reached them. */
  sorted(units: readonly CountedUnit[]): readonly CountedUnit[] {
    if (units.length < 2) return units;
    return [...units].sort((a, b) => compareText(this.#rootPointer(a), this.#rootPointer(b)));
  }

  #rootPointer(unit: CountedUnit): string {
    return getOrAdd(this.#pointers, unit, () => unit.root.schemaPath());
  }

  index(unit: CountedUnit, parameter: ParameterPlan): number {
    if (unit.root === parameter.schema) return this.#findOrAdd(unit, "schema");
    if (unit.root === parameter.itemSchema) return this.#findOrAdd(unit, "itemSchema");
    return getOrAdd(this.#byUnit, unit, () => this.#findOrAdd(unit, this.#rootPointer(unit)));
  }

  /** The key has the direction: a schema has other counters in requests than in responses. */
  #findOrAdd(unit: CountedUnit, pointer: string): number {
    const { layouts } = this.#plan;
    const targets = layouts.references(unit).map(({ pointer, target }) =>
      `${pointer} ${target.schemaPath()}`
    );
    const key = [directedPointer(unit, pointer), layouts.text(unit), ...targets].join("\n");
    return getOrAdd(this.#numbers, key, () => this.#entries.push({ pointer, unit }) - 1);
  }

  list(): SchemaFile[] {
    const { layouts } = this.#plan;
    const numbers = new Map(
      this.#entries.map(({ pointer, unit }, index) => [directedPointer(unit, pointer), index]),
    );
    return this.#entries.map(({ pointer, unit }): SchemaFile => {
      const references = layouts.references(unit).flatMap(({ pointer, target }) => {
        const index = numbers.get(directedPointer(unit, target.schemaPath()));
        return index === undefined ? [] : [[pointer, index] as const];
      });
      const schema = [pointer, layouts.text(unit)] as const;
      return references.length === 0 ? schema : [...schema, references];
    });
  }
}

function directedPointer(unit: CountedUnit, pointer: string): string {
  return `${unit.root.graph.direction} ${pointer}`;
}

/** Leaves out members that are zero, unknown or empty. */
function withoutEmpty<Members extends object>(members: Members): WithoutEmpty<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => !isEmpty(value)),
  ) as WithoutEmpty<Members>;
}

type WithoutEmpty<Members> = {
  readonly [Name in keyof Members]?: Exclude<Members[Name], undefined | false>;
};

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" ? value === null || Object.keys(value).length === 0 : !value;
}

class HitsWriter {
  readonly #plan: CoveragePlan;
  readonly #times = new TimeTable();
  readonly #schemas: SchemaTable;
  readonly #tests: SortedTests;
  readonly #api: string | undefined;

  constructor(plan: CoveragePlan, tests: SortedTests, api: string | undefined) {
    this.#plan = plan;
    this.#api = api;
    this.#schemas = new SchemaTable(plan);
    this.#tests = tests;
  }

  write(hits: Hits): HitsFile {
    const { firstAt, lastAt } = hits;
    const noticedByOperation = new Map<number, NoticedPartHits[]>();
    for (const part of hits.noticed.list()) {
      appendTo(noticedByOperation, part.place.operation, part);
    }
    const accessByOperation = new Map<number, AccessCount[]>();
    for (const count of hits.access.list()) appendTo(accessByOperation, count.operation, count);
    const operations = hits.operations.flatMap((operation, index) => {
      const plan = this.#plan.operations[index];
      if (operation === undefined || plan === undefined) return [];
      return [{
        ...this.#operation(plan, operation),
        ...withoutEmpty({
          noticed: noticedByOperation.get(index)?.map((part) => writeNoticed(plan, part)),
          access: accessByOperation.get(index)?.map(({ identity, status, owner, count, firstAt }) =>
            [identity, status, owner, count, ...this.#timeEntry(firstAt)] as const
          ),
        }),
      }];
    });
    const credentials = hits.credentials.list().map((recording) => this.#credentials(...recording));
    const unmatched = hits.unmatched.export();
    const { unknownSenders, hiddenSenders } = hits.access;
    return {
      covtool_hits: HITS_FORMAT,
      covtool: VERSION,
      description: { ...describePlan(this.#plan), ...withoutEmpty({ api: this.#api }) },
      recorded: hits.recorded,
      matched: hits.matched,
      answered: hits.answered,
      ...withoutEmpty({
        visible: hits.recorded === 0 ? undefined : Object.fromEntries(
          Object.entries(hits.visible.parts).filter(([name, shown]) =>
            shown !== DEFAULT_VISIBILITY[name as keyof TrafficVisibility]
          ),
        ),
        seen: firstAt === null || lastAt === null ? undefined : [firstAt, lastAt] as const,
        times: this.#times.list,
        tests: this.#tests.names,
        tests_left_out: hits.coveredBy.isTruncated,
        values: areValuesCounted(this.#plan, hits),
      }),
      schemas: this.#schemas.list(),
      operations,
      ...withoutEmpty({
        unmatched: unmatched.total === 0 ? undefined : unmatched,
        hints: hits.basePathHints.export(),
        credentials,
        access: withoutEmpty({ unknown: unknownSenders, hidden: hiddenSenders }),
      }),
    };
  }

  // The order of these statements determines the indexes of times, so it must not depend on the traffic.
  #operation(plan: OperationPlan, hits: OperationHits): OperationFile {
    const tests = this.#tests.testsAt(hits.at);
    const parameters = plan.parameters.flatMap((parameter, index) => {
      const parameterHits = hits.parameters[index];
      return parameterHits === undefined ? [] : [this.#parameter(parameter, parameterHits)];
    });
    const statusCode = (index: number): string => plan.model.responses[index]?.status_code ?? "";
    const responses = hits.responses.flatMap((response, index): ResponseFile[] => {
      if (response === undefined) return [];
      const { timed, elapsed, slowest } = response;
      const first = this.#times.index(response.firstAt);
      const times = timed > 0 ? [first, timed, elapsed, slowest] as const : timeEntry(first);
      return [[statusCode(index), response.hits, ...times]];
    });
    const requestBodies = hits.undocumentedBodies.list().map(({ mediaType, hits, example }) =>
      example === undefined
        ? [mediaType, hits] as const
        : [mediaType, hits, this.#example(example)] as const
    );
    const undocumented = sortByName(hits.undocumentedResponses);
    // Failures are only reported for operations that never succeeded.
    const reportable = hits.evidence.list().filter(({ kind }) =>
      kind !== "failed" || hits.succeeded === 0
    );
    const evidence = this.#evidence(plan, reportable, parameters);
    const seen = hits.firstAt === null
      ? undefined
      : [this.#times.index(hits.firstAt), this.#times.index(hits.lastAt)] as const;
    const parts = hits.responses.flatMap((response, index) => {
      const planned = response?.parts.length ? plan.response(index) : undefined;
      if (response === undefined || planned === undefined) return [];
      const files = response.parts.flatMap((part, at) => {
        const partPlan = planned.parts[at];
        return part === undefined || partPlan === undefined ? [] : [this.#part(partPlan, part)];
      });
      return [[statusCode(index), files] as const];
    });
    const responseBodies = hits.undocumentedResponseBodies.list().map(
      ({ status, mediaType, hits, firstAt, example }) => {
        const first = this.#times.index(firstAt);
        const ending = example?.request === undefined
          ? timeEntry(first)
          : [first, this.#example(example)] as const;
        return [status, mediaType, hits, ...ending] as const;
      },
    );
    const properties = hits.undocumentedProperties.list().map(
      ({ status, mediaType, pointer, hits, firstAt }) =>
        [status, mediaType, pointer, hits, ...this.#timeEntry(firstAt)] as const,
    );
    return {
      operation: operationKey(plan),
      hits: hits.hits,
      ...withoutEmpty({
        succeeded: hits.succeeded,
        refused: hits.refused,
        seen,
        parameters,
        responses,
        undocumented: undocumented.map(([status, { hits }]) => [status, hits] as const),
        undocumented_bodies: requestBodies,
        answered_bodies: hits.responseBodies,
        links: sortByName(hits.links),
        hidden: sortByName(hits.hiddenParameters),
        undocumented_parameters: hits.undocumentedParameters.list()
          .map(({ name, count }) => [name, count] as const),
        undocumented_properties: properties,
        response_parts: parts,
        undocumented_answers: responseBodies,
        evidence,
      }),
      ...tests !== undefined && {
        tests,
        response_tests: this.#tests.entries(hits.responses.map((response) => response?.at))
          .map(([index, list]) => [statusCode(index), list] as const),
        undocumented_tests: this.#tests.entries(undocumented.map(([, { at }]) => at))
          .map(([index, list]) => [undocumented[index]?.[0] ?? "", list] as const),
      },
    };
  }

  #credentials(name: string, { shownPlaces, pending, objects }: OpenRecording): CredentialsFile {
    const operationAt = (index: number) => this.#plan.operations[index] as OperationPlan; // the plan has the hits' indexes
    const pendingEntries = [...pending].sort(([a], [b]) => a - b).flatMap(([index, evidence]) => {
      const list = this.#evidence(operationAt(index), evidence.list(), []);
      return isEmpty(list) ? [] : [[operationKey(operationAt(index)), list] as const];
    });
    return {
      ...withoutEmpty({ recording: name }),
      shown: [...shownPlaces].sort(compareText),
      ...withoutEmpty({ pending: pendingEntries }),
      ...objects.isUsed && {
        owners: objects.owners().map(({ objects, test, identity }) =>
          [objects, test, identity] as const
        ),
        touches: objects.touches().map(
          ({ objects, test, operation, identity, status, count, firstAt }) => {
            const name = operationKey(operationAt(operation));
            const touch = [objects, test, name, identity, status, count] as const;
            return [...touch, ...this.#timeEntry(firstAt)] as const;
          },
        ),
      },
    };
  }

  #evidence(
    plan: OperationPlan,
    list: readonly Evidence[],
    parameters: readonly ParameterFile[],
  ): EvidenceFiles {
    const kinds: Partial<Record<EvidenceKind, EvidenceFile[]>> = {};
    for (const evidence of list) {
      (kinds[evidence.kind] ??= []).push(
        writeEvidence(plan, evidence, parameters, this.#timeIndex),
      );
    }
    return kinds;
  }

  readonly #timeIndex = (time: number): TimeIndex => this.#times.index(time);

  #timeEntry(time: number): readonly [] | readonly [TimeIndex] {
    return timeEntry(this.#times.index(time));
  }

  #example(example: EvidenceExample): number | RequestFile {
    return writeExample(example, this.#timeIndex);
  }

  #part(part: ParameterPlan, hits: ResponsePartHits): ParameterFile {
    const details = withoutEmpty({
      undecoded: hits.undecoded,
      properties: sortByName(hits.properties).flatMap(([pointer, names]) =>
        names.size === 0
          ? []
          : [[shortPath(part, pointer), ...[...names].sort(compareText)] as const]
      ),
      violations: hits.violations.list().map((violation) =>
        writeViolation(part, violation, this.#timeIndex)
      ),
    });
    return this.#parameter(part, hits, details);
  }

  #parameter(
    plan: ParameterPlan,
    hits: ParameterHits,
    extraDetails: ParameterDetails = {},
  ): ParameterFile {
    const { counters } = hits;
    const parameterFirst = this.#times.index(hits.firstAt);
    const schemas = this.#schemas.sorted(counters.units).flatMap((unit): CountsFile[] => {
      const base = counters.base(unit);
      const counts = [...counters.store.counts.subarray(base, base + unit.size)];
      const isCounted = counts.some((count) => count > 0);
      // A unit without counters is needed for its references.
      if (!isCounted && unit.size > 0) return [];
      const schema = this.#schemas.index(unit, plan);
      const first = this.#firstTimes(
        counts,
        (slot) => counters.store.firstTime(base + slot),
        parameterFirst,
      );
      return [first === parameterFirst ? [schema, counts] : [schema, counts, first]];
    });
    const details = { ...this.#details(plan, hits), ...extraDetails };
    const name = parameterName(plan);
    if (!isEmpty(details)) return [name, hits.hits, schemas, parameterFirst, details];
    if (parameterFirst !== NO_TIME) return [name, hits.hits, schemas, parameterFirst];
    return schemas.length === 0 ? [name, hits.hits] : [name, hits.hits, schemas];
  }

  /** Returns one time if all nonzero counters were first raised then (or there are none); otherwise a list. */
  #firstTimes(
    counts: readonly number[],
    firstAt: (slot: number) => number,
    fallback: TimeIndex,
  ): TimeIndex | TimeIndex[] {
    const firsts = counts.flatMap((count, slot) =>
      count > 0 ? [this.#times.index(firstAt(slot))] : []
    );
    const [only = fallback] = firsts;
    return firsts.every((time) => time === only) ? only : firsts;
  }

  #details(plan: ParameterPlan, hits: ParameterHits): ParameterDetails {
    const examples = hits.exampleAts.flatMap((_, index) => {
      const { hits: count, firstAt } = hits.exampleCounts(index);
      if (count === 0) return [];
      const hash = this.#plan.layouts.shortHash(plan.model.examples[index]?.value);
      return [[index, hash, count, ...this.#timeEntry(firstAt)] as const];
    });
    const { counters } = hits;
    const tests = this.#tests.testsAt(hits.at);
    const values = plan.values.map((value, index) => [value, hits.values?.[index] ?? 0] as const);
    return {
      ...withoutEmpty({
        malformed: hits.malformed,
        not_recorded: hits.notRecorded,
        nested_too_deep: hits.nestedTooDeep,
        replaced: hits.replaced,
        pattern_unjudged: hits.patternUnjudged,
        too_long: hits.tooLong,
        examples,
        values: values.filter(([, count]) => count > 0),
      }),
      ...tests !== undefined && {
        tests,
        example_tests: this.#tests.entries(hits.exampleAts),
        schema_tests: this.#schemas.sorted(counters.units).flatMap((unit): SchemaTestsFile[] => {
          const base = counters.base(unit);
          const slots = this.#tests.entries(
            Array.from({ length: unit.size }, (_, at) => base + at),
          );
          return slots.length === 0 ? [] : [[this.#schemas.index(unit, plan), slots]];
        }),
      },
    };
  }
}

function writeNoticed({ model }: OperationPlan, hits: NoticedPartHits): NoticedFile {
  const { place: { response, part, path, schema_path }, reached, reason } = hits;
  const changes = sortByName(hits.changes).map(([change, { runs, noticed, passed, timedOut }]) =>
    [change, runs, noticed, passed, timedOut] as const
  );
  const status = model.responses[response]?.status_code ?? "";
  const file = [status, part, path, schema_path, reached, changes] as const;
  const reachedBy = [...hits.reachedBy].sort(compareText);
  const noticedBy = [...hits.noticedBy].sort(compareText);
  if (reachedBy.length + noticedBy.length > 0) {
    return [...file, reason ?? null, reachedBy, noticedBy];
  }
  return reason === undefined ? file : [...file, reason];
}

/** Returns an empty list for an unknown time, which is omitted at the end of an entry. */
function timeEntry(time: TimeIndex): readonly [] | readonly [TimeIndex] {
  return time === NO_TIME ? [] : [time];
}
