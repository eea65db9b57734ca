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
  readonly excludesSchemas: boolean;
  readonly excludesKeywords: boolean;
  /** Returns the index of the exclusion that applies to a schema; undefined if none does. */
  schema(node: SchemaNode): number | undefined;
  keyword(name: string): number | undefined;
}

export type ScopedCount = Pick<InventoryTotals, "keywords" | "examples">;

export interface ScopedTotals {
  readonly counted: ScopedCount;
  /** By index of the exclusion. */
  readonly excluded: ReadonlyMap<number, ScopedCount>;
}

export interface InnerExclusions {
  /** Returns the index of the exclusion that applies to a keyword; undefined if none does. */
  keyword(entry: Pick<InventoryKeyword, "node" | "keyword">): number | undefined;
  example(example: Pick<SchemaExample, "schema_path">): number | undefined;
  /** Returns the index of the exclusion that applies to a schema and its values; undefined if none does. */
  schema(node: SchemaNode): number | undefined;
}

const NOTHING_CUT: CutInventory = { nodes: new Map(), examples: new Map() };
export const NONE_EXCLUDED: ReadonlyMap<number, ScopedCount> = new Map();

/** Divides the keywords and examples of parameters by exclusion. What is also reachable around exclusions counts. */
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
      isCountedByName: (name) => rules.keyword(name) !== undefined,
    });
  }

  forParameter(parameter: ParameterPlan): ScopedTotals {
    if (!this.#rules.excludesSchemas && !this.#rules.excludesKeywords) {
      return { counted: parameter.totals, excluded: NONE_EXCLUDED };
    }
    return getOrAdd(
      this.#totals,
      parameter,
      () => this.#sumJson(parameter) ?? this.#sumList(parameter),
    );
  }

  innerExclusions(parameter: ParameterPlan): InnerExclusions {
    const cutInventory = this.#cutInventory(parameter);
    return {
      keyword: ({ node, keyword }) => cutInventory.nodes.get(node) ?? this.#rules.keyword(keyword),
      example: ({ schema_path }) => cutInventory.examples.get(schema_path),
      schema: (node) => cutInventory.nodes.get(node),
    };
  }

  /** Sums up the schemas reachable from a JSON body; undefined if satisfiability depends on the paths to them. */
  #sumJson(parameter: ParameterPlan): ScopedTotals | undefined {
    const { schema, positions, itemSchema } = parameter;
    const [position] = positions;
    if (typeof schema !== "object" || schema.graph.references.dynamic) return undefined;
    if (itemSchema !== undefined || positions.length !== 1 || position?.json !== true) {
      return undefined;
    }
    const rules = this.#rules;
    const division = new Division(parameter.ownExamples.length);
    let isCut = false;
    for (
      const [exclusion, parts] of this.#parts.groupByCut(schema, (node) => rules.schema(node.plain))
    ) {
      isCut ||= exclusion !== undefined;
      division.note(exclusion);
      for (const { root, keywords, countsByName, examples } of parts) {
        if (root.plain !== root) return undefined;
        division.addExamples(exclusion, examples);
        let unnamed = keywords;
        if (exclusion === undefined && countsByName !== undefined) {
          for (const [name, count] of countsByName) {
            division.addKeywords(rules.keyword(name), count);
            unnamed -= count;
          }
        }
        division.addKeywords(exclusion, unnamed);
      }
    }
    if (!isCut) this.#cuts.set(parameter, NOTHING_CUT);
    return division;
  }

  #sumList(parameter: ParameterPlan): ScopedTotals {
    const { keywords, examples } = parameter.inventory;
    const innerExclusions = this.innerExclusions(parameter);
    const division = new Division(0);
    for (const exclusion of this.#cutInventory(parameter).nodes.values()) division.note(exclusion);
    for (const entry of keywords) {
      if (entry.satisfiability === "Normal") {
        division.addKeywords(innerExclusions.keyword(entry), 1);
      }
    }
    for (const example of examples) division.addExamples(innerExclusions.example(example), 1);
    return division;
  }

  #cutInventory(parameter: ParameterPlan): CutInventory {
    const rules = this.#rules;
    if (!rules.excludesSchemas) return NOTHING_CUT;
    return getOrAdd(this.#cuts, parameter, () => {
      const { judge } = this.#plan.schemas.inventory;
      const walk = new InventoryWalk(judge, (node) => rules.schema(node));
      const { schema, positions, itemSchema, itemPositions } = parameter;
      if (typeof schema === "object") {
        for (const position of positions) walk.walk(schema, position);
      }
      if (typeof itemSchema === "object") {
        for (const position of itemPositions) walk.walk(itemSchema, position);
      }
      return walk.walkCuts();
    });
  }
}

class Division implements ScopedTotals {
  readonly counted: { keywords: number; examples: number };
  readonly excluded: Map<number, { keywords: number; examples: number }> = new Map();

  constructor(ownExamples: number) {
    this.counted = { keywords: 0, examples: ownExamples };
  }

  /** Lists an exclusion even if no keyword and no example of it counts: it leaves out classes of values, too. */
  note(exclusion: number | undefined): void {
    this.#counts(exclusion);
  }

  addKeywords(exclusion: number | undefined, count: number): void {
    if (count > 0) this.#counts(exclusion).keywords += count;
  }

  addExamples(exclusion: number | undefined, count: number): void {
    if (count > 0) this.#counts(exclusion).examples += count;
  }

  #counts(exclusion: number | undefined): { keywords: number; examples: number } {
    if (exclusion === undefined) return this.counted;
    return getOrAdd(this.excluded, exclusion, () => ({ keywords: 0, examples: 0 }));
  }
}
