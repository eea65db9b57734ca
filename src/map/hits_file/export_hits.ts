import { appendTo, getOrAdd } from "../../values/collections.ts";
import type { CountedUnit } from "../../schema/counted_unit.ts";
import { VERSION } from "../../values/version.ts";
import type { AccessCount, ObjectHits } from "../access_hits.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import type { OpenRecording } from "../credential_hits.ts";
import type { OperationTests, ParameterTests } from "../covered_by.ts";
import type { Evidence, EvidenceKind } from "../evidence.ts";
import type { Hits } from "../hits.ts";
import type { PartHits } from "../noticed_hits.ts";
import type { OperationHits, ParameterHits, ResponsePartHits } from "../operation_hits.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import { compareText } from "../bounded_set.ts";
import { DEFAULT_VISIBLE, type Visible } from "../visible_parts.ts";
import { checksumOf } from "../value_hash.ts";
import { writeExample } from "./example_entry.ts";
import { writeEvidence } from "./evidence_entry.ts";
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
  type ResponseFile,
  type SchemaFile,
  type SchemaTestsFile,
  type TestIndexes,
  type TimeIndex,
} from "./hits_format.ts";
import { writeViolation } from "./violation_entry.ts";
import { describePlan, operationName, parameterName } from "./names.ts";

/** Everything that traffic has shown as one line; the same counts are the same bytes, in whatever order they came. */
export function exportHits(plan: CoveragePlan, hits: Hits, api?: string): Uint8Array {
  hits.coveredBy.settle(hits.operations);
  const writer = new HitsWriter(plan, new SortedTests(hits.coveredBy.names), api);
  const encoder = new TextEncoder();
  const content = encoder.encode(withoutCommands(JSON.stringify(writer.write(hits))).slice(0, -1));
  const ending = encoder.encode(`${CHECKSUM_START}${checksumOf(content)}"}\n`);
  const bytes = new Uint8Array(content.length + ending.length);
  bytes.set(content);
  bytes.set(ending, content.length);
  return bytes;
}

/** Keeps build servers from taking a text for a command when hits go to standard output, where they must not change. */
function withoutCommands(json: string): string {
  return json.includes("##") ? json.replaceAll("##", "#\\u0023") : json;
}

/** Gives each time a number, the same one every time: what is first seen is mostly first seen together. */
class Times {
  readonly list: number[] = [];
  readonly #numbers = new Map<number, TimeIndex>();

  number(time: number | null): TimeIndex {
    if (time === null || time === Infinity) return NO_TIME;
    const known = this.#numbers.get(time);
    if (known !== undefined) return known;
    this.#numbers.set(time, this.list.length);
    return this.list.push(time) - 1;
  }
}

/** The tests of a file in the order of their names: that in which they ran is another one in every split. */
class SortedTests {
  readonly names: readonly string[];
  /** The new index of each; undefined where none changes. */
  readonly #ranks: readonly number[] | undefined;

  constructor(names: readonly string[]) {
    this.names = [...names].sort(compareText);
    if (this.names.every((name, index) => name === names[index])) return;
    const ranks = new Map(this.names.map((name, index) => [name, index]));
    this.#ranks = names.map((name) => ranks.get(name) as number); // it has all of them
  }

  list(tests: TestIndexes): TestIndexes {
    const ranks = this.#ranks;
    if (ranks === undefined) return tests;
    return tests.map((test) => ranks[test] as number).sort((a, b) => a - b); // likewise
  }

  entries(lists: readonly (TestIndexes | undefined)[]): (readonly [number, TestIndexes])[] {
    return lists.flatMap((tests, index) =>
      tests === undefined ? [] : [[index, this.list(tests)] as const]
    );
  }
}

/** The schemas of a file, each once; those of parameters that say the same are one. */
class Schemas {
  readonly #plan: CoveragePlan;
  readonly #units: CountedUnit[] = [];
  readonly #entries: { readonly pointer: string; readonly layout: string }[] = [];
  readonly #numbers = new Map<string, number>();
  /** Units by pointer; only those that a pointer names. */
  readonly #byUnit = new Map<CountedUnit, number>();
  readonly #pointers = new Map<CountedUnit, string>();

