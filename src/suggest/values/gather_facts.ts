import { referenced } from "../../schema/scope.ts";
import { listExamples } from "../../schema/examples.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { namedTypes } from "../../schema/keywords/type.ts";
import { usableKeywords } from "../../schema/usable_keywords.ts";
import type { Gathering } from "../keywords/keyword_maker.ts";
import { keywordMakers } from "../keywords/keyword_makers.ts";
import { type Breach, type Demand, Facts, type Wish } from "./facts.ts";

/** The number up to which attempts are counted. */
const MAX_ATTEMPTS = 1_000;
/** The most keywords of a schema that are considered for breaking. */
const MAX_WAYS = 40;

/**
 * Gathers the demands of a place's schemas; each `attempt`, from 0, decides differently where the wish leaves a choice.
 */
export function gatherFacts(demands: readonly Demand[], wish: Wish, attempt: number): Gatherer {
  const gatherer = new Gatherer(wish, attempt);
  for (const { schema, holds } of demands) {
    if (holds) gatherer.require(schema);
    else gatherer.refuse(schema);
  }
  return gatherer;
}

/** The demands of one place, gathered with one series of decisions. */
class Gatherer implements Gathering {
  readonly facts = new Facts();
  /** The number of different series of decisions, as far as this series shows. */
  attempts = 1;
  /** The greatest number of alternatives at one decision. */
  width = 1;
  /** False if some values match the schemas without meeting these demands. */
  isExact = true;
  readonly #wish: Wish;
  readonly #breaches: Breach[];
  readonly #visited = new Set<SchemaNode>();
  #remainder: number;

  constructor(wish: Wish, attempt: number) {
    this.#wish = wish;
    this.#remainder = attempt;
    this.#breaches = [...wish.breaches];
  }

  get isFull(): boolean {
    return this.#wish.isFull;
  }

  breaks(node: SchemaNode, keyword: string): boolean {
    return this.#breaches.some((breach) =>
      breach.keyword === keyword && breach.node.plain === node.plain
    );
  }

  excludesOthers(node: SchemaNode): boolean {
    return this.#wish.classes?.excludesOthers(node) === true;
  }

  choose(node: SchemaNode, keyword: string, count: number, first = this.#wish.variant): number {
    const route = this.#wish.routes.find((known) =>
      known.node.plain === node.plain && known.keyword === keyword
    );
    if (route !== undefined) return route.index;
    this.width = Math.max(this.width, count);
    const branch = this.#breaches.length === 0
      ? this.#wish.classes?.chooseBranch(node, keyword, count)
      : undefined;
    if (branch !== undefined && this.decide(2) === 0) return branch;
    return (first + this.decide(count)) % count;
  }

  decide(count: number): number {
    if (count < 2) return 0;
    const decision = this.#remainder % count;
    this.#remainder = Math.floor(this.#remainder / count);
    this.attempts = Math.min(this.attempts * count, MAX_ATTEMPTS);
    return decision;
  }

  require(schema: Subschema): void {
    if (typeof schema === "boolean") {
      if (!schema) this.facts.isImpossible = true;
      return;
    }
    if (this.#visited.has(schema)) return;
    this.#visited.add(schema);
    const isOtherType = this.breaks(schema, "type");
    const ignoresOthers = this.#wish.breaksFreely &&
      this.#breaches.some(({ node }) => node.plain === schema.plain);
    if (!isOtherType) {
      for (const target of referenced(schema)) this.require(target);
    }
    if (schema.isReferenceOnly) return;
    for (const { definition: { name }, value } of usableKeywords(schema)) {
      const maker = keywordMakers.get(name);
      if (maker === undefined) continue;
      // A value of another type need not meet the schema's other keywords.
      if (isOtherType && name !== "type") continue;
      if (ignoresOthers && !this.breaks(schema, name)) continue;
      if (!this.breaks(schema, name)) maker.pass(value, schema, this);
      else maker.fail(value, schema, this, this.decide(maker.countWays?.(value, schema) ?? 1));
    }
    if (this.#breaches.length === 0) {
      this.#wish.classes?.addDemands(schema, this.facts, (count) => this.decide(count));
      for (const { value } of listExamples(schema)) this.facts.examples.push(value);
    }
  }

  /** True for a `type` that can't be broken, as the classes to show allow no other types. */
  #isTypeNeeded({ node, keyword }: Breach): boolean {
    if (this.#wish.classes === undefined || keyword !== "type") return false;
    return (this.facts.types & ~(namedTypes(node.schema["type"], node) ?? 0)) === 0;
  }

  refuse(schema: Subschema): void {
    if (typeof schema === "boolean") {
      if (schema) this.facts.isImpossible = true;
      return;
    }
    this.isExact = false; // it may fail in several keywords at once
    const breaches = listBreaches(schema).filter((breach) => !this.#isTypeNeeded(breach));
    const breach = breaches[this.decide(breaches.length)];
    if (breach === undefined) {
      this.facts.isImpossible = true; // it can't fail
      return;
    }
    this.#breaches.push(breach);
    this.require(schema);
    this.#breaches.pop();
  }
}

/** Lists the keywords that can be broken, in a schema and those that it refers to, the plainest first. */
export function listBreaches(schema: SchemaNode): Breach[] {
  const breaches: Breach[] = [];
  const visited = new Set<SchemaNode>();
  const open: Subschema[] = [schema];
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    if (typeof node === "boolean" || visited.has(node)) continue;
    visited.add(node);
    open.push(...referenced(node));
    for (const { definition: { name }, value } of usableKeywords(node)) {
      const maker = keywordMakers.get(name);
      if (maker === undefined || name === "if" || maker.countWays?.(value, node) === 0) continue;
      breaches.push({ node, keyword: name });
    }
  }
  const order = [...keywordMakers.keys()];
  breaches.sort((left, right) => order.indexOf(left.keyword) - order.indexOf(right.keyword));
  return breaches.slice(0, MAX_WAYS);
}
