import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import type { Facts } from "../values/facts.ts";

/** The schemas of one place while their demands are gathered. */
export interface Gathering {
  readonly facts: Facts;
  /** True for objects with all optional properties. */
  readonly isFull: boolean;
  hold(schema: Subschema): void;
  /** Demands that the value doesn't match a schema. */
  refuse(schema: Subschema): void;
  breaks(node: SchemaNode, keyword: string): boolean;
  /** True if the value is to match no other alternative of a schema. */
  isAlone(node: SchemaNode): boolean;
  /** Decides between so many ways, the same one for the same attempt; `first` is tried first. */
  choose(node: SchemaNode, keyword: string, count: number, first?: number): number;
  /** Decides between ways to make the same value, the first one at first. */
  decide(count: number): number;
}

/** The way to make values that pass a keyword, and values that fail it and nothing else. */
export interface KeywordMaker {
  /** Adds the demands of the keyword. */
  hold(value: unknown, node: SchemaNode, gathering: Gathering): void;
  /** The number of ways to fail it; one where this is absent. */
  ways?(value: unknown, node: SchemaNode): number;
  fail(value: unknown, node: SchemaNode, gathering: Gathering, way: number): void;
}

/** A least length, or number of parts: broken by one less. */
export function atLeast(
  least: "minLength" | "minItems" | "minProperties",
  most: "maxLength" | "maxItems" | "maxProperties",
  type: number,
): KeywordMaker {
  return {
    hold(value, _node, { facts }) {
      facts[least] = Math.max(facts[least], value as number);
    },
    fail(value, _node, { facts }) {
      facts.aims |= type;
      facts[most] = Math.min(facts[most], Math.ceil(value as number) - 1);
    },
  };
}

/** A greatest length, or number of parts: broken by one more. */
export function atMost(
  most: "maxLength" | "maxItems" | "maxProperties",
  least: "minLength" | "minItems" | "minProperties",
  type: number,
): KeywordMaker {
  return {
    hold(value, _node, { facts }) {
      facts[most] = Math.min(facts[most], value as number);
    },
    fail(value, _node, { facts }) {
      facts.aims |= type;
      facts[least] = Math.max(facts[least], Math.floor(value as number) + 1);
    },
  };
}
