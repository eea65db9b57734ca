import { appendTo, getOrAdd } from "../values/collections.ts";
import type { CoveredOperation, CoveredParameter } from "../map/coverage.ts";
import type { GapIds } from "../map/gap_ids.ts";
import { DIMENSION_KINDS, type Gap } from "../map/results.ts";
import { uncoveredClasses } from "../map/value_coverage.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { SchemaClass } from "../schema/value_class.ts";
import type { Json } from "../values/json.ts";

export const GAP_KINDS: readonly Gap["kind"][] = [...DIMENSION_KINDS, "value_uncovered"];

/** A gap that a request can close. */
export interface Goal {
  readonly index: number;
  readonly gap: Gap;
  readonly parameter: number;
}

/** One side of a keyword, valid or invalid, that no value has shown. */
export interface KeywordGoal extends Goal {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly isValid: boolean;
}

export interface ExampleGoal extends Goal {
  readonly schema_path: string;
  readonly value: Json;
}

export interface ValueGoal extends Goal {
  readonly node: SchemaNode;
  readonly valueClass: SchemaClass;
}

/** All open goals of an operation, in the order of the document; classes of values come last. */
export class OperationGoals {
  readonly all: Goal[] = [];
  /** Goals for classes of values by parameter and schema; `leftOut` has those met by leaving a parameter out. */
  readonly values = new Map<number, Map<SchemaNode, ValueGoal[]>>();
  readonly leftOut = new Map<number, Goal>();
  readonly operation: Goal | undefined;
  readonly parameters = new Map<number, Goal>();
  readonly keywords: Map<SchemaNode, Map<string, KeywordGoal[]>>[] = [];
  readonly examples: Map<string, ExampleGoal>[] = [];

  readonly #gapIds: GapIds;
  readonly #selectedIds: ReadonlySet<string> | undefined;
  /** The index of the first class of values; the goals before it are gaps of the five dimensions. */
  readonly firstValueIndex: number;

  /** @param selectedIds The ids of the gaps that become goals; all by default. */
  constructor(
    operation: CoveredOperation,
    kinds: ReadonlySet<Gap["kind"]>,
    gapIds: GapIds,
    selectedIds?: ReadonlySet<string>,
  ) {
    this.#gapIds = gapIds;
    this.#selectedIds = selectedIds;
    const { method, path } = operation.plan.model;
    if (operation.hits === undefined && kinds.has("operation_uncovered")) {
      this.operation = this.#add(-1, { kind: "operation_uncovered", method, path });
    }
    operation.parameters.forEach((parameter, index) => {
      this.keywords.push(new Map());
      this.examples.push(new Map());
      if (parameter.excluded === undefined) {
        this.#addParameter(method, path, parameter, index, kinds);
      }
    });
    this.firstValueIndex = this.all.length;
    if (kinds.has("value_uncovered")) this.#addValues(operation);
  }

  keywordGoals(parameter: number, node: SchemaNode, keyword: string): readonly KeywordGoal[] {
    return this.keywords[parameter]?.get(node.plain)?.get(keyword) ?? [];
  }

  #addValues(operation: CoveredOperation): void {
    const { method, path } = operation.plan.model;
    operation.parameters.forEach((parameter, index) => {
      const { plan: { model }, excluded } = parameter;
      if (excluded !== undefined) return;
      const place = { method, path, location: model.location, parameter: model.name };
      for (
        const { name, node, schemaClass: valueClass } of uncoveredClasses(operation, parameter)
      ) {
        const gap: Gap = { kind: "value_uncovered", ...place, ...name };
        if (node === undefined || valueClass === undefined) {
          const goal = this.#add(index, gap);
          if (goal !== undefined) this.leftOut.set(index, goal);
          continue;
        }
        const goal = this.#add(index, gap, { node, valueClass });
        if (goal !== undefined) appendTo(getOrAdd(this.values, index, () => new Map()), node, goal);
      }
    });
  }

  #add<T extends object>(parameter: number, gap: Gap, details?: T): Goal & T | undefined {
    const id = this.#gapIds.id(gap);
    if (this.#selectedIds?.has(id) === false) return undefined;
    const goal = { index: this.all.length, gap: { id, ...gap }, parameter, ...details } as Goal & T;
    this.all.push(goal);
    return goal;
  }

  #addParameter(
    method: string,
    path: string,
    { plan, hits, innerExclusions, keywords, examples }: CoveredParameter,
    index: number,
    kinds: ReadonlySet<Gap["kind"]>,
  ): void {
    const { location, name: parameter } = plan.model;
    const place = { method, path, location, parameter };
    if (hits === undefined && kinds.has("parameter_uncovered")) {
      const goal = this.#add(index, { kind: "parameter_uncovered", ...place });
      if (goal !== undefined) this.parameters.set(index, goal);
    }
    // `keywords` and `examples` are parallel to the inventory; they are empty where nothing was hit or measured.
    if (kinds.has("keyword_uncovered")) {
      plan.inventory.keywords.forEach((entry, at) => {
        const { node, keyword, schema_path, satisfiability } = entry;
        if (satisfiability !== "Normal" || innerExclusions?.keyword(entry) !== undefined) return;
        for (const state of ["valid", "invalid"] as const) {
          if ((keywords[at]?.[state] ?? 0) > 0) continue;
          const gap: Gap = { kind: "keyword_uncovered", ...place, schema_path, state };
          const goal = this.#add(index, gap, { node, keyword, isValid: state === "valid" });
          if (goal === undefined) continue;
          const goalsByNode = this.keywords[index]!; // made for each parameter
          appendTo(getOrAdd(goalsByNode, node, () => new Map()), keyword, goal);
        }
      });
    }
    if (kinds.has("example_uncovered")) {
      plan.inventory.examples.forEach((example, at) => {
        const { schema_path, value } = example;
        if (innerExclusions?.example(example) !== undefined || (examples[at]?.hits ?? 0) > 0) {
          return;
        }
        const gap: Gap = { kind: "example_uncovered", ...place, schema_path, value };
        const goal = this.#add(index, gap, { schema_path, value });
        if (goal !== undefined) this.examples[index]?.set(schema_path, goal);
      });
    }
  }
}
