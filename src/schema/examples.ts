import type { Json, RawText } from "../values/json.ts";
import type { SchemaNode } from "./schema_node.ts";
import { typesOfSchema } from "./types_of_schema.ts";
import { jsonType, STRING } from "../values/json_type.ts";
import type { Position } from "../values/position.ts";
import { canonicalText, equalText } from "./equal.ts";
import { appendTo } from "../values/collections.ts";
import { tryParseJson } from "../values/parse_json.ts";

export interface CountedExample {
  readonly value: Json;
  /** The offset of its counter from the schema's first counter. */
  readonly slot: number;
}

type FindExamples = (value: Json, text: RawText | undefined) => readonly CountedExample[];

const MAX_COMPARED_EXAMPLES = 8;

const NONE: readonly CountedExample[] = [];

export function exampleFinder(examples: readonly CountedExample[]): FindExamples {
  if (examples.length > MAX_COMPARED_EXAMPLES) return indexedFinder(examples);
  const single = examples.map((example) => [example] as const); // values seldom equal more than one
  return (value, text) => {
    let found = NONE;
    for (const list of single) {
      if (equalText(value, text, list[0].value)) {
        found = found === NONE ? list : [...found, ...list];
      }
    }
    return found;
  };
}

function indexedFinder(examples: readonly CountedExample[]): FindExamples {
  const byValue = new Map<string, CountedExample[]>();
  const byText = new Map<string, CountedExample[]>();
  const composites: CountedExample[] = [];
  for (const example of examples) {
    const { value } = example;
    appendTo(byValue, canonicalText(value), example);
    if (typeof value === "object") {
      if (value !== null) composites.push(example);
    } else appendTo(byText, String(value), example);
  }
  return (value, text) => {
    if (text === undefined) return byValue.get(canonicalText(value)) ?? NONE;
    const written = text.text === undefined ? NONE : byText.get(text.text) ?? NONE;
    if (typeof value === "object" && value !== null) {
      // No single key fits, because each scalar within can be equal by value or by text.
      return [...written, ...composites.filter((example) => equalText(value, text, example.value))];
    }
    const equal = byValue.get(canonicalText(value)) ?? NONE;
    return written.length === 0 ? equal : [...new Set([...equal, ...written])];
  };
}

/** A documented example of a schema (semantics, section 6). */
export interface SchemaExample {
  readonly schema_path: string;
  readonly value: Json;
}

/** Lists the values of `default`, `example` and `examples`; none in responses, where examples do not count. */
export function listExamples(node: SchemaNode): SchemaExample[] {
  const found: SchemaExample[] = [];
  if (node.isReferenceOnly || node.graph.direction === "response") return found;
  for (const keyword in node.schema) {
    if (!node.dialect.exampleKeywords.has(keyword)) continue;
    const value = node.schema[keyword];
    const path = node.schemaPath(keyword);
    if (keyword !== "examples") {
      found.push({ schema_path: path, value: readExample(value as Json, node) });
    } else if (Array.isArray(value)) {
      value.forEach((example, index) =>
        found.push({ schema_path: `${path}/${index}`, value: readExample(example, node) })
      );
    }
  }
  return found;
}

/** True if a request can carry a value at a position; text can't carry some types, empty values and single items. */
export function canBeSent(value: Json, position: Position): boolean {
  if (typeof value !== "object") return position.types !== 0;
  const type = jsonType(value);
  if (position.json || (type & position.types) === 0) return position.json;
  if (value === null) return true;
  const parts = Object.entries(value as Readonly<Record<string, Json>>);
  const isList = Array.isArray(value);
  if (parts.length === 0) return (type & position.neverEmpty) === 0;
  return !(isList && position.neverSingle && parts.length === 1) &&
    parts.every(([name, part], index) =>
      canBeSent(part, isList ? position.item(index) : position.property(name))
    );
}

/** Reads an example as JSON if it is a string and the schema allows no strings; unchanged if it isn't JSON. */
export function readExample(value: Json, schema: SchemaNode | boolean | undefined): Json {
  if (typeof value !== "string" || typeof schema !== "object") return value;
  const types = typesOfSchema(schema);
  if (types === 0 || (types & STRING) !== 0) return value;
  const parsed = tryParseJson(value);
  return parsed === undefined ? value : parsed;
}
