import type { Satisfiability } from "../../values/satisfiability.ts";
import type { Json } from "../../values/json.ts";
import type { RawText } from "../../values/raw_text.ts";
import type { Position } from "../../values/position.ts";
import { positionsBelow } from "../position.ts";
import type { Relation } from "../../values/keyword_table.ts";
import type { Where } from "../position.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import type { Run } from "../run.ts";
import type { Evaluated } from "../evaluated.ts";

/** The result of a check: the keyword fails, passes, or does not apply to the instance. */
export type Outcome = 0 | 1 | 2;
/** The instance fails the keyword. */
export const INVALID = 0;
/** The instance passes the keyword. */
export const VALID = 1;
/** The keyword does not apply to the instance. */
export const NOT_APPLICABLE = 2;

/** Checks one keyword on one instance; never stops early. */
export type Check = (
  value: Json,
  run: Run,
  base: number,
  text: RawText | undefined,
  seen: Evaluated | undefined,
) => Outcome;

/**
 * Evaluates a whole schema on one instance, counting on the way. `key` is the instance's name or index in the one around
 * it, where it is a part of that.
 */
export type Evaluate = (
  value: Json,
  run: Run,
  base: number,
  text: RawText | undefined,
  seen: Evaluated | undefined,
  key?: string | number,
) => boolean;

/** Adds one to a keyword's `valid` counter, or to the `invalid` one. */
export type Count = (run: Run, base: number, valid: boolean) => void;

/** The evaluation of a subschema; its counters are `offset` after those of the schema around it. */
export interface Branch {
  readonly evaluate: Evaluate;
  readonly offset: number;
}

/** The services that a keyword is compiled with. */
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
  /** True if `format` is an annotation only. */
  readonly formatAnnotates: boolean;
}

/** Answers whether schemas can fail or pass. */
export interface Judge {
  /** True if an instance at the position can fail the schema. */
  canFail(schema: Subschema, position: Position): boolean;
  /** True if an instance at the position can pass the schema. */
  canPass(schema: Subschema, position: Position): boolean;
  /** The satisfiability of the negation of a schema, by a keyword of `node`. */
  negation(schema: Subschema, node: SchemaNode, position: Position): Satisfiability;
}

/** Called with each subschema of a keyword. */
export type VisitSubschema = (child: Subschema, relation: Relation, where: Where) => void;

/** A member of a keyword's value that cannot be used. */
export interface Flaw {
  /** The member's name. */
  readonly name: string;
  /** The end of a sentence: `must be a schema`. */
  readonly problem: string;
}

/** A keyword of JSON Schema: what it means, what it counts, when it can pass and fail. */
export interface KeywordDefinition {
  /** Its name. */
  readonly name: string;
  /** The types of instance to which it applies, as bits of `json_type.ts`. */
  readonly types: number;
  /**
   * Nothing if the keyword can be used; a sentence's end (`must be a number`) where its value is wrong;
   * null if the keyword means nothing here (`then` without `if`).
   */
  problem(value: unknown, node: SchemaNode): string | null | undefined;
  /** The index of the item that makes a list of schemas unusable, so that the whole keyword is. */
  culprit?(value: unknown, node: SchemaNode): string | undefined;
  /** Members that cannot be used and are left out, each with what is wrong with it. */
  flaws?(value: unknown, node: SchemaNode): readonly Flaw[];
  /** Visits the subschemas that count. */
  subschemas?(value: unknown, node: SchemaNode, visit: VisitSubschema): void;
  /** The types to which it applies here, where that depends on its value (`format`). */
  typesOf?(value: unknown): number;
  /** Its ability to pass and to fail; Normal where this is absent. */
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
  /**
   * The causes of its failure: itself where this is absent, the causes in its failing `schemas`, those in the one of
   * its `alternatives` that was meant, or `none` because its failure has no consequences.
   */
  readonly failure?: "schemas" | "alternatives" | "none";
  /** For a keyword with other demands than schemas, whether the instance fails one of these. */
  failsItself?(value: unknown, node: SchemaNode, instance: Json): boolean;
  /** The only values that it admits. */
  admitted?(value: unknown): readonly unknown[];
  /** The types that a schema with this keyword is about unless it names others, as bits of `json_type.ts`. */
  assumedTypes?(value: unknown, node: SchemaNode): number;
  /**
   * Text that is the same for all uses whose checks do the same, so that they share one; undefined, or absent, where
   * a check depends on more than that.
   */
  shareKey?(value: unknown, node: SchemaNode): string | undefined;
  /**
   * True if no two of its subschemas, nor one of them and one of another such keyword in the same schema, apply to
   * one place.
   */
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

/**
 * The index of the first item of a list that isn't a schema; undefined if there is none.
 *
 * @param inPlace True for subschemas of the same instance.
 */
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

/** The satisfiability of an applicator that passes where all of its subschemas do. */
export function satisfiabilityOfAll(
  definition: Pick<KeywordDefinition, "subschemas">,
  value: unknown,
  node: SchemaNode,
  position: Position,
  judge: Judge,
): Satisfiability {
  let canFail = false;
  definition.subschemas?.(value, node, (child, relation, where) => {
    canFail ||= positionsBelow(position, relation, where).some((below) =>
      judge.canFail(child, below)
    );
  });
  return canFail ? "Normal" : "Positive";
}
