import type { Position, Satisfiability } from "../../values/position.ts";
import type { Json, RawText } from "../../values/json.ts";
import type { PartSelector } from "../part_positions.ts";
import type { Relation } from "../../values/keyword_table.ts";
import { isNotSent } from "../read_only_write_only.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import type { EvaluationContext } from "../evaluation_context.ts";
import type { EvaluatedParts } from "../evaluated_parts.ts";

export type Outcome = 0 | 1 | 2;
export const INVALID = 0;
export const VALID = 1;
export const NOT_APPLICABLE = 2;

/** Checks one keyword on one instance; never stops early. */
export type Check = (
  value: Json,
  run: EvaluationContext,
  base: number,
  text: RawText | undefined,
  evaluated: EvaluatedParts | undefined,
) => Outcome;

/** Evaluates a schema on one instance and counts; `key` is the name or index of the instance in the one around it. */
export type Evaluate = (
  value: Json,
  run: EvaluationContext,
  base: number,
  text: RawText | undefined,
  evaluated: EvaluatedParts | undefined,
  key?: string | number,
) => boolean;

export type Count = (run: EvaluationContext, base: number, valid: boolean) => void;

/** Adds one to the counter of the only alternative that accepts a value, by its index. */
export type CountAlternative = (run: EvaluationContext, base: number, index: number) => void;

/** The evaluation of a subschema; `offset` is the distance of its counters from those of the schema around it. */
export interface Branch {
  readonly evaluate: Evaluate;
  readonly offset: number;
}

export interface Compiler {
  /** Compiles a subschema for the same instance. */
  subschema(schema: Subschema): Branch;
  /** Compiles a subschema for the same instance whose failure has no consequences. */
  condition(schema: Subschema): Branch;
  /** Compiles a subschema for the values of properties or for items, whose name or index is the `key`. */
  part(schema: Subschema): Branch;
  /** Compiles a subschema for the names of properties, which are also the `key`. */
  name(schema: Subschema): Branch;
  /** Returns the function that counts for a keyword of the same schema. */
  counter(keyword: string): Count;
  /** Returns the function that counts the alternatives of a keyword of the same schema; undefined if not measured. */
  alternative?(keyword: string): CountAlternative | undefined;
}

export interface Judge {
  canFail(schema: Subschema, position: Position): boolean;
  canPass(schema: Subschema, position: Position): boolean;
  /** Returns a final answer of {@linkcode Judge.canPass}, for keywords that can't fail if a schema can't pass. */
  canEverPass(schema: Subschema, position: Position): boolean;
  negation(schema: Subschema, node: SchemaNode, position: Position): Satisfiability;
}

export type VisitSubschema = (child: Subschema, relation: Relation, part: PartSelector) => void;

export interface Flaw {
  readonly name: string;
  /** The end of a sentence: `must be a schema`. */
  readonly problem: string;
}

export interface KeywordDefinition {
  readonly name: string;
  /** The types of instances that the keyword applies to, as bits of `json_type.ts`. */
  readonly types: number;
  /** Returns what is wrong with the value, as the end of a sentence: `must be a number`; null if it has no effect. */
  problem(value: unknown, node: SchemaNode): string | null | undefined;
  /** Returns the index of the item that makes a list of schemas, and so the entire keyword, unusable. */
  invalidItem?(value: unknown, node: SchemaNode): string | undefined;
  flaws?(value: unknown, node: SchemaNode): readonly Flaw[];
  subschemas?(value: unknown, node: SchemaNode, visit: VisitSubschema): void;
  /** Returns the types of instances that the keyword applies to, if they depend on its value (`format`). */
  typesFor?(value: unknown): number;
  /** Returns whether the keyword can pass and fail (default: by its schemas if it fails by these, else Normal). */
  satisfiability?(
    value: unknown,
    node: SchemaNode,
    position: Position,
    judge: Judge,
  ): Satisfiability;
  /** Compiles the check; undefined if the check of another keyword counts for this one (`then`: that of `if`). */
  compile(value: unknown, node: SchemaNode, compiler: Compiler): Check | undefined;
  /** The order of the check: 0 first, 1 after the other keywords (if it depends on what these evaluated). */
  readonly phase?: 0 | 1;
  /** True if the check counts by itself, so that its outcome is not counted. */
  readonly countsItself?: boolean;
  /** The causes of a failure: those in its schemas, or in the intended alternative, or none (default: the keyword). */
  readonly failure?: "schemas" | "alternatives" | "none";
  /** True if the instance fails a requirement of the keyword other than its schemas. */
  failsItself?(value: unknown, node: SchemaNode, instance: Json): boolean;
  admitted?(value: unknown): readonly unknown[];
  /** Returns the types that a schema with this keyword describes if it names none, as bits of `json_type.ts`. */
  assumedTypes?(value: unknown, node: SchemaNode): number;
  /** Returns a key that uses with the same check have in common; undefined if the check can't be shared. */
  shareKey?(value: unknown, node: SchemaNode): string | undefined;
  /** True if no two subschemas of this keyword, or of other such keywords beside it, apply to the same place. */
  readonly hasDisjointParts?: true;
}

