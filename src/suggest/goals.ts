import type { CoveredOperation, CoveredParameter } from "../map/coverage.ts";
import { parameterCounts } from "../map/keyword_counts.ts";
import type { Gap } from "../map/results.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import type { Json } from "../values/json.ts";

/** Something that a request can cover. */
export interface Goal {
  /** Its number in its operation. */
  readonly index: number;
  /** The gap that it is while nothing covers it. */
  readonly gap: Gap;
  /** The index of the parameter; -1 for the operation itself. */
  readonly parameter: number;
}

/** A side of a keyword that no value has shown. */
export interface KeywordGoal extends Goal {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly isValid: boolean;
}

/** An example that was never sent. */
export interface ExampleGoal extends Goal {
  readonly schema_path: string;
  readonly value: Json;
}

/** Everything in an operation that no request has covered, in the order of the document. */
export class OperationGoals {
  readonly all: Goal[] = [];
  /** The operation itself, if it was never called. */
  readonly operation: Goal | undefined;
  /** By the parameter's index. */
  readonly parameters = new Map<number, Goal>();
  /** By schema and keyword. */
  readonly keywords: Map<SchemaNode, Map<string, KeywordGoal[]>>[] = [];
  readonly examples: Map<string, ExampleGoal>[] = [];

  /** Takes the goals of these kinds. */
  constructor(operation: CoveredOperation, kinds: ReadonlySet<Gap["kind"]>) {
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
  }

  /** The open sides of a keyword. */
  ofKeyword(parameter: number, node: SchemaNode, keyword: string): readonly KeywordGoal[] {
    return this.keywords[parameter]?.get(node.plain)?.get(keyword) ?? NONE;
  }

  #add<T extends object>(parameter: number, gap: Gap, rest?: T): Goal & T {
    const goal = { index: this.all.length, gap, parameter, ...rest } as Goal & T;
    this.all.push(goal);
    return goal;
  }

  #addParameter(
    method: string,
    path: string,
    { plan, hits, scoped }: CoveredParameter,
    index: number,
    kinds: ReadonlySet<Gap["kind"]>,
  ): void {
    const { location, name: parameter } = plan.model;
    const of = { method, path, location, parameter };
    if (hits === undefined && kinds.has("parameter_uncovered")) {
      this.parameters.set(index, this.#add(index, { kind: "parameter_uncovered", ...of }));
    }
    if (!kinds.has("keyword_uncovered") && !kinds.has("example_uncovered")) return;
    const { inventory } = plan;
    const counts = hits === undefined ? undefined : parameterCounts(hits);
    if (kinds.has("keyword_uncovered")) {
      for (const entry of inventory.keywords) {
        const { node, keyword, schema_path, satisfiability } = entry;
        if (satisfiability !== "Normal" || scoped?.keyword(entry) !== undefined) continue;
        const known = counts?.keywords.get(node)?.find((count) => count.keyword === keyword);
        for (const isValid of [true, false]) {
          if (((isValid ? known?.valid : known?.invalid) ?? 0) > 0) continue;
          const state = isValid ? "valid" as const : "invalid" as const;
          const gap: Gap = { kind: "keyword_uncovered", ...of, schema_path, state };
          const goal = this.#add(index, gap, { node, keyword, isValid });
          const keywords = this.keywords[index]!; // made for each parameter
          let ofNode = keywords.get(node);
          if (ofNode === undefined) keywords.set(node, ofNode = new Map());
          ofNode.set(keyword, [...ofNode.get(keyword) ?? [], goal]);
        }
      }
    }
    if (kinds.has("example_uncovered")) {
      const own = new Map(plan.ownExamples.map((example, at) => [example.schema_path, at]));
      for (const example of inventory.examples) {
        const { schema_path, value } = example;
        if (scoped?.example(example) !== undefined) continue;
        const at = own.get(schema_path);
        const used = at === undefined
          ? counts?.examples.get(schema_path)?.hits ?? 0
          : hits?.examples[at] ?? 0;
        if (used > 0) continue;
        const gap: Gap = { kind: "example_uncovered", ...of, schema_path, value };
        this.examples[index]?.set(schema_path, this.#add(index, gap, { schema_path, value }));
      }
    }
  }
}

const NONE: readonly never[] = [];
