import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import type { Facts } from "../values/facts.ts";

export interface Gathering {
  readonly facts: Facts;
  /** True for objects with all optional properties. */
  readonly isFull: boolean;
  require(schema: Subschema): void;
  refuse(schema: Subschema): void;
  breaks(node: SchemaNode, keyword: string): boolean;
  /** True if the value must match no other alternative of a schema. */
  excludesOthers(node: SchemaNode): boolean;
  /** Chooses one of `count` alternatives, the same for the same attempt; `preferred` is tried first. */
  choose(node: SchemaNode, keyword: string, count: number, preferred?: number): number;
  /** Decides between `count` ways to make a value; the first attempt takes way 0. */
  decide(count: number): number;
}

/** The way to make values that pass a keyword, and values that fail it and nothing else. */
export interface KeywordMaker {
  pass(value: unknown, node: SchemaNode, gathering: Gathering): void;
  /** The number of ways to break the keyword (default: 1). */
  countWays?(value: unknown, node: SchemaNode): number;
  fail(value: unknown, node: SchemaNode, gathering: Gathering, way: number): void;
}
