import { ANY_TYPE, OBJECT, STRING } from "./json_type.ts";

/** The ability of a keyword to pass and to fail where it is (semantics, section 5). */
export type Satisfiability = "Normal" | "Positive" | "Negative";

/** The location of a parameter (semantics, section 3). */
export type ParameterLocation = "path" | "query" | "header" | "cookie" | "body" | "form_data";

/** The values that decoding can yield at a place of a request (semantics, section 5: text positions and JSON positions). */
export interface Position {
  /** The types that decoding can yield here, as bits of `json_type.ts`; 0 if it never yields a value. */
  readonly types: number;
  /** The types whose empty value no request can carry here: the bit of objects for `{}`, of arrays for `[]`. */
  readonly neverEmpty: number;
  /** True if a list of one item is read as that item alone. */
  readonly neverSingle: boolean;
  readonly json: boolean;
  /** The properties that are read by a schema or an encoding of their name. */
  readonly names: ReadonlySet<string>;
  /** The patterns of names whose properties are read by a schema of theirs. */
  readonly patterns: readonly string[];
  /** The number of items with a schema of their own; all items after them are alike. */
  readonly tupleLength: number;
  property(name: string): Position;
  /** The position of a property that is not declared, and whose name matches these of the patterns. */
  undeclared(patterns: readonly string[]): Position;
  item(index: number): Position;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_PATTERNS: readonly string[] = [];

function uniform(types: number, json: boolean): Position {
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

/** The position that no value can have: below scalars, and wherever decoding never puts one. */
export const NOWHERE: Position = uniform(0, false);

export const JSON_POSITION: Position = uniform(ANY_TYPE, true);

/** Text and files that are one string, whatever the schema says. */
export const STRING_POSITION: Position = uniform(STRING, false);
