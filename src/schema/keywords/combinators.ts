import { ANY_TYPE } from "../../values/json_type.ts";
import { EvaluatedParts } from "../evaluated_parts.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import {
  type Branch,
  type Count,
  firstNonSchema,
  heldSchema,
  INVALID,
  type KeywordDefinition,
  listSchemas,
  type Outcome,
  singleSchema,
  VALID,
} from "./keyword.ts";

function conditionalBranch(name: "then" | "else"): KeywordDefinition {
  const common = singleSchema(name, "in_place");
  return {
    ...common,
    types: ANY_TYPE,
    failure: "schemas",
    problem: (value, node) =>
      node.child("if", true) === undefined ? null : common.problem(value, node),
    compile: () => undefined,
  };
}

/** `then` (JSON Schema Core, section 10.2.2.2); counted by the check of `if`. */
export const thenKeyword: KeywordDefinition = conditionalBranch("then");
/** `else` (JSON Schema Core, section 10.2.2.3); counted by the check of `if`. */
export const elseKeyword: KeywordDefinition = conditionalBranch("else");

/** `if` (JSON Schema Core, section 10.2.2.1): asserts nothing itself, but selects a branch that does. */
export const ifKeyword: KeywordDefinition = {
  ...singleSchema("if", "in_place"),
  types: ANY_TYPE,
  failure: "none",
  countsItself: true,
  compile(_value, node, compiler) {
    const condition = compiler.condition(heldSchema("if", node, true));
    const countIf = compiler.counter("if");
    const compileBranch = (name: "then" | "else"): [Branch, Count] | undefined => {
      const schema = Object.hasOwn(node.schema, name) ? node.child(name, true) : undefined;
      return schema === undefined
        ? undefined
        : [compiler.subschema(schema), compiler.counter(name)];
    };
    const branches = [compileBranch("else"), compileBranch("then")] as const;
    return (instance, run, base, text, evaluated): Outcome => {
      const parts = evaluated === undefined ? undefined : new EvaluatedParts();
      const matched = condition.evaluate(instance, run, base + condition.offset, text, parts);
      countIf(run, base, matched);
      if (matched && parts !== undefined) evaluated!.merge(parts); // `parts` is only defined if `evaluated` is.
      const selected = branches[matched ? 1 : 0];
      if (selected === undefined) return VALID;
      const [branch, countBranch] = selected;
      const branchParts = evaluated === undefined ? undefined : new EvaluatedParts();
      const passed = branch.evaluate(instance, run, base + branch.offset, text, branchParts);
      countBranch(run, base, passed);
      if (passed && branchParts !== undefined) evaluated!.merge(branchParts); // As above.
      return passed ? VALID : INVALID;
    };
  },
};

/** Returns the end of a sentence about a value that isn't a list of schemas. */
function notAListOfSchemas(name: string, value: unknown, node: SchemaNode): string {
  const index = firstNonSchema(name, value, node, true);
  const member: unknown = index === undefined ? undefined : (value as unknown[])[Number(index)];
  return typeof member === "boolean"
    ? `holds \`${member}\`, and ${node.dialect.name} does not support boolean schemas`
    : "must be a list of schemas";
}

interface Combinator
  extends Required<Pick<KeywordDefinition, "name" | "failure" | "satisfiability">> {
  readonly mayBeEmpty: boolean;
  readonly passes: (passed: number, total: number) => boolean;
}

function combinator(options: Combinator): KeywordDefinition {
  return {
    name: options.name,
    types: ANY_TYPE,
    failure: options.failure,
    problem(value, node) {
      const schemas = listSchemas(options.name, value, node, true);
      if (schemas === undefined) return notAListOfSchemas(options.name, value, node);
      return schemas.length > 0 || options.mayBeEmpty ? undefined : "must not be empty";
    },
    invalidItem: (value, node) => firstNonSchema(options.name, value, node, true),
    subschemas(value, node, visit) {
      listSchemas(options.name, value, node, true)?.forEach((schema, index) =>
        visit(schema, "in_place", String(index))
      );
    },
    satisfiability: options.satisfiability,
    compile(value, node, compiler) {
      const branches = (listSchemas(options.name, value, node, true) ?? [])
        .map((schema) => compiler.subschema(schema));
      const countAlternative = compiler.alternative?.(options.name);
      return (instance, run, base, text, evaluated): Outcome => {
        if ((run.stepsLeft -= branches.length) < 0) return VALID;
        let passed = 0;
        let last = 0;
        for (let index = 0; index < branches.length; index++) {
          const branch = branches[index] as Branch; // The index is within bounds.
          const parts = evaluated === undefined ? undefined : new EvaluatedParts();
          if (!branch.evaluate(instance, run, base + branch.offset, text, parts)) continue;
          passed++;
          last = index;
          if (parts !== undefined) evaluated!.merge(parts); // `parts` is only defined if `evaluated` is.
        }
        if (passed === 1) countAlternative?.(run, base, last);
        return options.passes(passed, branches.length) ? VALID : INVALID;
      };
    },
  };
}

/** `allOf` (JSON Schema Core, section 10.2.1.1). */
export const allOf: KeywordDefinition = combinator({
  name: "allOf",
  mayBeEmpty: true,
  failure: "schemas",
  passes: (passed, total) => passed === total,
  satisfiability(value, node, position, judge) {
    const schemas = listSchemas("allOf", value, node, true) ?? [];
    if (schemas.some((schema) => !judge.canPass(schema, position))) return "Negative";
    return schemas.some((schema) => judge.canFail(schema, position)) ? "Normal" : "Positive";
  },
});

/** `anyOf` (JSON Schema Core, section 10.2.1.2). */
export const anyOf: KeywordDefinition = combinator({
  name: "anyOf",
  mayBeEmpty: false,
  failure: "alternatives",
  passes: (passed) => passed > 0,
  satisfiability(value, node, position, judge) {
    const schemas = listSchemas("anyOf", value, node, true) ?? [];
    if (!schemas.some((schema) => judge.canPass(schema, position))) return "Negative";
    return schemas.every((schema) => judge.canFail(schema, position)) ? "Normal" : "Positive";
  },
});

/** `oneOf` (JSON Schema Core, section 10.2.1.3). */
export const oneOf: KeywordDefinition = combinator({
  name: "oneOf",
  mayBeEmpty: false,
  failure: "alternatives",
  passes: (passed) => passed === 1,
  satisfiability(value, node, position, judge) {
    const schemas = listSchemas("oneOf", value, node, true) ?? [];
    let only: Subschema | undefined;
    for (const schema of schemas) {
      if (!judge.canEverPass(schema, position)) continue;
      if (only !== undefined) return "Normal";
      only = schema;
    }
    if (only === undefined) return "Negative";
    return judge.canFail(only, position) ? "Normal" : "Positive";
  },
});

/** `not` (JSON Schema Core, section 10.2.1.4). */
export const not: KeywordDefinition = {
  ...singleSchema("not", "in_place"),
  types: ANY_TYPE,
  satisfiability: (_value, node, position, judge) =>
    judge.negation(heldSchema("not", node, true), node, position),
  compile(_value, node, compiler) {
    const branch = compiler.subschema(heldSchema("not", node, true));
    return (instance, run, base, text, evaluated) => {
      // The marks of a negated schema are discarded, but `unevaluated…` keywords within it need them.
      const parts = evaluated === undefined ? undefined : new EvaluatedParts();
      return branch.evaluate(instance, run, base + branch.offset, text, parts) ? INVALID : VALID;
    };
  },
};
