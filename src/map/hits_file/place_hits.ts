import type { CountedUnit } from "../../schema/counted_unit.ts";
import { RecordingError } from "../../values/errors.ts";
import { VERSION } from "../../values/version.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import { carrySchemas } from "./carry_schemas.ts";
import { carryUnmatched } from "./carry_unmatched.ts";
import { requiredRule } from "../enforcement.ts";
import { type Evidence, isCredentialKind } from "../evidence.ts";
import { placeUndocumentedAnswers } from "./place_undocumented_answers.ts";
import { readViolations } from "./violation_entry.ts";
import { describePlan, Names, ruleHash } from "./names.ts";
import { isNeeded } from "./place_credentials.ts";
import { readUndocumentedProperties } from "./read_undocumented_properties.ts";
import { readEvidence } from "./evidence_entry.ts";
import {
  type CountsFile,
  type HitsFile,
  NO_TIME,
  type OperationFile,
  type ParameterFile,
  type ResponseFile,
  type TimeIndex,
} from "./hits_format.ts";
import type { DroppedHits } from "../results.ts";
import type {
  PlacedBlock,
  PlacedHits,
  PlacedOperation,
  PlacedParameter,
  PlacedResponse,
  PlacedResponsePart,
  PlacedTests,
} from "./placed_hits.ts";

/** Settings for placing hits. */
export interface PlaceOptions {
  /** The name of the file in errors. */
  readonly location: string;
  /** Takes hits of another description, as far as it says the same. */
  readonly carry: boolean;
}

/**
 * Finds the places of a file's counts in a plan.
 *
 * @throws {RecordingError} where it has hits of another description and these are not to be carried over.
 */
export function placeHits(plan: CoveragePlan, file: HitsFile, options: PlaceOptions): PlacedHits {
  const isSame = file.description.fingerprint === plan.fingerprint;
  if (!isSame && !options.carry) throw otherDescription(plan, file, options.location);
  const placed = new Placement(plan, file, !isSame).place();
  const lost = placed.dropped[0];
  if (!isSame || lost === undefined) return placed;
  const what = [lost.operation, lost.parameter, lost.schema_path, lost.status_code].filter(Boolean);
  throw new RecordingError(
    `It has counts that this version doesn't know (${
      what.join(", ")
    }). covtool ${file.covtool} wrote it, and this is ${VERSION}. Use the same version to write and to merge hits.`,
    { code: "unknown_counts", location: options.location },
  );
}

function otherDescription(plan: CoveragePlan, file: HitsFile, location: string): RecordingError {
  const [theirs, ours] = [file.description, describePlan(plan)];
  const isNamesake = theirs.title === ours.title && theirs.version === ours.version &&
    theirs.location === ours.location;
  const sentence = isNamesake
    ? `It has hits of a different description: ${ours.location} has changed since they were recorded.`
    : `It has hits of a different description: ${nameOf(theirs)}, not ${nameOf(ours)}.`;
  return new RecordingError(
    `${sentence} Use the description that they were recorded with, or add --carry to keep the counts of what is the same in both.`,
    { code: "other_description", location },
  );
}

function nameOf({ title, version, location }: HitsFile["description"]): string {
  return `"${title}" ${version} (${location})`;
}

class Placement {
  readonly #plan: CoveragePlan;
  readonly #file: HitsFile;
  readonly #names: Names;
  readonly #isCarried: boolean;
  readonly #dropped: DroppedHits[] = [];

  constructor(plan: CoveragePlan, file: HitsFile, isCarried: boolean) {
    this.#plan = plan;
    this.#file = file;
    this.#names = Names.of(plan);
    this.#isCarried = isCarried;
  }

