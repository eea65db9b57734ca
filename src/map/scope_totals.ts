import { getOrAdd } from "../values/collections.ts";
import type { SchemaExample } from "../schema/examples.ts";
import {
  type CutInventory,
  type InventoryKeyword,
  InventoryWalk,
} from "../schema/inventory_walk.ts";
import type { InventoryTotals } from "../schema/schema_inventory.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import { SchemaParts } from "../schema/schema_parts.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

export interface SchemaRules {
  /** True where schemas are left out. */
  readonly hasSchemas: boolean;
  /** True where keywords are left out by their names. */
  readonly hasKeywords: boolean;
  /** The exclusion that leaves a schema out; undefined where none does. */
  schema(node: SchemaNode): number | undefined;
  /** The exclusion that leaves keywords of a name out; undefined where none does. */
  keyword(name: string): number | undefined;
}

export type ScopedCount = Pick<InventoryTotals, "keywords" | "examples">;

/** The numbers of a parameter's keywords and examples that count, divided. */
export interface ScopedTotals {
  readonly counted: ScopedCount;
  /** The excluded numbers, by exclusion. */
  readonly excluded: ReadonlyMap<number, ScopedCount>;
}

/** The exclusions of what a parameter's schemas hold. */
export interface ScopedInventory {
  /** The exclusion that leaves a keyword out; undefined where none does. */
  keyword(entry: Pick<InventoryKeyword, "node" | "keyword">): number | undefined;
  /** The exclusion that leaves an example out; undefined where none does. */
  example(example: Pick<SchemaExample, "schema_path">): number | undefined;
}

const NOTHING_CUT: CutInventory = { nodes: new Map(), examples: new Map() };
const NONE_EXCLUDED: ReadonlyMap<number, ScopedCount> = new Map();

/** Divides what parameters reach into what counts and what is left out; what is reached another way, too, counts. */
export class ScopeTotals {
  readonly #plan: CoveragePlan;
  readonly #rules: SchemaRules;
  readonly #parts: SchemaParts;
  readonly #totals = new Map<ParameterPlan, ScopedTotals>();
  readonly #cuts = new Map<ParameterPlan, CutInventory>();

  constructor(plan: CoveragePlan, rules: SchemaRules) {
    this.#plan = plan;
    this.#rules = rules;
    this.#parts = new SchemaParts(plan.schemas.inventory.judge, {
      isPart: (node) => rules.schema(node.plain) !== undefined,
      isNamed: (name) => rules.keyword(name) !== undefined,
    });
  }

  of(parameter: ParameterPlan): ScopedTotals {
    if (!this.#rules.hasSchemas && !this.#rules.hasKeywords) {
      return { counted: parameter.totals, excluded: NONE_EXCLUDED };
    }
    return getOrAdd(
      this.#totals,
      parameter,
      () => this.#inJson(parameter) ?? this.#inList(parameter),
    );
  }

  /** The excluded keywords and examples of a parameter. */
  inventory(parameter: ParameterPlan): ScopedInventory {
    const cut = this.#cutInventory(parameter);
    return {
      keyword: ({ node, keyword }) => cut.nodes.get(node) ?? this.#rules.keyword(keyword),
      example: ({ schema_path }) => cut.examples.get(schema_path),
    };
  }

  /** The sums of the schemas that a body in JSON reaches; undefined where these depend on the way to them. */
  #inJson(parameter: ParameterPlan): ScopedTotals | undefined {
    const { schema, positions, itemSchema } = parameter;
    const [position] = positions;
    if (typeof schema !== "object" || schema.graph.references.dynamic) return undefined;
    if (itemSchema !== undefined || positions.length !== 1 || position?.json !== true) {
      return undefined;
    }
    const rules = this.#rules;
    const division = new Division(parameter.ownExamples.length);
    let isCut = false;
    for (const [cut, parts] of this.#parts.divide(schema, (node) => rules.schema(node.plain))) {
      isCut ||= cut !== undefined;
      for (const { root, keywords, named, examples } of parts) {
        if (root.plain !== root) return undefined;
        division.addExamples(cut, examples);
        let rest = keywords;
        if (cut === undefined && named !== undefined) {
          for (const [name, count] of named) {
            division.addKeywords(rules.keyword(name), count);
            rest -= count;
          }
        }
        division.addKeywords(cut, rest);
      }
    }
    if (!isCut) this.#cuts.set(parameter, NOTHING_CUT);
    return division;
  }

  #inList(parameter: ParameterPlan): ScopedTotals {
    const { keywords, examples } = parameter.inventory;
    const scoped = this.inventory(parameter);
    const division = new Division(0);
    for (const entry of keywords) {
      if (entry.satisfiability === "Normal") division.addKeywords(scoped.keyword(entry), 1);
    }
    for (const example of examples) division.addExamples(scoped.example(example), 1);
    return division;
  }

  #cutInventory(parameter: ParameterPlan): CutInventory {
    const rules = this.#rules;
    if (!rules.hasSchemas) return NOTHING_CUT;
    return getOrAdd(this.#cuts, parameter, () => {
      const { judge } = this.#plan.schemas.inventory;
      const walk = new InventoryWalk(judge, (node) => rules.schema(node));
      const { schema, positions, itemSchema, itemPositions } = parameter;
      if (typeof schema === "object") {
        for (const position of positions) walk.from(schema, position);
      }
      if (typeof itemSchema === "object") {
        for (const position of itemPositions) walk.from(itemSchema, position);
      }
      return walk.behindCuts();
    });
  }
}

class Division implements ScopedTotals {
  readonly counted: { keywords: number; examples: number };
  readonly excluded: Map<number, { keywords: number; examples: number }> = new Map();

  constructor(ownExamples: number) {
    this.counted = { keywords: 0, examples: ownExamples };
  }

  addKeywords(exclusion: number | undefined, count: number): void {
    if (count > 0) this.#of(exclusion).keywords += count;
  }

  addExamples(exclusion: number | undefined, count: number): void {
    if (count > 0) this.#of(exclusion).examples += count;
  }

  #of(exclusion: number | undefined): { keywords: number; examples: number } {
    if (exclusion === undefined) return this.counted;
    return getOrAdd(this.excluded, exclusion, () => ({ keywords: 0, examples: 0 }));
  }
}
