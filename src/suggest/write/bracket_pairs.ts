import type { Json } from "../../values/json.ts";
import { scalarText } from "./scalar_text.ts";

/**
 * A value as pairs whose names hold paths in brackets: `a[b]=1`, `a[0][c]=2`.
 *
 * @returns undefined if it holds an empty array or object, which no pair can show.
 */
export function bracketPairs(
  name: string,
  value: Json,
): readonly (readonly [name: string, text: string])[] | undefined {
  const text = scalarText(value);
  if (text !== undefined) return [[name, text]];
  const pairs: (readonly [string, string])[] = [];
  for (const [key, member] of Object.entries(value as object)) {
    if (/[[\]]/.test(key)) return undefined;
    const inner = bracketPairs(`${name}[${key}]`, member as Json);
    if (inner === undefined || inner.length === 0) return undefined;
    pairs.push(...inner);
  }
  return pairs;
}
