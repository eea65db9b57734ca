import type { Json } from "../values/json.ts";
import type { RawText } from "../values/raw_text.ts";
import { canonicalText, equalText } from "./equal.ts";

/** An example that is compared with values, and the counter of its hits. */
export interface CountedExample {
  /** The value that it is compared as. */
  readonly value: Json;
  /** The offset of its counter, after those of the schema. */
  readonly slot: number;
}

/** Finds the examples that a value equals. */
export type FindExamples = (
  value: Json,
  text: RawText | undefined,
) => readonly CountedExample[];

/** Up to this many examples are compared one by one; more are looked up. */
export const FEW_EXAMPLES = 8;

const NONE: readonly CountedExample[] = [];

/** Makes a function that finds the examples equal to a value, in time that does not grow with their number. */
export function exampleFinder(examples: readonly CountedExample[]): FindExamples {
  if (examples.length > FEW_EXAMPLES) return lookUp(examples);
  return (value, text) => {
    let found = NONE;
    for (const example of examples) {
      if (equalText(value, text, example.value)) found = [...found, example];
    }
    return found;
  };
}

function lookUp(examples: readonly CountedExample[]): FindExamples {
  const byValue = new Map<string, CountedExample[]>();
  const byText = new Map<string, CountedExample[]>();
  const composite: CountedExample[] = [];
  for (const example of examples) {
    const { value } = example;
    add(byValue, canonicalText(value), example);
    if (typeof value === "object") {
      if (value !== null) composite.push(example);
    } else add(byText, String(value), example);
  }
  return (value, text) => {
    if (text === undefined) return byValue.get(canonicalText(value)) ?? NONE;
    const written = text.text === undefined ? NONE : byText.get(text.text) ?? NONE;
    if (typeof value === "object" && value !== null) {
      // Any scalar within may equal by its value or by its text, which no one key stands for.
      return [...written, ...composite.filter((example) => equalText(value, text, example.value))];
    }
    const equal = byValue.get(canonicalText(value)) ?? NONE;
    return written.length === 0 ? equal : [...new Set([...equal, ...written])];
  };
}

function add(
  lists: Map<string, CountedExample[]>,
  key: string,
  example: CountedExample,
): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [example]);
  else list.push(example);
}
