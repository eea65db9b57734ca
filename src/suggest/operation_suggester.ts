import type { CoveredOperation, CoveredParameter } from "../map/coverage.ts";
import type { CoveragePlan } from "../map/coverage_plan.ts";
import type { ParameterPlan } from "../map/parameter_plan.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { Json } from "../values/json.ts";
import { listRoots, type ParameterMaker, type SuggestedParameter } from "./parameter_maker.ts";
import type { ExampleGoal, Goal, KeywordGoal, OperationGoals } from "./goals.ts";
import { explainOpen } from "./impossible/why_impossible.ts";
import { type RecordedRequest, recordedValues } from "./recorded_requests.ts";
import {
  composeRequest,
  isSendable,
  placeholderFor,
  type RequestFrame,
} from "./request/compose_request.ts";
import {
  chooseRequests,
  type SuggestedBreach,
  type SuggestedHttpRequest,
  type Suggestion,
  type SuggestionBase,
  type UnreachableGap,
} from "./suggestion.ts";
import { Trial, type TrialResult } from "./trial.ts";
import { ValueSearch } from "./value_search.ts";
import { NO_VALUE, PlaceWalk } from "./values/place_walk.ts";
import { varyRequest } from "./vary_request.ts";

interface Candidate {
  readonly request: SuggestedHttpRequest;
  /** The goals that the request is chosen for; `covers` has all goals that it covers. */
  readonly goals: readonly number[];
  readonly covers: readonly number[];
  readonly breaks: SuggestedBreach | null;
  readonly basedOn: SuggestionBase;
}

/** Origins of values, the best first. */
const ORIGINS: readonly SuggestionBase[] = ["recorded", "examples", "schema"];

export interface OperationSuggestions {
  readonly suggestions: readonly Suggestion[];
  /** Returns the unreachable gaps and, if wanted, requests that add only classes of values. */
  finish(withValues: boolean): {
    readonly values: readonly Suggestion[];
    readonly unreachable: readonly UnreachableGap[];
  };
}

export const LEADS_ELSEWHERE =
  "A request with such a value leads to another operation, or to none.";

const UNSENDABLE = "HTTP cannot express the method or a header of such a request.";

const MAX_VARIANTS = 150;
/** The number of body characters that count as one more request of effort. */
const CHARACTERS_PER_EFFORT = 500;
/** The number of steps of making values that count as one more request of effort. */
const STEPS_PER_EFFORT = 50;
/** The most steps for making a parameter's values, or those of all at once; each keyword in their schemas adds some. */
const MAX_STEPS = 3_000;
const STEPS_PER_KEYWORD = 50;
/** The number of variants in a row that may add nothing before the search for more is given up. */
const MAX_IDLE = 12;

export class OperationSuggester {
  readonly #operation: CoveredOperation;
  readonly #goals: OperationGoals;
  readonly #values: ParameterMaker;
  readonly #frame: RequestFrame;
  readonly #trial: Trial;
  readonly #candidates: Candidate[] = [];
  readonly #covered = new Set<number>();
  readonly #reasons = new Map<number, string>();
  #effort = 0;
  #effortLimit = Infinity;
  readonly #base = new Map<number, SuggestedParameter>();
  #hasBase = false;
  /** Goals from this index on are ignored: classes of values until all else is done, and Infinity from then on. */
  #goalEnd: number;
  #openCount = 0;
  #bodyBase: ReadonlyMap<number, SuggestedParameter> | undefined;
  /** The values of a recorded request that succeeded, by parameter. */
  readonly #recorded: ReadonlyMap<number, Json>;

  constructor(
    plan: CoveragePlan,
    operation: CoveredOperation,
    goals: OperationGoals,
    values: ParameterMaker,
    frame: RequestFrame,
    recorded?: RecordedRequest,
  ) {
    this.#operation = operation;
    this.#goals = goals;
    this.#goalEnd = goals.firstValueIndex;
    this.#values = values;
    this.#frame = frame;
    this.#trial = new Trial(plan, operation.plan, goals);
    this.#recorded = recorded === undefined ? new Map() : recordedValues(operation.plan, recorded);
  }

