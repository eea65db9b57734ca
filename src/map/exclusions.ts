import { getOrAdd } from "../values/collections.ts";
import { escapeToken, findMember } from "../values/json_pointer.ts";
import type { Place } from "../schema/part_positions.ts";
import type { CoveragePlan, OperationPlan } from "./coverage_plan.ts";
import type { ParameterPlan } from "./parameter_plan.ts";
import type { ScopedPart, ScopeRule, ScopeRules } from "./scope_pattern.ts";
import { IGNORE_FIELD, type ScopeMark, scopeMarks } from "./scope_marks.ts";
import { type SchemaRules, ScopeTotals } from "./scope_totals.ts";

export interface Exclusion {
  /** The pattern as written; `x-covtool-ignore` for a field of the description, `not included` for what no include matches, `indistinguishable` for operations that can't be told from others. */
  readonly pattern: string;
  /** For people; null if none is given. */
  readonly reason: string | null;
  /** The last day on which the exclusion is meant to apply; null if it has no end. */
  readonly until: string | null;
  /** Where the exclusion was written: `command line`, `covtool.yaml:12`, `openapi.yaml:40`. */
  readonly source: string;
  /** The pointer of the excluded part; only for fields of the description. */
  readonly schema_path?: string;
}

/** Exclusions of the parts of one operation, as indexes into {@linkcode Exclusions.list}; undefined for what counts. */
export interface OperationExclusions {
  readonly operation: number | undefined;
  readonly parameters: readonly (number | undefined)[];
  readonly responses: readonly (number | undefined)[];
}

export const NOT_INCLUDED = "not included";
export const INDISTINGUISHABLE = "indistinguishable";

/** The parts excluded from every number, with reasons. Applied when hits are read; the outermost exclusion applies. */
export class Exclusions implements SchemaRules {
  /** Patterns as given, then fields of the description, then `not included`, then `indistinguishable`. */
  readonly list: readonly Exclusion[];
  readonly rules: ScopeRules;
  readonly plan: CoveragePlan;
  readonly totals: ScopeTotals;
  readonly excludesKeywords: boolean;
  readonly #marks: ReadonlyMap<unknown, number>;
  readonly #problems: ReadonlyMap<number, string>;
  readonly #notIncluded: number;
  readonly #indistinguishable: number;
  readonly #matched = new Set<ScopeRule | number>();
  readonly #keywords = new Map<string, number | undefined>();
  #inResponses: Set<number> | undefined;