  place(): PlacedHits {
    const file = this.#file;
    let [lost, unanswered] = [0, 0];
    const operations = file.operations.flatMap((saved): PlacedOperation[] => {
      const operation = this.#names.operations.get(saved.operation);
      if (operation !== undefined) return [this.#operation(operation, saved)];
      lost += saved.hits;
      unanswered += answersOf(saved);
      this.#dropped.push({ kind: "operation", operation: saved.operation, hits: saved.hits });
      return [];
    });
    const unmatched = this.#isCarried
      ? carryUnmatched(this.#plan, file.unmatched, this.#dropped)
      : file.unmatched;
    const forgotten = (file.unmatched?.total ?? 0) - (unmatched?.total ?? 0);
    const recorded = Math.max(0, file.recorded - lost - forgotten);
    return {
      recorded,
      matched: Math.max(0, file.matched - lost),
      answered: Math.min(recorded, Math.max(0, file.answered - unanswered)),
      visible: file.visible,
      seen: file.seen ?? [],
      testNames: file.tests ?? [],
      tests_left_out: file.tests_left_out,
      operations,
      unmatched,
      // Those of another description are for its base paths.
      hints: this.#isCarried ? [] : file.hints ?? [],
      dropped: this.#dropped,
    };
  }

  #time(index: TimeIndex | undefined): number {
    return index === undefined ? Infinity : this.#file.times?.[index] ?? Infinity;
  }

  #operation(plan: OperationPlan, saved: OperationFile): PlacedOperation {
    const { operation } = saved;
    const undocumented: (readonly [string, number])[] = [];
    const responses: PlacedResponse[] = [];
    const indexOf = (status: string): number => this.#names.response(plan, status) ?? -1;
    for (const response of saved.responses ?? []) {
      const [status_code, hits] = response;
      const index = indexOf(status_code);
      if (index >= 0) responses.push(this.#response(index, response));
      else this.#dropped.push({ kind: "response", operation, status_code, hits });
    }
    for (const [status, hits] of saved.undocumented ?? []) {
      const index = indexOf(status);
      if (index >= 0) responses.push(this.#response(index, [status, hits]));
      else undocumented.push([status, hits]);
    }
    const parameters = (saved.parameters ?? []).flatMap((parameter): PlacedParameter[] => {
      const [name, hits] = parameter;
      const index = this.#names.parameter(plan, name);
      const found = index === undefined ? undefined : plan.parameters[index];
      if (index !== undefined && found !== undefined) {
        return [this.#parameter(index, found, parameter, operation)];
      }
      this.#dropped.push({ kind: "parameter", operation, parameter: name, hits });
      return [];
    });
    const [responseTests, undocumentedTests] = placeStatuses(
      [...saved.response_tests ?? [], ...saved.undocumented_tests ?? []],
      indexOf,
      new Set(undocumented.map(([status]) => status)),
    );
    return {
      index: plan.index,
      hits: saved.hits,
      succeeded: saved.succeeded ?? 0,
      refused: saved.refused ?? 0,
      seen: (saved.seen ?? []).map((index) => this.#time(index)),
      parameters,
      responses,
      undocumented,
      undocumentedBodies: saved.undocumented_bodies ?? [],
      answeredBodies: saved.answered_bodies ?? 0,
      responseParts: this.#responseParts(plan, saved),
      // Another description may declare them.
      undocumentedProperties: this.#isCarried
        ? []
        : readUndocumentedProperties(saved, (index) => this.#time(index)),
      undocumentedAnswers: placeUndocumentedAnswers(plan, saved, (index) => this.#time(index)),
      evidence: this.#evidence(plan, saved),
      tests: saved.tests ?? [],
      responseTests,
      undocumentedTests,
    };
  }

  #responseParts(plan: OperationPlan, saved: OperationFile): PlacedResponsePart[] {
    const { operation } = saved;
    return (saved.response_parts ?? []).flatMap(([status_code, parts]): PlacedResponsePart[] => {
      const response = this.#names.response(plan, status_code);
      const planned = response === undefined ? undefined : plan.response(response);
      // Without its response they are no news.
      if (response === undefined || planned === undefined) return [];
      return parts.flatMap((part): PlacedResponsePart[] => {
        const [name, hits, , , more] = part;
        const index = this.#names.part(planned, name);
        const found = index === undefined ? undefined : planned.parts[index];
        if (index === undefined || found === undefined) {
          const parameter = `${status_code} ${name}`;
          this.#dropped.push({ kind: "parameter", operation, parameter, status_code, hits });
          return [];
        }
        const violations = readViolations(
          this.#plan,
          found,
          more?.violations,
          (at) => this.#time(at),
        ).filter(({ isSame }) => isSame || !this.#isCarried).map(({ evidence }) => evidence);
        const undecoded = more?.undecoded === true;
        const placed = this.#parameter(index, found, part, operation);
        return [{ ...placed, response, undecoded, violations }];
      });
    });
  }

  #evidence(plan: OperationPlan, saved: OperationFile): Evidence[] {
    const indexOf = (name: string): number => this.#names.parameter(plan, name) ?? -1;
    const entries = readEvidence(
      saved,
      (name) => plan.parameters[indexOf(name)],
      (index) => this.#time(index),
    );
    return [...entries].flatMap(({ parameter: name, hash, ...evidence }): Evidence[] => {
      const { kind, detail } = evidence;
      if (name === undefined) {
        if (isCredentialKind(kind)) {
          return isNeeded(plan, detail) ? [{ ...evidence, parameter: -1 }] : [];
        }
        const isDocumented = plan.model.responses.some(({ status_code }) => status_code === detail);
        // Which requests were valid under another description is not known.
        const holds = kind === "server_error" ||
          (kind === "undocumented_status" ? !isDocumented : !this.#isCarried);
        return holds ? [{ ...evidence, parameter: -1 }] : [];
      }
      const parameter = plan.parameters[indexOf(name)];
      const path = parameter && this.#rulePath(parameter, detail, hash);
      if (path !== undefined) return [{ ...evidence, detail: path, parameter: indexOf(name) }];
      const dropped = {
        kind: "keyword",
        operation: saved.operation,
        parameter: name,
        schema_path: detail,
      } as const;
      if (!this.#isListed(dropped)) this.#dropped.push({ ...dropped, hits: evidence.count });
      return [];
    });
  }

  /** True if counts of a keyword are listed, or those of its parameter: its evidence is then no news. */
  #isListed(
    { operation, parameter, schema_path }: Pick<DroppedHits, "operation" | "parameter"> & {
      readonly schema_path: string;
    },
  ): boolean {
    return this.#dropped.some((other) => {
      if (other.operation !== operation || other.parameter !== parameter) return false;
      if (other.kind === "parameter") return true;
      // The counts of a parameter's own schema are named from there.
      const path = other.schema_path?.replace(/^(?:schema|itemSchema)(?=\/)/, "");
      return other.kind === "keyword" && path !== undefined && schema_path.endsWith(path);
    });
  }

  /** The pointer of a rule of a parameter: the same, or else that of the only keyword that says the same. */
  #rulePath(
    parameter: ParameterPlan,
    path: string,
    hash: string | undefined,
  ): string | undefined {
    if (ruleHash(this.#plan, parameter, path) === hash) return path;
    if (hash === "") return requiredRule(parameter);
    const name = path.slice(path.lastIndexOf("/") + 1);
    const alike = parameter.inventory.keywords.filter(({ node, keyword }) =>
      keyword === name && this.#plan.layouts.hashOf(node.schema[keyword]) === hash
    );
    const [only, ...others] = alike;
    return others.length === 0 ? only?.schema_path : undefined;
  }

  #response(index: number, response: ResponseFile): PlacedResponse {
    const [, hits, first, timed = 0, elapsed = 0, slowest = 0] = response;
    return { index, hits, timed, elapsed, slowest, firstAt: this.#time(first) };
  }

  #parameter(
    index: number,
    plan: ParameterPlan,
    saved: ParameterFile,
    operation: string,
  ): PlacedParameter {
    const [, hits, counts = [], first, more = {}] = saved;
    const schemas = this.#schemas(plan, saved, counts, operation);
    const places = this.#examplePlaces(plan, saved, operation);
    return {
      index,
      hits,
      firstAt: this.#time(first),
      malformed: more.malformed ?? 0,
      notRecorded: more.not_recorded ?? 0,
      nestedTooDeep: more.nested_too_deep === true,
      replaced: more.replaced === true,
      patternUnjudged: more.pattern_unjudged === true,
      ...schemas,
      examples: (more.examples ?? []).flatMap(([at, , hits, first]) => {
        const place = places.get(at);
        return place === undefined ? [] : [{ index: place, hits, firstAt: this.#time(first) }];
      }),
      values: (more.values ?? []).flatMap(([value, hits]) => {
        const index = plan.values.indexOf(value);
        if (index >= 0) return [[index, hits] as const];
        const [parameter] = saved;
        this.#dropped.push({ kind: "value", operation, parameter, value, hits });
        return [];
      }),
      tests: more.tests,
      exampleTests: (more.example_tests ?? []).flatMap(([at, tests]) => {
        const place = places.get(at);
        return place === undefined ? [] : [[place, tests] as const];
      }),
    };
  }

  /** The new places of examples of the parameter itself, by their old index. */
  #examplePlaces(
    plan: ParameterPlan,
    [parameter, , , , more]: ParameterFile,
    operation: string,
  ): ReadonlyMap<number, number> {
    const places = new Map<number, number>();
    if (more?.examples === undefined) return places;
    const { layouts } = this.#plan;
    const known = plan.model.examples.map(({ place }) => layouts.hashOf(place.value));
    const taken = new Set<number>();
    for (const [index, hash, hits] of more.examples) {
      const place = known[index] === hash
        ? index
        : known.findIndex((other, at) => other === hash && !taken.has(at));
      if (place < 0) {
        this.#dropped.push({ kind: "example", operation, parameter, hits });
      } else {
        places.set(index, place);
        taken.add(place);
      }
    }
    return places;
  }

  #schemas(
    plan: ParameterPlan,
    saved: ParameterFile,
    counts: readonly CountsFile[],
    operation: string,
  ): { readonly blocks: readonly PlacedBlock[]; readonly unitTests: readonly PlacedTests[] } {
    const [parameter, , , own, more] = saved;
    if (!this.#isCarried) {
      const direct = this.#direct(plan, saved, counts);
      if (direct !== undefined) return direct;
    }
    return carrySchemas(this.#plan, plan, this.#file, {
      counts: counts.map(([schema, numbers, first]) => [schema, numbers, first ?? own ?? NO_TIME]),
      tests: more?.schema_tests ?? [],
      timeAt: (index) => this.#time(index),
      onDropped: ({ kind, schema_path, hits }) =>
        this.#dropped.push({ kind, operation, parameter, schema_path, hits }),
    });
  }

  /** The blocks as they are, where each unit counts what it counted; else undefined. */
  #direct(
    plan: ParameterPlan,
    [, , , own, more]: ParameterFile,
    counts: readonly CountsFile[],
  ):
    | { readonly blocks: readonly PlacedBlock[]; readonly unitTests: readonly PlacedTests[] }
    | undefined {
    const blocks: PlacedBlock[] = [];
    const unitTests: PlacedTests[] = [];
    for (const [schema, numbers, first] of counts) {
      const unit = this.#unit(schema, plan);
      if (unit === undefined || numbers.length !== unit.size) return undefined;
      blocks.push({ unit, counts: numbers, firsts: this.#firsts(numbers, first ?? own) });
    }
    for (const [schema, slots] of more?.schema_tests ?? []) {
      const unit = this.#unit(schema, plan);
      if (unit === undefined || slots.some(([slot]) => slot >= unit.size)) return undefined;
      unitTests.push({ unit, slots });
    }
    return { blocks, unitTests };
  }

  /** The unit of a schema of the file; undefined where it does not count the same. */
  #unit(schema: number, parameter: ParameterPlan): CountedUnit | undefined {
    const [pointer, layout] = this.#file.schemas[schema] ?? ["", ""]; // the file was checked
    const unit = this.#names.unit(pointer, parameter);
    return unit !== undefined && this.#plan.layouts.textOf(unit) === layout ? unit : undefined;
  }

  #firsts(
    counts: readonly number[],
    first: TimeIndex | readonly TimeIndex[] | undefined,
  ): readonly number[] | undefined {
    if (first === undefined) return undefined;
    let next = 0;
    return counts.map((count) =>
      count === 0 ? Infinity : this.#time(typeof first === "number" ? first : first[next++])
    );
  }
}

/** The number of responses that an operation returned. */
function answersOf({ responses = [], undocumented = [] }: OperationFile): number {
  return [...responses, ...undocumented].reduce((sum, [, hits]) => sum + hits, 0);
}

function placeStatuses<Tests>(
  entries: readonly (readonly [status: string, tests: Tests])[],
  indexOf: (status: string) => number,
  undocumented: ReadonlySet<string>,
): [(readonly [index: number, tests: Tests])[], (readonly [status: string, tests: Tests])[]] {
  const known: (readonly [number, Tests])[] = [];
  const unknown: (readonly [string, Tests])[] = [];
  for (const [status, tests] of entries) {
    const index = indexOf(status);
    if (index >= 0) known.push([index, tests]);
    else if (undocumented.has(status)) unknown.push([status, tests]);
  }
  return [known, unknown];
}