  /** Returns requests that close the operation's gaps; a seed varies their values. */
  suggest(seed?: string): OperationSuggestions {
    if (this.#goals.firstValueIndex > 0) {
      this.tryAllParameters();
      this.trySingleParameters();
    }
    const closed = new Set<number>();
    const suggestions = this.choose(seed, closed);
    return {
      suggestions,
      finish: (withValues) => ({
        values: withValues ? this.#closeValues(seed, closed) : [],
        unreachable: this.#listUnreachable(withValues ? Infinity : this.#goals.firstValueIndex),
      }),
    };
  }

  /** Tries the minimal valid request, with just what every request of the operation has to carry. */
  tryMinimal(allowance: number): void {
    this.#effortLimit = this.#effort + allowance;
    this.#withStepLimit(this.#operation.parameters, () => {
      this.#makeBase();
      this.#try(this.#base);
    });
  }

  tryAllParameters(allowance = Infinity): void {
    this.#effortLimit = this.#effort + allowance;
    this.#withStepLimit(this.#operation.parameters, () => {
      this.#makeBase();
      this.#tryVariants();
    });
  }

  trySingleParameters(allowance = Infinity): void {
    this.#effortLimit = this.#effort + allowance;
    this.#operation.parameters.forEach((parameter, index) => {
      if (this.#isExhausted) return;
      this.#withStepLimit([parameter], () => this.#tryParameter(parameter.plan, index));
    });
  }

  /** The effort so far, which allowances limit; deterministic, about one for each small request that was tried. */
  get effort(): number {
    return this.#effort;
  }

  get #isExhausted(): boolean {
    return this.#values.maker.isOutOfSteps || this.#effort >= this.#effortLimit;
  }

  /** Calls a function with a limit on the steps of making values, by the size of the schemas and by the allowance. */
  #withStepLimit(parameters: readonly CoveredParameter[], work: () => void): void {
    const { maker } = this.#values;
    const maxSteps = parameters.reduce(
      (sum, { plan }) => sum + STEPS_PER_KEYWORD * plan.inventory.keywords.length,
      MAX_STEPS,
    );
    maker.allowSteps(Math.min(maxSteps, (this.#effortLimit - this.#effort) * STEPS_PER_EFFORT));
    work();
    this.#countSteps();
    maker.allowSteps(Infinity);
  }

  #countSteps(): void {
    this.#effort += Math.floor(this.#values.maker.collectSteps() / STEPS_PER_EFFORT);
  }

  #plan(index: number): ParameterPlan {
    return this.#operation.parameters[index]!.plan; // indexes are taken from there
  }

  #isBody(index: number): boolean {
    return this.#plan(index).model.location === "body";
  }

  /** Sets the base: recorded values, required parameters, and the first body that has a value if one is required. */
  #makeBase(): void {
    if (this.#hasBase) return;
    this.#hasBase = true;
    let hasBody = [...this.#recorded.keys()].some((index) => this.#isBody(index));
    this.#operation.parameters.forEach(({ plan }, index) => {
      const known = this.#knownParameter(plan, index);
      if (known !== undefined) {
        this.#base.set(index, known);
        return;
      }
      const isNeeded = plan.model.required || plan.condition !== undefined;
      if (!isNeeded || (this.#isBody(index) && hasBody)) return;
      const carried = this.#values.minimal(plan);
      if (carried === undefined) return;
      this.#base.set(index, carried);
      hasBody ||= this.#isBody(index);
    });
    this.#avoidOtherOperations();
  }

  /**
   * Returns the base with a body, even an optional one: servers may refuse a request without a body for its media type,
   * whatever else is wrong with it.
   */
  #baseWithBody(): ReadonlyMap<number, SuggestedParameter> {
    if (this.#bodyBase !== undefined) return this.#bodyBase;
    this.#bodyBase = this.#base;
    const { method } = this.#operation.plan.model;
    if (/^(?:GET|HEAD|DELETE)$/.test(method)) return this.#base;
    if ([...this.#base.keys()].some((index) => this.#isBody(index))) return this.#base;
    for (const [index, { plan }] of this.#operation.parameters.entries()) {
      const carried = this.#isBody(index) ? this.#values.minimal(plan) : undefined;
      if (carried === undefined) continue;
      const candidate = new Map(this.#base).set(index, carried);
      if (this.#trial.record(this.#compose(candidate))?.breaks === null) this.#bodyBase = candidate;
      break;
    }
    return this.#bodyBase;
  }

  /** Replaces path examples that lead to another operation, such as `/books/new` where `/books/{id}` is meant. */
  #avoidOtherOperations(): void {
    if (this.#trial.record(this.#compose(this.#base)) !== undefined) return;
    this.#operation.parameters.forEach(({ plan }, index) => {
      const known = this.#base.get(index);
      if (plan.model.location !== "path" || known === undefined) return;
      for (const text of ["text", 1]) {
        const written = this.#values.isValid(plan, text)
          ? this.#values.write(plan, text)
          : undefined;
        if (written === undefined) continue;
        this.#base.set(index, { written, origin: "schema" });
        if (this.#trial.record(this.#compose(this.#base)) !== undefined) return;
      }
      this.#base.set(index, known);
    });
  }

  #compose(parameters: ReadonlyMap<number, SuggestedParameter>): SuggestedHttpRequest {
    return composeRequest(this.#frame, Array.from(parameters.values(), ({ written }) => written));
  }

  /** Returns the placeholder of a credential or a recorded value; undefined if neither exists and is valid. */
  #knownParameter(plan: ParameterPlan, index: number): SuggestedParameter | undefined {
    const placeholder = placeholderFor(plan.model, this.#frame.credentials);
    if (placeholder !== undefined && this.#values.isValid(plan, placeholder.value)) {
      return { written: placeholder.written, origin: "schema" };
    }
    const value = this.#recorded.get(index);
    if (value === undefined || !this.#values.isValid(plan, value)) return undefined;
    const written = this.#values.write(plan, value);
    return written && { written, origin: "recorded" };
  }

  #tryVariants(): void {
    const { credentials } = this.#frame;
    const bodies = this.#operation.parameters.flatMap((_, index) =>
      this.#isBody(index) ? [index] : []
    );
    for (const body of bodies.length === 0 ? [-1] : bodies) {
      let width = 1;
      let idle = 0;
      for (let variant = 0; variant < Math.min(width, MAX_VARIANTS) && idle < MAX_IDLE; variant++) {
        if (this.#isExhausted) return;
        const values = new Map<number, SuggestedParameter>();
        this.#operation.parameters.forEach(({ plan }, index) => {
          if ((this.#isBody(index) && index !== body)) return;
          const made = this.#values.makeVariant(plan, variant);
          width = Math.max(width, made?.variants ?? 1);
          const isId = plan.model.location === "path" || placeholderFor(plan.model, credentials);
          const carried = (isId ? this.#base.get(index) : undefined) ??
            this.#values.writeMade(plan, made);
          if (carried !== undefined) values.set(index, carried);
        });
        const before = this.#covered.size;
        if (this.#tryWithBase(values, body) !== null) {
          for (const [index, carried] of values) {
            if (this.#tryWithBase(new Map([[index, carried]]), body) !== null) values.delete(index);
          }
          this.#tryWithBase(values, body);
        }
        idle = this.#covered.size > before ? 0 : idle + 1;
      }
    }
  }

  /** Tries a request with some parameters and the base. Returns the rule that it breaks; null if it is valid. */
  #tryWithBase(
    values: ReadonlyMap<number, SuggestedParameter>,
    body: number,
  ): SuggestedBreach | null | undefined {
    const parameters = new Map<number, SuggestedParameter>();
    this.#operation.parameters.forEach((_, index) => {
      const isOther = this.#isBody(index) && index !== body;
      const carried = values.get(index) ?? (isOther ? undefined : this.#base.get(index));
      if (carried !== undefined) parameters.set(index, carried);
    });
    return this.#try(parameters)?.breaks;
  }

  /** Tries a request, and keeps it as a candidate if it covers new goals and breaks at most one rule. */
  #try(parameters: ReadonlyMap<number, SuggestedParameter>): TrialResult | undefined {
    const request = this.#compose(parameters);
    this.#countSteps();
    this.#effort += 1 + Math.floor((request.body?.length ?? 0) / CHARACTERS_PER_EFFORT);
    let tried = isSendable(request) ? this.#trial.record(request) : undefined;
    if (tried === undefined) return undefined;
    const isOpen = tried.breaks === undefined &&
      [...parameters.keys()].some((index) => this.#isBody(index) && this.#plan(index).unsupported);
    if (isOpen) tried = { ...tried, breaks: null };
    const { goals: shows, breaks } = tried;
    if (breaks === undefined || (breaks !== null && this.#goalEnd === Infinity)) return tried;
    const goals = shows.filter((goal) => goal < this.#goalEnd);
    const added = goals.filter((goal) => !this.#covered.has(goal));
    if (added.length === 0) return tried;
    for (const goal of added) this.#covered.add(goal);
    this.#openCount -= added.filter((goal) => goal >= this.#goals.firstValueIndex).length;
    const origins = [...parameters.values()].map(({ origin }) => origin);
    const basedOn = ORIGINS.find((origin) => origins.includes(origin)) ?? "schema";
    this.#candidates.push({ request, goals, covers: shows, breaks, basedOn });
    return tried;
  }

  /** Tries requests for the open goals of one parameter; the others have the values of the base. */
  #tryParameter(plan: ParameterPlan, index: number): void {
    const send = (value: Json, goal: Goal): boolean => {
      const written = this.#values.write(plan, value);
      if (written === undefined) {
        this.#reasons.set(
          goal.index,
          "The way in which the parameter is sent cannot express such a value.",
        );
        return false;
      }
      return this.#sendWith(index, { written, origin: "schema" }, goal);
    };
    const parameterGoal = this.#goals.parameters.get(index);
    if (parameterGoal !== undefined && !this.#covered.has(parameterGoal.index)) {
      const carried = this.#values.minimal(plan);
      if (carried !== undefined) this.#sendWith(index, carried, parameterGoal);
    }
    const examples = new Set(plan.ownExamples.map(({ schema_path }) => schema_path));
    for (const goal of this.#goals.examples[index]?.values() ?? []) {
      if (!this.#covered.has(goal.index) && examples.has(goal.schema_path)) send(goal.value, goal);
    }
    const recorded = this.#base.get(index)?.origin === "recorded"
      ? this.#recorded.get(index)
      : undefined;
    // Without a valid value, only one that breaks a rule reaches the parameter, or the operation that needs it in its path.
    const unreached = parameterGoal ??
      (plan.model.location === "path" ? this.#goals.operation : undefined);
    const rulesToBreak = (node: SchemaNode, keyword: string): readonly KeywordGoal[] =>
      unreached === undefined ? [] : [{ ...unreached, node, keyword, isValid: false }];
    for (const root of listRoots(plan, recorded)) {
      new PlaceWalk(this.#values.maker, {
        openKeywordGoals: (node, keyword) => {
          const goals = this.#goals.keywordGoals(index, node, keyword);
          return (goals.length > 0 ? goals : rulesToBreak(node, keyword))
            .filter((goal) => !this.#isExhausted && !this.#covered.has(goal.index));
        },
        openExampleGoal: (path) => this.#openExampleGoal(index, path),
        send,
        setReason: (goal, reason) => this.#reasons.set(goal.index, reason),
      }).walk(root);
    }
    if (unreached !== undefined && !this.#covered.has(unreached.index)) {
      this.#sendAnyValue(plan, index, unreached);
    }
  }

  /** Returns valid requests for the open classes of values; each request shows as many classes as it has places for. */
  #closeValues(seed: string | undefined, closed: Set<number>): Suggestion[] {
    if (this.#goals.values.size + this.#goals.leftOut.size === 0) return [];
    for (const goal of closed) this.#covered.add(goal);
    this.#goalEnd = Infinity;
    const { all, firstValueIndex } = this.#goals;
    this.#openCount = all.slice(firstValueIndex).filter(({ index }) => !closed.has(index)).length;
    const before = this.#candidates.length;
    this.#withStepLimit(this.#operation.parameters, () => {
      this.#makeBase();
      new ValueSearch(this.#operation, this.#goals, this.#values, {
        base: this.#baseWithBody(),
        isCovered: ({ index }) => this.#covered.has(index),
        countOpen: () => this.#openCount,
        send: (parameters) => this.#try(parameters)?.breaks === null,
      }).run(MAX_STEPS);
    });
    return this.#makeSuggestions(chooseRequests(this.#candidates.slice(before)), seed, closed);
  }

  #openExampleGoal(parameter: number, path: string): ExampleGoal | undefined {
    const goal = this.#isExhausted ? undefined : this.#goals.examples[parameter]?.get(path);
    return goal === undefined || this.#covered.has(goal.index) ? undefined : goal;
  }

  #sendWith(index: number, carried: SuggestedParameter, goal: Goal): boolean {
    const parameters = new Map(this.#baseWithBody());
    if (this.#isBody(index)) {
      for (const other of [...parameters.keys()]) if (this.#isBody(other)) parameters.delete(other);
    }
    parameters.set(index, carried);
    const tried = this.#try(parameters);
    if (this.#covered.has(goal.index)) return true;
    this.#reasons.set(
      goal.index,
      tried === undefined
        ? isSendable(this.#compose(parameters)) ? LEADS_ELSEWHERE : UNSENDABLE
        : tried.goals.includes(goal.index)
        ? "Every value that was tried breaks another rule as well."
        : NO_VALUE,
    );
    return false;
  }

  /** Sends a parameter for which no valid value was found with a value that breaks a single rule. */
  #sendAnyValue(plan: ParameterPlan, index: number, goal: Goal): void {
    for (const value of ["text", 1, true, {}, [], ["text"], [1], null, 0, "2024-01-15"]) {
      const written = this.#values.write(plan, value as Json);
      if (written === undefined) continue;
      if (this.#sendWith(index, { written, origin: "schema" }, goal)) return;
    }
  }

  /** Returns the best requests that were tried: valid ones first, then by the number of goals that they close. */
  choose(seed?: string, closed = new Set<number>()): Suggestion[] {
    const chosen = chooseRequests(this.#candidates).sort((one, other) =>
      Number(one.breaks !== null) - Number(other.breaks !== null)
    );
    return this.#makeSuggestions(chosen, seed, closed);
  }

  #makeSuggestions(
    chosen: readonly Candidate[],
    seed: string | undefined,
    closed: Set<number>,
  ): Suggestion[] {
    const { model } = this.#operation.plan;
    const { path, operationId } = model;
    return chosen.flatMap((request) => {
      const added = request.covers.filter((goal) => !closed.has(goal));
      if (added.length === 0) return [];
      for (const goal of added) closed.add(goal);
      return {
        request: this.#vary(request, added, seed),
        server: this.#frame.server,
        path,
        operation_id: operationId,
        // Goals are numbered by their place in `all`.
        closes: added.sort((one, other) => one - other).map((goal) => this.#goals.all[goal]!.gap),
        breaks: request.breaks,
        placeholders: this.#frame.credentials.placeholders,
        based_on: request.basedOn,
        expects: expectedStatuses(
          model.responses.map(({ status_code }) => status_code),
          request.breaks === null,
        ),
      };
    });
  }

  #vary({ request, breaks }: Candidate, goals: readonly number[], seed: string | undefined) {
    if (seed === undefined || breaks !== null) return request;
    return varyRequest(request, seed, (other) => {
      const tried = this.#trial.record(other);
      return tried?.breaks === null && goals.every((goal) => tried.goals.includes(goal));
    });
  }

  #listUnreachable(end: number): UnreachableGap[] {
    const open = this.#goals.all.filter(({ index }) => index < end && !this.#covered.has(index));
    return explainOpen(open, {
      parameters: this.#operation.plan.parameters,
      maker: this.#values.maker,
      reasons: this.#reasons,
      canWrite: (plan, value) => this.#values.write(plan, value) !== undefined,
    });
  }
}

/** Returns the documented statuses for success or for refusal; `default` if none of these is documented. */
function expectedStatuses(documented: readonly string[], isValid: boolean): readonly string[] {
  const kind = isValid ? /^[23]/ : /^4(?:00|13|14|15|22|31|XX)$/i;
  const ofKind = documented.filter((status) => kind.test(status));
  return ofKind.length > 0 ? ofKind : documented.filter((status) => status === "default");
}