  constructor(plan: CoveragePlan) {
    this.#plan = plan;
  }

  /** Units in the order of where they stand: a parameter has them in the order in which values reached them. */
  sorted(units: readonly CountedUnit[]): readonly CountedUnit[] {
    if (units.length < 2) return units;
    return [...units].sort((a, b) => compareText(this.#pointerOf(a), this.#pointerOf(b)));
  }

  #pointerOf(unit: CountedUnit): string {
    return getOrAdd(this.#pointers, unit, () => unit.root.pathOf(""));
  }

  number(unit: CountedUnit, parameter: ParameterPlan): number {
    const role = unit.root === parameter.schema
      ? "schema"
      : unit.root === parameter.itemSchema
      ? "itemSchema"
      : undefined;
    if (role !== undefined) return this.#add(unit, role);
    return getOrAdd(this.#byUnit, unit, () => this.#add(unit, this.#pointerOf(unit)));
  }

  /** Schemas of requests and responses may be written in the same place, and yet count differently. */
  #add(unit: CountedUnit, pointer: string): number {
    const { layouts } = this.#plan;
    const layout = layouts.textOf(unit);
    const targets = layouts.referencesOf(unit).map(({ pointer, target }) =>
      `${pointer} ${target.pathOf("")}`
    );
    const key = [unit.root.graph.direction, pointer, layout, ...targets].join("\n");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#entries.push({ pointer, layout }) - 1;
      this.#units.push(unit);
      this.#numbers.set(key, number);
    }
    return number;
  }

  list(): SchemaFile[] {
    const placeOf = (unit: CountedUnit, pointer: string) =>
      `${unit.root.graph.direction} ${pointer}`;
    const byPointer = new Map(
      this.#entries.map(({ pointer }, index) =>
        [placeOf(this.#units[index] as CountedUnit, pointer), index] as const // as many as entries
      ),
    );
    return this.#entries.map(({ pointer, layout }, index): SchemaFile => {
      const unit = this.#units[index] as CountedUnit; // as many as entries
      const references = this.#plan.layouts.referencesOf(unit).flatMap(({ pointer, target }) => {
        const number = byPointer.get(placeOf(unit, target.pathOf("")));
        return number === undefined ? [] : [[pointer, number] as const];
      });
      return references.length === 0 ? [pointer, layout] : [pointer, layout, references];
    });
  }
}

/** What the traffic could show, where that isn't what hits show that don't say it. */
function visibleOf({ recorded, visible: { parts } }: Hits): Pick<HitsFile, "visible"> {
  const differing = Object.entries(parts).filter(([name, shown]) =>
    shown !== DEFAULT_VISIBLE[name as keyof Visible]
  );
  return recorded === 0 || differing.length === 0 ? {} : { visible: Object.fromEntries(differing) };
}

class HitsWriter {
  readonly #plan: CoveragePlan;
  readonly #times = new Times();
  readonly #schemas: Schemas;
  readonly #tests: SortedTests;
  readonly #api: string | undefined;

  constructor(plan: CoveragePlan, tests: SortedTests, api: string | undefined) {
    this.#plan = plan;
    this.#api = api;
    this.#schemas = new Schemas(plan);
    this.#tests = tests;
  }