/** The {@linkcode KeywordDefinition.shareKey} of keywords whose checks depend on their value alone. */
export function shareByValue(value: unknown): string {
  return JSON.stringify(value);
}

/** Returns the end of a sentence about a value that isn't a schema. */
export function notASchema(value: unknown, { dialect }: SchemaNode): string {
  return typeof value === "boolean" && !dialect.booleanSchemas
    ? `is \`${value}\`, and ${dialect.name} does not support boolean schemas`
    : "must be a schema";
}

/** Defines a keyword whose value is a limit; for a least size, a limit of 0 requires nothing. */
export function limit(
  name: string,
  types: number,
  compile: (limit: number) => Check,
  isLeastSize = false,
): KeywordDefinition {
  return {
    name,
    types,
    shareKey: shareByValue,
    problem: mustBeNumber,
    satisfiability: (value) => isLeastSize && (value as number) <= 0 ? "Positive" : "Normal",
    compile: (value) => compile(value as number),
  };
}

/** Returns the members of a definition for keywords with one schema; `part` returns the parts that it applies to. */
export function singleSchema(
  name: string,
  relation: Relation,
  part: (node: SchemaNode) => PartSelector = () => "",
): Pick<KeywordDefinition, "name" | "problem" | "subschemas"> {
  return {
    name,
    problem: (value, node) =>
      node.child(name, relation === "in_place") === undefined ? notASchema(value, node) : undefined,
    subschemas(_value, node, visit) {
      const schema = heldSchema(name, node, relation === "in_place");
      if (relation !== "property" || !isNotSent(schema)) visit(schema, relation, part(node));
    },
  };
}

/** Returns the schema of a keyword whose value is known to be a schema. */
export function heldSchema(name: string, node: SchemaNode, inPlace = false): Subschema {
  return node.child(name, inPlace) ?? true;
}

/** Returns the schemas of a list keyword; undefined if one of them isn't a schema. */
export function listSchemas(
  name: string,
  value: unknown,
  node: SchemaNode,
  inPlace: boolean,
): Subschema[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const schemas: Subschema[] = [];
  for (let index = 0; index < value.length; index++) {
    const schema = node.member(name, String(index), value[index], inPlace);
    if (schema === undefined) return undefined;
    schemas.push(schema);
  }
  return schemas;
}

export function firstNonSchema(
  name: string,
  value: unknown,
  node: SchemaNode,
  inPlace: boolean,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const index = value.findIndex((item, at) =>
    node.member(name, String(at), item, inPlace) === undefined
  );
  return index === -1 ? undefined : String(index);
}

/** Adds one to the `valid` counter at `index`, or to the `invalid` counter after it. */
export function count(run: EvaluationContext, index: number, valid: boolean): void {
  run.store.count(valid ? index : index + 1);
}

export function mustBeNumber(value: unknown): string | undefined {
  return typeof value === "number" ? undefined : "must be a number";
}

/** As {@linkcode count}, unless `counter`, the same number in all units, was counted at this place before. */
export function countOnce(
  run: EvaluationContext,
  counter: number,
  index: number,
  valid: boolean,
): void {
  if (run.currentPlace.markCounted(valid ? counter : counter + 1)) count(run, index, valid);
}
