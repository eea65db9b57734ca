import { type CountedUnit, CounterStore } from "../schema/counters.ts";
import { appendTo } from "../values/collections.ts";
import type { HttpRequest } from "../http/interaction.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import { Hits } from "../map/hits.ts";
import type { OperationHits, ParameterHits } from "../map/operation_hits.ts";
import { Recorder } from "../record/recorder.ts";
import type { OperationGoals } from "./goals.ts";
import type { SuggestedBreach } from "./suggestion.ts";

export interface TrialResult {
  /** The indexes of the goals that the request covers, ascending. */
  readonly goals: readonly number[];
  readonly breaks: SuggestedBreach | null | undefined;
}

/** A refusing response, which makes the recorder find out what is wrong with a request. */
const REFUSAL = { status_code: 400 };

/** Added to every request: the recorder takes a request without header fields for a recording that left them out. */
const HOST = { host: "localhost" };

export class Trial {
  readonly #operation: OperationPlan;
  readonly #goals: OperationGoals;
  readonly #store = new TouchStore();
  readonly #hits = new Hits(this.#store);
  readonly #recorder: Recorder;
  /** The number of each parameter's units whose counters are in `#goalByCounter`. */
  readonly #mappedUnits = new Map<ParameterHits, number>();
  readonly #goalByCounter = new Map<number, number>();
  /** By the counter of all objects: goals met by objects without a property, with the counter of those that have it. */
  readonly #absentByCounter = new Map<
    number,
    { readonly goal: number; readonly present: number }[]
  >();

  constructor(plan: CoveragePlan, operation: OperationPlan, goals: OperationGoals) {
    this.#operation = operation;
    this.#goals = goals;
    this.#recorder = new Recorder(plan, this.#hits, { isTrial: true });
  }

  /** Records a request; returns undefined if it doesn't lead to the operation. */
  record(request: HttpRequest): TrialResult | undefined {
    const callsBefore = this.#hits.operations[this.#operation.index]?.hits ?? 0;
    const hitsBefore = this.#parameterHits();
    this.#store.touched.length = 0;
    this.#recorder.record({ ...request, headers: { ...HOST, ...request.headers } }, REFUSAL);
    const hits = this.#hits.operations[this.#operation.index];
    if (hits === undefined || hits.hits === callsBefore) return undefined;
    const goals = new Set<number>();
    if (this.#goals.operation !== undefined) goals.add(this.#goals.operation.index);
    const goalByCounter = this.#mapCounters(hits);
    const { touched } = this.#store;
    for (const index of touched) {
      const goal = goalByCounter.get(index);
      if (goal !== undefined) goals.add(goal);
    }
    this.#addAbsent(touched, goals);
    const hitsAfter = this.#parameterHits();
    for (const [index, { index: goal }] of this.#goals.leftOut) {
      if ((hitsAfter[index] ?? 0) === (hitsBefore[index] ?? 0)) goals.add(goal);
    }
    const breaks = this.#breach(hits);
    hits.evidence.clear();
    return { goals: [...goals].sort((one, other) => one - other), breaks };
  }

  /** Maps counters to goals; new ones are added as requests reach more schemas. */
  #mapCounters(hits: OperationHits): ReadonlyMap<number, number> {
    hits.parameters.forEach((parameter, index) => {
      if (parameter === undefined) return;
      let mapped = this.#mappedUnits.get(parameter);
      if (mapped === undefined) {
        mapped = 0;
        const goal = this.#goals.parameters.get(index);
        if (goal !== undefined) this.#goalByCounter.set(parameter.at, goal.index);
      }
      for (const example of this.#operation.parameters[index]?.ownExamples ?? []) {
        const at = parameter.exampleAts[example.index];
        const goal = this.#goals.examples[index]?.get(example.schema_path);
        if (at !== undefined && goal !== undefined) this.#goalByCounter.set(at, goal.index);
      }
      const { units } = parameter.counters;
      for (; mapped < units.length; mapped++) {
        const unit = units[mapped];
        if (unit === undefined) break;
        const base = parameter.counters.base(unit);
        for (const { node, keyword, slot } of unit.keywords) {
          for (const goal of this.#goals.keywordGoals(index, node, keyword)) {
            this.#goalByCounter.set(base + slot + (goal.isValid ? 0 : 1), goal.index);
          }
        }
        this.#addClasses(index, unit, base);
        for (const { schema_path, slot } of unit.tallies) {
          const goal = this.#goals.examples[index]?.get(schema_path);
          if (goal !== undefined) this.#goalByCounter.set(base + slot, goal.index);
        }
      }
      this.#mappedUnits.set(parameter, mapped);
    });
    return this.#goalByCounter;
  }

  /** Adds counters of classes of values. Objects without a property are counted as all objects less those with it. */
  #addClasses(parameter: number, { classes }: CountedUnit, base: number): void {
    for (const { node, slot } of classes) {
      for (
        const { index: goal, valueClass } of this.#goals.values.get(parameter)?.get(node) ?? []
      ) {
        const { slot: ownSlot, total } = valueClass;
        const counter = base + slot + ownSlot;
        if (total === undefined) this.#goalByCounter.set(counter, goal);
        else appendTo(this.#absentByCounter, base + slot + total, { goal, present: counter });
      }
    }
  }

  #addAbsent(touched: readonly number[], goals: Set<number>): void {
    if (this.#absentByCounter.size === 0) return;
    const counts = new Map<number, number>();
    for (const index of touched) counts.set(index, (counts.get(index) ?? 0) + 1);
    for (const [index, count] of counts) {
      for (const { goal, present } of this.#absentByCounter.get(index) ?? []) {
        if ((counts.get(present) ?? 0) < count) goals.add(goal);
      }
    }
  }

  /** Returns the hits of each parameter, to see if one was left out; none if no goal needs them. */
  #parameterHits(): readonly (number | undefined)[] {
    if (this.#goals.leftOut.size === 0) return [];
    const hits = this.#hits.operations[this.#operation.index];
    return hits?.parameters.map((parameter) => parameter?.hits) ?? [];
  }

  #breach({ evidence }: OperationHits): SuggestedBreach | null | undefined {
    const evidenceList = evidence.list();
    if (evidenceList.some(({ kind }) => kind === "valid_request_refused")) return null;
    const refused = evidenceList.find(({ kind }) => kind === "refused");
    const model = this.#operation.parameters[refused?.parameter ?? -1]?.model;
    if (refused === undefined || model === undefined) return undefined;
    const { location, name: parameter } = model;
    const { instance } = refused.example;
    const breach = { location, parameter, schema_path: refused.detail };
    return instance === undefined ? breach : { ...breach, instance };
  }
}

class TouchStore extends CounterStore {
  /** The indexes of counters counted since this array was last emptied. */
  readonly touched: number[] = [];

  /** Makes the store call `addRequestTime` for every counter, even one that was counted before. */
  override beginRequest(): void {
    this.requestTime = 0;
    this.timedBelow = Infinity;
  }

  override addRequestTime(index: number): void {
    this.touched.push(index);
  }
}