  write(hits: Hits): HitsFile {
    const { coveredBy } = hits;
    const parts = new Map<number, PartHits[]>();
    for (const part of hits.noticed.list()) appendTo(parts, part.place.operation, part);
    const answers = new Map<number, AccessCount[]>();
    for (const count of hits.access.list()) appendTo(answers, count.operation, count);
    const operations = hits.operations.flatMap((operation, index) => {
      const plan = this.#plan.operations[index];
      if (operation === undefined || plan === undefined) return [];
      const noticed = this.#noticed(plan, parts.get(index) ?? []);
      const file = this.#operation(plan, operation, coveredBy.operations[index]);
      const access = (answers.get(index) ?? []).map((
        { identity, status, owner, count, firstAt },
      ) => [identity, status, owner, count, ...oneTime(this.#times.number(firstAt))] as const);
      return [{
        ...file,
        ...(noticed.length > 0 && { noticed }),
        ...(access.length > 0 && { access }),
      }];
    });
    const { unknown, hidden } = hits.access;
    const unmatched = hits.unmatched.export();
    const hints = hits.hints.export();
    const credentials = hits.credentials.list().map((open) => this.#credentials(...open));
    return {
      covtool_hits: HITS_FORMAT,
      covtool: VERSION,
      description: {
        ...describePlan(this.#plan),
        ...(this.#api !== undefined && { api: this.#api }),
      },
      recorded: hits.recorded,
      matched: hits.matched,
      answered: hits.answered,
      ...visibleOf(hits),
      ...(hits.firstAt !== null && hits.lastAt !== null && { seen: [hits.firstAt, hits.lastAt] }),
      ...(this.#times.list.length > 0 && { times: this.#times.list }),
      ...(coveredBy.isUsed && { tests: this.#tests.names }),
      ...(coveredBy.isCut && { tests_left_out: true }),
      schemas: this.#schemas.list(),
      operations,
      ...(unmatched.total > 0 && { unmatched }),
      ...(hints.length > 0 && { hints }),
      ...(credentials.length > 0 && { credentials }),
      ...(unknown + hidden > 0 && {
        access: { ...(unknown > 0 && { unknown }), ...(hidden > 0 && { hidden }) },
      }),
    };
  }

  #operation(
    plan: OperationPlan,
    hits: OperationHits,
    tests: OperationTests | undefined,
  ): OperationFile {
    const parameters = plan.parameters.flatMap((parameter, index) => {
      const found = hits.parameters[index];
      return found === undefined
        ? []
        : [this.#parameter(parameter, found, tests?.parameters[index])];
    });
    const statusOf = (index: number): string => plan.model.responses[index]?.status_code ?? "";
    const responses = hits.responses.flatMap((response, index): ResponseFile[] => {
      if (response === undefined) return [];
      const { timed, elapsed, slowest } = response;
      const first = this.#times.number(response.firstAt);
      const times = timed > 0 ? [first, timed, elapsed, slowest] as const : oneTime(first);
      return [[statusOf(index), response.hits, ...times]];
    });
    const bodies = hits.undocumentedBodies.list().map(({ mediaType, hits, example }) =>
      example === undefined
        ? [mediaType, hits] as const
        : [mediaType, hits, writeExample(example, this.#numberOf)] as const
    );
    // What failed is told only of operations that never succeeded.
    const told = hits.evidence.list().filter(({ kind }) =>
      kind !== "failed" || hits.succeeded === 0
    );
    const evidence = this.#evidence(plan, told, parameters);
    return {
      operation: operationName(plan),
      hits: hits.hits,
      ...(hits.succeeded > 0 && { succeeded: hits.succeeded }),
      ...(hits.refused > 0 && { refused: hits.refused }),
      ...(hits.firstAt !== null && {
        seen: [this.#times.number(hits.firstAt), this.#times.number(hits.lastAt)],
      }),
      ...(parameters.length > 0 && { parameters }),
      ...(responses.length > 0 && { responses }),
      ...(hits.undocumented.size > 0 && { undocumented: byName(hits.undocumented) }),
      ...(bodies.length > 0 && { undocumented_bodies: bodies }),
      ...(hits.answeredBodies > 0 && { answered_bodies: hits.answeredBodies }),
      ...(hits.links.size > 0 && { links: byName(hits.links) }),
      ...undocumentedParameters(hits),
      ...this.#responseParts(plan, hits),
      ...(evidence !== undefined && { evidence }),
      ...(tests !== undefined && {
        tests: this.#tests.list(tests.tests),
        response_tests: this.#tests.entries(tests.responses).map(([index, list]) =>
          [statusOf(index), list] as const
        ),
        undocumented_tests: byName(tests.undocumented).map(([status, list]) =>
          [status, this.#tests.list(list)] as const
        ),
      }),
    };
  }

  #noticed({ model }: OperationPlan, parts: readonly PartHits[]): NoticedFile[] {
    return parts.map(({ place, reached, changes, reason, reachedBy, noticedBy }): NoticedFile => {
      const { part, path, schema_path } = place;
      const status = model.responses[place.response]?.status_code ?? "";
      const tried = [...changes].map(([change, { runs, noticed, passed, timedOut }]) =>
        [change, runs, noticed, passed, timedOut] as const
      );
      const known = [status, part, path, schema_path, reached, tried] as const;
      const [reached_by, noticed_by] = [
        [...reachedBy].sort(compareText),
        [...noticedBy].sort(compareText),
      ];
      if (reached_by.length + noticed_by.length > 0) {
        return [...known, reason ?? null, reached_by, noticed_by];
      }
      return reason === undefined ? known : [...known, reason];
    });
  }

  #credentials(name: string, { shown, pending, objects }: OpenRecording): CredentialsFile {
    const waiting = [...pending].sort(([a], [b]) => a - b).flatMap(([index, evidence]) => {
      const plan = this.#plan.operations[index] as OperationPlan; // hits are of the plan's operations
      const list = this.#evidence(plan, evidence.list(), []);
      return list === undefined ? [] : [[operationName(plan), list] as const];
    });
    return {
      ...(name !== "" && { recording: name }),
      shown: [...shown].sort(compareText),
      ...(waiting.length > 0 && { pending: waiting }),
      ...(objects.isUsed && this.#objects(objects)),
    };
  }

  #objects(objects: ObjectHits): Pick<CredentialsFile, "owners" | "touches"> {
    return {
      owners: objects.owners().map(({ objects, test, identity }) => [objects, test, identity]),
      touches: objects.touches().map(({ objects, test, operation, identity, status, ...touch }) => {
        const plan = this.#plan.operations[operation] as OperationPlan; // hits are of the plan's operations
        const first = oneTime(this.#times.number(touch.firstAt));
        return [objects, test, operationName(plan), identity, status, touch.count, ...first];
      }),
    };
  }

  #responseParts(
    plan: OperationPlan,
    { responses, undocumentedAnswers, undocumentedProperties }: OperationHits,
  ): Pick<OperationFile, "response_parts" | "undocumented_answers" | "undocumented_properties"> {
    const parts = responses.flatMap((response, index) => {
      const planned = response === undefined || response.parts.length === 0
        ? undefined
        : plan.response(index);
      if (response === undefined || planned === undefined) return [];
      const files = response.parts.flatMap((hits, at) => {
        const part = planned.parts[at];
        if (hits === undefined || part === undefined) return [];
        return [this.#parameter(part, hits, undefined, this.#partDetails(part, hits))];
      });
      return [[plan.model.responses[index]?.status_code ?? "", files] as const];
    });
    const answers = undocumentedAnswers.list().map((
      { status, mediaType, hits, firstAt, example },
    ) => {
      const first = this.#times.number(firstAt);
      return example?.request === undefined
        ? [status, mediaType, hits, ...oneTime(first)] as const
        : [status, mediaType, hits, first, writeExample(example, this.#numberOf)] as const;
    });
    const properties = undocumentedProperties.list().map((
      { status, mediaType, pointer, hits, firstAt },
    ) => [status, mediaType, pointer, hits, ...oneTime(this.#times.number(firstAt))] as const);
    return {
      ...(properties.length > 0 && { undocumented_properties: properties }),
      ...(parts.length > 0 && { response_parts: parts }),
      ...(answers.length > 0 && { undocumented_answers: answers }),
    };
  }

  #partDetails(part: ParameterPlan, hits: ResponsePartHits): ParameterDetails {
    const { undecoded, violations } = hits;
    const properties = [...hits.properties].sort(([a], [b]) => compareText(a, b))
      .flatMap(([pointer, names]) =>
        names.size === 0 ? [] : [[pointer, ...[...names].sort(compareText)] as const]
      );
    const list = violations.list().map((one) =>
      writeViolation(this.#plan, part, one, this.#numberOf)
    );
    return {
      ...(undecoded && { undecoded }),
      ...(properties.length > 0 && { properties }),
      ...(list.length > 0 && { violations: list }),
    };
  }

  readonly #numberOf = (time: number): TimeIndex => this.#times.number(time);

  #evidence(
    plan: OperationPlan,
    list: readonly Evidence[],
    parameters: readonly ParameterFile[],
  ): EvidenceFiles | undefined {
    if (list.length === 0) return undefined;
    const kinds: Partial<Record<EvidenceKind, EvidenceFile[]>> = {};
    for (const one of list) {
      (kinds[one.kind] ??= []).push(
        writeEvidence(this.#plan, plan, one, parameters, this.#numberOf),
      );
    }
    return kinds;
  }

  #parameter(
    plan: ParameterPlan,
    hits: ParameterHits,
    tests: ParameterTests | undefined,
    more: ParameterDetails = {},
  ): ParameterFile {
    const { counters } = hits;
    const own = this.#times.number(hits.firstAt);
    const schemas = this.#schemas.sorted(counters.units).flatMap((unit): CountsFile[] => {
      const base = counters.baseOf(unit);
      const counts = [...counters.store.counts.subarray(base, base + unit.size)];
      const isCounted = counts.some((count) => count > 0);
      // One without counters leads to others.
      if (!isCounted && unit.size > 0) return [];
      const schema = this.#schemas.number(unit, plan);
      const first = this.#firsts(counts, (slot) => counters.store.firstOf(base + slot), own);
      return [first === own ? [schema, counts] : [schema, counts, first]];
    });
    const details = { ...this.#details(plan, hits, tests), ...more };
    const hasDetails = Object.keys(details).length > 0;
    const name = parameterName(plan);
    if (hasDetails) return [name, hits.hits, schemas, own, details];
    if (own !== NO_TIME) return [name, hits.hits, schemas, own];
    return schemas.length === 0 ? [name, hits.hits] : [name, hits.hits, schemas];
  }

  /** One time if all nonzero counters were first counted then, or if there are none. */
  #firsts(
    counts: readonly number[],
    firstOf: (slot: number) => number,
    fallback: TimeIndex,
  ): TimeIndex | TimeIndex[] {
    const firsts: TimeIndex[] = [];
    counts.forEach((count, slot) => {
      if (count > 0) firsts.push(this.#times.number(firstOf(slot)));
    });
    const [only = fallback] = firsts;
    return firsts.every((time) => time === only) ? only : firsts;
  }

  #details(
    plan: ParameterPlan,
    hits: ParameterHits,
    tests: ParameterTests | undefined,
  ): ParameterDetails {
    const { layouts } = this.#plan;
    const examples = Array.from(hits.examples, (count, index) => {
      if (count === undefined || count === 0) return undefined;
      const hash = layouts.hashOf(plan.model.examples[index]?.place.value);
      const first = this.#times.number(hits.exampleFirsts[index] ?? Infinity);
      return [index, hash, count, ...oneTime(first)] as const;
    }).filter((example) => example !== undefined);
    const values = plan.values.flatMap((value, index) => {
      const count = hits.values?.[index] ?? 0;
      return count === 0 ? [] : [[value, count] as const];
    });
    return {
      ...(hits.malformed > 0 && { malformed: hits.malformed }),
      ...(hits.notRecorded > 0 && { not_recorded: hits.notRecorded }),
      ...(hits.nestedTooDeep && { nested_too_deep: true }),
      ...(hits.replaced && { replaced: true }),
      ...(hits.patternUnjudged && { pattern_unjudged: true }),
      ...(hits.tooLong && { too_long: true }),
      ...(examples.length > 0 && { examples }),
      ...(values.length > 0 && { values }),
      ...(tests !== undefined && {
        tests: this.#tests.list(tests.tests),
        example_tests: this.#tests.entries(tests.examples),
        schema_tests: this.#schemas.sorted([...tests.units.keys()]).map((unit): SchemaTestsFile => [
          this.#schemas.number(unit, plan),
          this.#tests.entries(tests.units.get(unit) ?? []),
        ]),
      }),
    };
  }
}

function oneTime(time: TimeIndex): readonly [] | readonly [TimeIndex] {
  return time === NO_TIME ? [] : [time];
}

/** The entries of a table in the order of their keys. */
function byName<Value>(table: ReadonlyMap<string, Value>): (readonly [string, Value])[] {
  return [...table].sort(([a], [b]) => compareText(a, b));
}

function undocumentedParameters(
  hits: OperationHits,
): Pick<OperationFile, "undocumented_parameters"> {
  const list = hits.undocumentedParameters.list();
  return list.length === 0 ? {} : { undocumented_parameters: list };
}
