import type { HttpRequest } from "../http/interaction.ts";
import { isMeasured, visibleParts } from "../map/coverage.ts";
import type { Hits } from "../map/hits.ts";
import type { ParameterHits } from "../map/operation_hits.ts";
import type { Gap } from "../map/results.ts";
import { countLeftOut } from "../map/value_coverage.ts";
import type { ExampleGoal, KeywordGoal, ValueGoal } from "./goals.ts";
import type { PossibleGap } from "./find_gaps.ts";

export interface WatchedInteraction {
  readonly request: HttpRequest;
  readonly status_code: number | undefined;
  readonly test: string | undefined;
}

/** Steps towards a gap: its operation was called, its parameter sent, its keyword evaluated with the other outcome. */
export const NEARNESS = ["none", "operation", "parameter", "keyword"] as const;

export interface WatchedGap {
  readonly gap: Gap;
  /** The number of interactions, or of values in them, that close the gap; 0 while it is open. */
  readonly count: number;
  /** True if no recording has the part that could close the gap, so that it is unknown whether it was sent. */
  readonly isHidden: boolean;
  /** The first interaction that closed the gap; undefined while it is open, and where only hits were read. */
  readonly closedBy: WatchedInteraction | undefined;
  readonly nearness: typeof NEARNESS[number];
  /** The first of the interactions that came nearest; undefined if none came near. */
  readonly nearest: WatchedInteraction | undefined;
}

export class GapWatch {
  readonly #gaps: readonly GapProgress[];
  readonly #hits: () => Hits;

  constructor(gaps: readonly PossibleGap[], hits: () => Hits) {
    this.#gaps = gaps.map((gap) => new GapProgress(gap));
    this.#hits = hits;
  }

