import type { HttpRequest } from "../http/interaction.ts";
import { isMeasured, visibleParts } from "../map/coverage.ts";
import type { Hits } from "../map/hits.ts";
import type { OperationHits, ParameterHits } from "../map/operation_hits.ts";
import type { Gap } from "../map/results.ts";
import { countLeftOut } from "../map/value_coverage.ts";
import type { ExampleGoal, KeywordGoal, ValueGoal } from "./goals.ts";
import type { FoundGap } from "./find_gaps.ts";

/** An interaction that closed a gap, or came near to closing it. */
export interface WatchedInteraction {
  readonly request: HttpRequest;
  readonly status_code: number | undefined;
  /** The name of the test that sent the request; undefined if unknown. */
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

/** Finds out, after each interaction, which of some gaps it closed or came near. */
export class GapWatch {
  readonly #gaps: readonly Watched[];
  readonly #hits: () => Hits;

  constructor(gaps: readonly FoundGap[], hits: () => Hits) {
    this.#gaps = gaps.map((found) => new Watched(found));
    this.#hits = hits;
  }

  note(interaction: WatchedInteraction): void {
    const hits = this.#hits();
    for (const gap of this.#gaps) gap.note(hits, interaction);
  }

  /** Returns the state of the gaps now; hits that were read in the meantime count. */
  result(): readonly WatchedGap[] {
    const hits = this.#hits();
    return this.#gaps.map((gap) => gap.result(hits));
  }
}

class Watched {
  readonly #found: FoundGap;
  #seen: readonly number[] = [0, 0, 0, 0];
  #closedBy: WatchedInteraction | undefined;
  #nearness = 0;
  #nearest: WatchedInteraction | undefined;
  readonly #slots: Slots | undefined;

  constructor(found: FoundGap) {
    this.#found = found;
    const { goal } = found;
    if (goal !== undefined && ("node" in goal || "schema_path" in goal)) {
      this.#slots = new Slots(goal as CountedGoal);
    }
  }

  note(hits: Hits, interaction: WatchedInteraction): void {
    if (this.#closedBy !== undefined) return;
    const seen = this.#count(hits);
    const before = this.#seen;
    this.#seen = seen;
    const [closed = 0] = seen;
    if (closed > 0) {
      if (before[0] === 0) this.#closedBy = interaction;
      return;
    }
    for (let nearness = seen.length - 1; nearness > this.#nearness; nearness--) {
      if ((seen[nearness] ?? 0) === (before[nearness] ?? 0)) continue;
      this.#nearness = nearness;
      this.#nearest = interaction;
    }
  }

  result(hits: Hits): WatchedGap {
    const seen = this.#count(hits);
    const nearness = Math.max(0, seen.findLastIndex((count, index) => index > 0 && count > 0));
    return {
      gap: this.#found.gap,
      count: seen[0] ?? 0,
      isHidden: this.#isHidden(hits),
      closedBy: this.#closedBy,
      nearness: NEARNESS[nearness] ?? "none",
      nearest: this.#nearest,
    };
  }

  #isHidden(hits: Hits): boolean {
    const { gap, goal, operation } = this.#found;
    if (gap.kind === "response_uncovered") return hits.recorded > 0 && hits.answered === 0;
    const index = gap.kind === "operation_uncovered" ? -1 : goal?.parameter ?? -1;
    const plan = operation.parameters[index];
    const own = hits.operations[operation.index]?.parameters[index];
    return plan !== undefined && !isMeasured(plan, own, visibleParts(hits));
  }

  /** How often the gap was closed, its operation called, its parameter sent, its keyword met with the other outcome. */
  #count(hits: Hits): readonly number[] {
    const { gap, goal, operation } = this.#found;
    const own = hits.operations[operation.index];
    if (own === undefined) return [0, 0, 0, 0];
    if (gap.kind === "operation_uncovered") return [own.hits, 0, 0, 0];
    if (gap.kind === "response_uncovered") return [responseHits(own, this.#found), own.hits, 0, 0];
    const parameter = own.parameters[goal?.parameter ?? -1];
    const plan = operation.parameters[goal?.parameter ?? -1];
    if (gap.kind === "value_uncovered" && gap.class === "default_left_out" && plan !== undefined) {
      return [countLeftOut(own, { plan, hits: parameter }), 0, own.hits, 0];
    }
    if (parameter === undefined) return [0, own.hits, 0, 0];
    if (this.#slots === undefined) return [parameter.hits, own.hits, 0, 0];
    const ownExample = this.#ownExample(parameter);
    const { closing, other } = this.#slots.count(parameter);
    return [closing + ownExample, own.hits, parameter.hits, other];
  }

  /** Counts how often the example was sent, if it belongs to the parameter itself rather than to its schema. */
  #ownExample(parameter: ParameterHits): number {
    const { gap, goal, operation } = this.#found;
    if (gap.kind !== "example_uncovered") return 0;
    const plan = operation.parameters[goal?.parameter ?? -1];
    const at = plan?.ownExamples.find(({ schema_path }) => schema_path === gap.schema_path)?.index;
    return at === undefined ? 0 : parameter.ofExample(at).hits;
  }
}

function responseHits(hits: OperationHits, { gap, operation }: FoundGap): number {
  const index = operation.model.responses.findIndex(({ status_code }) =>
    gap.kind === "response_uncovered" && status_code === gap.status_code
  );
  return hits.responses[index]?.hits ?? 0;
}

type CountedGoal = KeywordGoal | ExampleGoal | ValueGoal;

/** The counters of a goal. A schema may have several, and traffic that reaches more of the schema adds some. */
class Slots {
  readonly #goal: CountedGoal;
  readonly #closing: number[] = [];
  readonly #other: number[] = [];
  /** Subtracted from `closing`: counters of objects that have the property whose absence is the goal. */
  readonly #less: number[] = [];
  #units = 0;

  constructor(goal: CountedGoal) {
    this.#goal = goal;
  }

  count({ counters }: ParameterHits): { readonly closing: number; readonly other: number } {
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
          this.#other.push(base + slot + (goal.isValid ? 1 : 0));
        }
      } else if ("own" in goal) {
        const { node, own } = goal;
        for (const { slot } of unit.classes.filter((one) => one.node === node)) {
          this.#closing.push(base + slot + (own.total ?? own.slot));
          if (own.total !== undefined) this.#less.push(base + slot + own.slot);
        }
      } else {
        for (const { schema_path, slot } of unit.tallies) {
          if (schema_path === goal.schema_path) this.#closing.push(base + slot);
        }
      }
    }
    const sum = (slots: readonly number[]): number =>
      slots.reduce((total, slot) => total + (store.counts[slot] ?? 0), 0);
    return { closing: sum(this.#closing) - sum(this.#less), other: sum(this.#other) };
  }
}
