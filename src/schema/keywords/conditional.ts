import { ANY_TYPE } from "../../values/json_type.ts";
import { Evaluated } from "../evaluated.ts";
import type { SchemaNode } from "../schema_node.ts";
import type { Branch, Count, KeywordDefinition, Outcome } from "./keyword.ts";
import { INVALID, notASchema, VALID } from "./keyword.ts";

function mustBeSchema(name: string): KeywordDefinition["problem"] {
  return (value, node) => {
    if (name !== "if" && node.child("if", true) === undefined) return null;
    return node.child(name, true) === undefined ? notASchema(value, node) : undefined;
  };
}

function branch(name: "then" | "else"): KeywordDefinition {
  return {
    name,
    types: ANY_TYPE,
    failure: "schemas",
    problem: mustBeSchema(name),
    subschemas: (_value, node, visit) => visit(node.child(name, true) ?? true, "in_place", ""),
    satisfiability: (_value, node, position, judge) =>
      judge.canFail(node.child(name, true) ?? true, position) ? "Normal" : "Positive",
    compile: () => undefined,
  };
}

/** `then` (JSON Schema Core, section 10.2.2.2); counted by the check of `if`. */
export const thenKeyword: KeywordDefinition = branch("then");
/** `else` (JSON Schema Core, section 10.2.2.3); counted by the check of `if`. */
export const elseKeyword: KeywordDefinition = branch("else");

/** `if` (JSON Schema Core, section 10.2.2.1): matched or not, it asserts nothing; its branches do. */
export const ifKeyword: KeywordDefinition = {
  name: "if",
  types: ANY_TYPE,
  failure: "none",
  problem: mustBeSchema("if"),
  subschemas: (_value, node, visit) => visit(node.child("if", true) ?? true, "in_place", ""),
  countsItself: true,
  compile(_value, node, compiler) {
    const condition = compiler.condition(node.child("if", true) ?? true);
    const countIf = compiler.counter("if");
    const branchOf = (name: "then" | "else"): [Branch, Count] | undefined => {
      if (!usesBranch(node, name)) return undefined;
      return [compiler.subschema(node.child(name, true) ?? true), compiler.counter(name)];
    };
    const branches = [branchOf("else"), branchOf("then")] as const;
    return (instance, run, base, text, seen): Outcome => {
      const own = seen === undefined ? undefined : new Evaluated();
      const matched = condition.evaluate(instance, run, base + condition.offset, text, own);
      countIf(run, base, matched);
      if (matched && own !== undefined) seen!.merge(own); // own exists only where seen does
      const taken = branches[matched ? 1 : 0];
      if (taken === undefined) return VALID;
      const [branch, countTaken] = taken;
      const takenSeen = seen === undefined ? undefined : new Evaluated();
      const passed = branch.evaluate(instance, run, base + branch.offset, text, takenSeen);
      countTaken(run, base, passed);
      if (passed && takenSeen !== undefined) seen!.merge(takenSeen); // likewise
      return passed ? VALID : INVALID;
    };
  },
};

function usesBranch(node: SchemaNode, name: "then" | "else"): boolean {
  return Object.hasOwn(node.schema, name) && node.child(name, true) !== undefined;
}
