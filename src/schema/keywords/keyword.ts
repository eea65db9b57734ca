import type { Position, Satisfiability } from "../../values/position.ts";
import type { Json, RawText } from "../../values/json.ts";
import type { Where } from "../position.ts";
import type { Relation } from "../../values/keyword_table.ts";
import { isUnsent } from "../read_only_write_only.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import type { EvaluationContext } from "../evaluation_context.ts";
import type { Evaluated } from "../evaluated.ts";

/** The result of a check: the keyword fails, passes, or does not apply to the instance. */
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
  seen: Evaluated | undefined,
) => Outcome;

/** Evaluates a schema on one instance, counting on the way; `key` is its name or index in the one around it. */
export type Evaluate = (
  value: Json,
  run: EvaluationContext,
  base: number,
  text: RawText | undefined,
  seen: Evaluated | undefined,
  key?: string | number,
) => boolean;

/** Adds one to a keyword's `valid` counter, or to the `invalid` one. */
export type Count = (run: EvaluationContext, base: number, valid: boolean) => void;

/** Adds one to the counter of an alternative that alone accepts a value, by its index. */
export type CountAlternative = (run: EvaluationContext, base: number, index: number) => void;

/** The evaluation of a subschema; its counters are `offset` after those of the schema around it. */
export interface Branch {
  readonly evaluate: Evaluate;
  readonly offset: number;
}

export interface Compiler {
  /** The evaluation of a subschema on the same instance. */
  subschema(schema: Subschema): Branch;
  /** The evaluation of a subschema on the same instance that may fail without consequences. */
  condition(schema: Subschema): Branch;
  /** The evaluation of a subschema on the values of properties or on items; each is given its name or index. */
  part(schema: Subschema): Branch;
  /** The evaluation of a subschema on the names of properties, each given itself. */
  name(schema: Subschema): Branch;
  /** The function that counts for a keyword of the same schema. */
  counter(keyword: string): Count;
  /** The function that counts the alternatives of a keyword of the same schema; undefined where nobody asks. */
  alternative?(keyword: string): CountAlternative | undefined;
  readonly formatAnnotates: boolean;
}

export interface Judge {
  canFail(schema: Subschema, position: Position): boolean;
  canPass(schema: Subschema, position: Position): boolean;
  /** The same where a keyword can't fail because a schema can't pass: an answer that no other one takes back. */
  canEverPass(schema: Subschema, position: Position): boolean;
  /** The satisfiability of the negation of a schema, by a keyword of `node`. */
  negation(schema: Subschema, node: SchemaNode, position: Position): Satisfiability;
}

export type VisitSubschema = (child: Subschema, relation: Relation, where: Where) => void;

/** A member of a keyword's value that cannot be used. */
export interface Flaw {
  readonly name: string;
  /** The end of a sentence: `must be a schema`. */
  readonly problem: string;
}

/** A keyword of JSON Schema: what it means, what it counts, when it can pass and fail. */
export interface KeywordDefinition {
  readonly name: string;
  /** The types of instance to which it applies, as bits of `json_type.ts`. */
  readonly types: number;
  /** What is wrong with its value, as a sentence's end (`must be a number`); null if it means nothing here. */
  problem(value: unknown, node: SchemaNode): string | null | undefined;
  /** The index of the item that makes a list of schemas unusable, so that the whole keyword is. */
  culprit?(value: unknown, node: SchemaNode): string | undefined;
  /** Members that cannot be used and are left out, each with what is wrong with it. */
  flaws?(value: unknown, node: SchemaNode): readonly Flaw[];
  subschemas?(value: unknown, node: SchemaNode, visit: VisitSubschema): void;
  /** The types to which it applies here, where that depends on its value (`format`). */
  typesFor?(value: unknown): number;
  /** Its ability to pass and to fail; where this is absent, that of its schemas if it fails by these, else Normal. */
  satisfiability?(
    value: unknown,
    node: SchemaNode,
    position: Position,
    judge: Judge,
  ): Satisfiability;
  /** The check; undefined if another keyword's check counts for it (`then`: that of `if`). */
  compile(value: unknown, node: SchemaNode, compiler: Compiler): Check | undefined;
  /** The order of its check: 0 first, 1 after its siblings (for keywords that depend on what those evaluated). */
  readonly phase?: 0 | 1;
  /** True if the check counts by itself and its outcome is the assertion alone. */
  readonly countsItself?: boolean;
  /** The causes of its failure: itself if absent, else those in its schemas, in the alternative meant, or none. */
  readonly failure?: "schemas" | "alternatives" | "none";
  /** For a keyword with other demands than schemas, whether the instance fails one of these. */
  failsItself?(value: unknown, node: SchemaNode, instance: Json): boolean;
  admitted?(value: unknown): readonly unknown[];
  /** The types that a schema with this keyword is about unless it names others, as bits of `json_type.ts`. */
  assumedTypes?(value: unknown, node: SchemaNode): number;
  /** The same text for uses whose checks do the same and may be shared; undefined where more decides. */
  shareKey?(value: unknown, node: SchemaNode): string | undefined;
  /** True if neither its subschemas nor those of such keywords beside it apply to one place twice. */
  readonly staysApart?: true;
}

/** The {@linkcode KeywordDefinition.shareKey} of keywords whose checks depend on their value alone. */
export function shareByValue(value: unknown): string {
  return JSON.stringify(value);
}

/** The end of a sentence about something that isn't a schema. */
export function notASchema(value: unknown, { dialect }: SchemaNode): string {
  return typeof value === "boolean" && !dialect.booleanSchemas
    ? `is \`${value}\`, and ${dialect.name} does not support boolean schemas`
    : "must be a schema";
}

/** A keyword whose value is a number that values must not exceed or fall below; at 0, a least size asks for nothing. */
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

/** What a keyword says of itself that holds one schema; `where` are the parts that this applies to. */
export function holdsSchema(
  name: string,
  relation: Relation,
  where: (node: SchemaNode) => Where = () => "",
): Pick<KeywordDefinition, "name" | "problem" | "subschemas"> {
  return {
    name,
    problem: (value, node) =>
      node.child(name, relation === "in_place") === undefined ? notASchema(value, node) : undefined,
    subschemas(_value, node, visit) {
      const schema = heldSchema(name, node, relation === "in_place");
      if (relation !== "property" || !isUnsent(schema)) visit(schema, relation, where(node));
    },
  };
}

/** The schema of a keyword that was found to hold one. */
export function heldSchema(name: string, node: SchemaNode, inPlace = false): Subschema {
  return node.child(name, inPlace) ?? true;
}

/** The schemas of a list keyword; undefined if one of them isn't a schema. */
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

/** The index of the first item of a list that isn't a schema; undefined if there is none. */
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

/** Adds one to a keyword's `valid` counter, or to the `invalid` one after it. */
export function count(run: EvaluationContext, index: number, valid: boolean): void {
  run.store.count(valid ? index : index + 1);
}

export function mustBeNumber(value: unknown): string | undefined {
  return typeof value === "number" ? undefined : "must be a number";
}

/** Adds one to a counter, unless `counter`, the same number in whatever unit, was counted at this place before. */
export function countOnce(
  run: EvaluationContext,
  counter: number,
  index: number,
  valid: boolean,
): void {
  if (run.currentPlace.isFirst(valid ? counter : counter + 1)) count(run, index, valid);
}
