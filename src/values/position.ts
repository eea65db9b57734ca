import { ANY_TYPE, OBJECT, STRING } from "./json_type.ts";

/** The possible results of a keyword in its place: both, only passing, or only failing (semantics, section 5). */
export type Satisfiability = "Normal" | "Positive" | "Negative";

/** The location of a parameter (semantics, section 3). */
export type ParameterLocation = "path" | "query" | "header" | "cookie" | "body" | "form_data";

/** The values that decoding can yield in one place of a request (semantics, section 5: text and JSON positions). */
export interface Position {
  /** The types that decoding can yield here, as bits of `json_type.ts`; 0 if no value can occur here. */
  readonly types: number;
  /** The types whose empty value (`{}`, `[]`) no request can carry here, as bits. */
  readonly neverEmpty: number;
  /** True if decoding reads a list of one item as that item alone. */
  readonly neverSingle: boolean;
  readonly json: boolean;
  /** The properties that have a schema or an encoding by name. */
  readonly names: ReadonlySet<string>;
  /** The patterns of property names that have a schema. */
  readonly patterns: readonly string[];
  /** The number of items that have schemas of their own; all later items are alike. */
  readonly tupleLength: number;
  property(name: string): Position;
  /** Returns the position of an undeclared property whose name matches the given patterns. */
  undeclared(patterns: readonly string[]): Position;
  item(index: number): Position;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_PATTERNS: readonly string[] = [];

function uniformPosition(types: number, json: boolean): Position {
  const below = (): Position => json ? position : NOWHERE;
  const position: Position = {
    types,
    neverEmpty: json ? 0 : OBJECT,
    neverSingle: false,
    json,
    names: NO_NAMES,
    patterns: NO_PATTERNS,
    tupleLength: 0,
    property: below,
    undeclared: below,
    item: below,
  };
  return position;
}

/** The position where no value can occur: within scalars, and where decoding never yields a value. */
export const NOWHERE: Position = uniformPosition(0, false);

export const JSON_POSITION: Position = uniformPosition(ANY_TYPE, true);

/** The position of texts and files that are read as one string, whatever the schema says. */
export const STRING_POSITION: Position = uniformPosition(STRING, false);