  private constructor(plan: CoveragePlan, rules: ScopeRules, marks: readonly ScopeMark[]) {
    this.plan = plan;
    this.rules = rules;
    const { include, exclude } = rules;
    this.list = [
      ...exclude.map(({ pattern, reason, until, source }) => ({ pattern, reason, until, source })),
      ...marks.map(({ reason, until, source, schema_path }) => (
        { pattern: IGNORE_FIELD, reason, until, source, schema_path }
      )),
      ...(include.length === 0 ? [] : [notIncludedExclusion(include)]),
      ...(plan.routes.duplicates.size === 0 ? [] : [INDISTINGUISHABLE_EXCLUSION]),
    ];
    this.#indistinguishable = this.list.indexOf(INDISTINGUISHABLE_EXCLUSION);
    const firstMark = exclude.length;
    this.#notIncluded = firstMark + marks.length;
    this.#problems = new Map(
      marks.flatMap(({ problem }, index) =>
        problem === undefined ? [] : [[firstMark + index, problem] as const]
      ),
    );
    this.#marks = new Map(
      marks.map(({ object, problem }, index) =>
        [problem === undefined ? object : undefined, firstMark + index] as const
      ).filter(([object]) => object !== undefined).reverse(), // for YAML aliases of one object, the first mark applies
    );
    const isKeyword = ({ matcher }: ScopeRule) => matcher.kind === "keyword";
    this.excludesKeywords = include.some(isKeyword) || exclude.some(isKeyword);
    this.totals = new ScopeTotals(plan, this);
  }

  /** Returns the exclusions of a description; undefined if neither patterns nor the description exclude anything. */
  static of(plan: CoveragePlan, rules: ScopeRules): Exclusions | undefined {
    const marks = scopeMarks(plan.documents);
    const ruleCount = marks.length + rules.include.length + rules.exclude.length;
    const isEmpty = ruleCount + plan.routes.duplicates.size === 0;
    return isEmpty ? undefined : new Exclusions(plan, rules, marks);
  }

  /** True if a field of the description excludes something. */
  get excludesSchemas(): boolean {
    return this.#marks.size > 0;
  }

  /** Returns the problem of an exclusion with unusable content, as a sentence; undefined if there is none. */
  problem(index: number): string | undefined {
    return this.#problems.get(index);
  }

  /** True if an exclusion or a pattern has matched one of the operations visited so far, or schemas of responses. */
  isMatched(rule: ScopeRule | number): boolean {
    if (!this.#matched.has(rule)) this.#matchResponses();
    return this.#matched.has(rule);
  }

  /** True if an exclusion leaves out something in schemas of responses. */
  isInResponses(index: number): boolean {
    return this.#matchResponses().has(index);
  }

  operation({ index, model, parameters }: OperationPlan): OperationExclusions {
    const references = this.#markedReferences(model.pointer, model.path);
    let operationExclusion = this.#find(
      { kind: "operation", model },
      () => this.#operationObjects(model.pointer, model.path),
    );
    if (this.plan.routes.duplicates.has(index)) operationExclusion ??= this.#indistinguishable;
    return {
      operation: operationExclusion,
      parameters: parameters.map((parameter) => {
        const excluded = this.#find(
          { kind: "parameter", model: parameter.model },
          () => this.#parameterObjects(parameter, references),
        );
        this.#matchInside(parameter);
        return operationExclusion ?? excluded;
      }),
      responses: model.responses.map(({ status_code, pointer }) => {
        const part = { kind: "response", name: status_code } as const;
        const excluded = this.#find(part, () => this.#referenceChain(this.plan.placeAt(pointer)));
        return operationExclusion ?? excluded;
      }),
    };
  }

  schema({ plain }: { readonly plain: { readonly schema: object } }): number | undefined {
    return this.#marks.get(plain.schema);
  }

  keyword(name: string): number | undefined {
    if (!this.excludesKeywords) return undefined;
    return getOrAdd(this.#keywords, name, () => this.#find({ kind: "keyword", name }));
  }

  #matchInside(parameter: ParameterPlan, inResponses?: Set<number>): void {
    for (const index of this.totals.forParameter(parameter).excluded.keys()) {
      this.#matched.add(index);
      inResponses?.add(index);
    }
  }

  /** Schemas of responses are only read where an exclusion seems to be stale, as there are many. */
  #matchResponses(): ReadonlySet<number> {
    if (this.#inResponses !== undefined) return this.#inResponses;
    const inResponses = this.#inResponses = new Set();
    if (!(this.excludesSchemas || this.excludesKeywords)) return inResponses;
    for (const operation of this.plan.operations) {
      for (const index of operation.model.responses.keys()) {
        const { mediaTypes = [], headers = [] } = operation.response(index) ?? {};
        for (const part of [...mediaTypes, ...headers]) this.#matchInside(part, inResponses);
      }
    }
    return inResponses;
  }

  /** Returns the first exclusion that applies to a part. It tries all of them, to find those that match nothing. */
  #find(part: ScopedPart, objects?: () => Iterable<unknown>): number | undefined {
    // The pattern `deprecated` covers deprecated parameters, too.
    const isDeprecated = part.kind === "parameter" && part.model.deprecated;
    let exclusion: number | undefined;
    this.rules.exclude.forEach(({ matcher }, index) => {
      if (!matcher.test(part) && !(isDeprecated && matcher.kind === "deprecated")) return;
      exclusion ??= index;
      this.#matched.add(index);
    });
    if (this.#marks.size > 0 && objects !== undefined) {
      for (const object of objects()) {
        const index = this.#marks.get(object);
        if (index === undefined) continue;
        exclusion ??= index;
        this.#matched.add(index);
      }
    }
    let hasIncludes = false;
    let isIncluded = false;
    for (const rule of this.rules.include) {
      if (rule.matcher.part !== part.kind) continue;
      hasIncludes = true;
      if (!rule.matcher.test(part)) continue;
      isIncluded = true;
      this.#matched.add(rule);
    }
    if (hasIncludes && !isIncluded) {
      exclusion ??= this.#notIncluded;
      this.#matched.add(this.#notIncluded);
    }
    return exclusion;
  }

  *#operationObjects(pointer: string, path: string): Generator<unknown, void, undefined> {
    yield this.plan.placeAt(pointer)?.value;
    const item = withoutTokens(pointer, 1);
    yield this.plan.placeAt(item)?.value;
    if (item.endsWith("/additionalOperations")) {
      yield this.plan.placeAt(withoutTokens(item, 1))?.value;
    }
    yield* this.#referenceChain(this.plan.placeAt(`/paths/${escapeToken(path)}`));
  }

  *#parameterObjects(
    plan: ParameterPlan,
    references: ReadonlyMap<unknown, unknown>,
  ): Generator<unknown, void, undefined> {
    yield plan.model.place.value;
    yield references.get(plan.model.place.value);
    if (plan.model.mediaType === undefined) return;
    const body = this.plan.placeAt(withoutTokens(plan.schema_path, 2))?.value;
    yield body;
    yield references.get(body);
  }

  /** Returns references marked with `x-covtool-ignore`, by the parameter or request body that each leads to. */
  #markedReferences(pointer: string, path: string): ReadonlyMap<unknown, unknown> {
    const marksByTarget = new Map<unknown, unknown>();
    if (this.#marks.size === 0) return marksByTarget;
    const holders = [pointer, withoutTokens(pointer, 1), `/paths/${escapeToken(path)}`];
    for (const place of holders.map((holder) => this.plan.placeAt(holder))) {
      if (place === undefined) continue;
      const list = findMember(place.value, "parameters");
      const items = [...(Array.isArray(list) ? list : []), findMember(place.value, "requestBody")];
      for (const item of items) {
        const chain = [...this.#referenceChain({ ...place, value: item })];
        const marked = chain.find((one) => this.#marks.has(one));
        if (marked !== undefined) marksByTarget.set(chain.at(-1), marked);
      }
    }
    return marksByTarget;
  }

  *#referenceChain(place: Place | undefined): Generator<unknown, void, undefined> {
    const visited = new Set<unknown>();
    while (place !== undefined && !visited.has(place.value)) {
      visited.add(place.value);
      yield place.value;
      const reference = findMember(place.value, "$ref");
      if (typeof reference !== "string") return;
      place = this.plan.references.resolve(place, reference);
    }
  }
}

const INDISTINGUISHABLE_EXCLUSION: Exclusion = {
  pattern: INDISTINGUISHABLE,
  reason: "Their requests can't be told from those of earlier operations, for which they count",
  until: null,
  source: "the description",
};

function notIncludedExclusion(include: readonly ScopeRule[]): Exclusion {
  const patterns = include.map(({ pattern }) => pattern).join(", ");
  const sources = [...new Set(include.map(({ source }) => source))].join(", ");
  return {
    pattern: NOT_INCLUDED,
    reason: `Matches none of: ${patterns}`,
    until: null,
    source: sources,
  };
}

function withoutTokens(pointer: string, count: number): string {
  let end = pointer.length;
  for (let token = 0; token < count; token++) end = pointer.lastIndexOf("/", end - 1);
  return pointer.slice(0, Math.max(end, 0));
}