  note(interaction: WatchedInteraction): void {
    const hits = this.#hits();
    for (const gap of this.#gaps) gap.note(hits, interaction);
  }

  /** Takes what was counted since the last interaction, from hits, for no interaction's. */
  skip(): void {
    const hits = this.#hits();
    for (const gap of this.#gaps) gap.skip(hits);
  }

  /** Returns the state of the gaps now; hits that were read in the meantime count. */
  result(): readonly WatchedGap[] {
    const hits = this.#hits();
    return this.#gaps.map((gap) => gap.result(hits));
  }
}

class GapProgress {
  readonly #target: PossibleGap;
  #counts: readonly number[] = [0, 0, 0, 0];
  #closedBy: WatchedInteraction | undefined;
  #nearness = 0;
  #nearest: WatchedInteraction | undefined;
  readonly #counters: GoalCounters | undefined;

  constructor(target: PossibleGap) {
    this.#target = target;
    const { goal } = target;
    if (goal !== undefined && ("node" in goal || "schema_path" in goal)) {
      this.#counters = new GoalCounters(goal as CountedGoal);
    }
  }

  note(hits: Hits, interaction: WatchedInteraction): void {
    if (this.#closedBy !== undefined) return;
    const counts = this.#countSteps(hits);
    const previous = this.#counts;
    this.#counts = counts;
    const [closed = 0] = counts;
    if (closed > 0) {
      if (previous[0] === 0) this.#closedBy = interaction;
      return;
    }
    for (let nearness = counts.length - 1; nearness > this.#nearness; nearness--) {
      if ((counts[nearness] ?? 0) === (previous[nearness] ?? 0)) continue;
      this.#nearness = nearness;
      this.#nearest = interaction;
    }
  }

  skip(hits: Hits): void {
    this.#counts = this.#countSteps(hits);
  }

  result(hits: Hits): WatchedGap {
    const counts = this.#countSteps(hits);
    const nearness = Math.max(0, counts.findLastIndex((count, index) => index > 0 && count > 0));
    return {
      gap: this.#target.gap,
      count: counts[0] ?? 0,
      isHidden: this.#isHidden(hits),
      closedBy: this.#closedBy,
      nearness: NEARNESS[nearness] ?? "none",
      nearest: this.#nearest,
    };
  }

  #isHidden(hits: Hits): boolean {
    const { gap, goal, operation } = this.#target;
    if (gap.kind === "response_uncovered") return hits.recorded > 0 && hits.answered === 0;
    const index = gap.kind === "operation_uncovered" ? -1 : goal?.parameter ?? -1;
    const plan = operation.parameters[index];
    const parameterHits = hits.operations[operation.index]?.parameters[index];
    return plan !== undefined && !isMeasured(plan, parameterHits, visibleParts(hits));
  }

  /** How often the gap was closed, its operation called, its parameter sent, its keyword met with the other outcome. */
  #countSteps(hits: Hits): readonly number[] {
    const { gap, goal, operation } = this.#target;
    const operationHits = hits.operations[operation.index];
    if (operationHits === undefined) return [0, 0, 0, 0];
    if (gap.kind === "operation_uncovered") return [operationHits.hits, 0, 0, 0];
    if (gap.kind === "response_uncovered") {
      const { responses } = operation.model;
      const index = responses.findIndex(({ status_code }) => status_code === gap.status_code);
      return [operationHits.responses[index]?.hits ?? 0, operationHits.hits, 0, 0];
    }
    const parameter = operationHits.parameters[goal?.parameter ?? -1];
    const plan = operation.parameters[goal?.parameter ?? -1];
    if (gap.kind === "value_uncovered" && gap.class === "default_left_out" && plan !== undefined) {
      return [countLeftOut(operationHits, { plan, hits: parameter }), 0, operationHits.hits, 0];
    }
    if (parameter === undefined) return [0, operationHits.hits, 0, 0];
    if (this.#counters === undefined) return [parameter.hits, operationHits.hits, 0, 0];
    // The example may belong to the parameter itself rather than to its schema.
    const own = gap.kind === "example_uncovered"
      ? plan?.ownExamples.find(({ schema_path }) => schema_path === gap.schema_path)
      : undefined;
    const ownHits = own === undefined ? 0 : parameter.exampleCounts(own.index).hits;
    const { closing, opposite } = this.#counters.count(parameter);
    return [closing + ownHits, operationHits.hits, parameter.hits, opposite];
  }
}

type CountedGoal = KeywordGoal | ExampleGoal | ValueGoal;

/** The counters of a goal. A schema may have several, and traffic that reaches more of the schema adds some. */
class GoalCounters {
  readonly #goal: CountedGoal;
  readonly #closing: number[] = [];
  readonly #opposite: number[] = [];
  /** Subtracted from `closing`: counters of objects that have the property whose absence is the goal. */
  readonly #subtracted: number[] = [];
  #units = 0;

  constructor(goal: CountedGoal) {
    this.#goal = goal;
  }

  count({ counters }: ParameterHits): { readonly closing: number; readonly opposite: number } {
    const { units, store } = counters;
    const goal = this.#goal;
    for (; this.#units < units.length; this.#units++) {
      const unit = units[this.#units];
      if (unit === undefined) break;
      const base = counters.base(unit);
      if ("keyword" in goal) {
        for (const { node, keyword, slot } of unit.keywords) {
          if (node !== goal.node.plain || keyword !== goal.keyword) continue;
          this.#closing.push(base + slot + (goal.isValid ? 0 : 1));
          this.#opposite.push(base + slot + (goal.isValid ? 1 : 0));
        }
      } else if ("valueClass" in goal) {
        const { node, valueClass } = goal;
        for (const { slot } of unit.classes.filter((one) => one.node === node)) {
          this.#closing.push(base + slot + (valueClass.total ?? valueClass.slot));
          if (valueClass.total !== undefined) this.#subtracted.push(base + slot + valueClass.slot);
        }
      } else {
        for (const { schema_path, slot } of unit.tallies) {
          if (schema_path === goal.schema_path) this.#closing.push(base + slot);
        }
      }
    }
    const sum = (slots: readonly number[]): number =>
      slots.reduce((total, slot) => total + (store.counts[slot] ?? 0), 0);
    return { closing: sum(this.#closing) - sum(this.#subtracted), opposite: sum(this.#opposite) };
  }
}
