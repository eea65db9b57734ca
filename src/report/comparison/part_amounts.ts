import { formatAmount, sentenceList } from "../wording/amounts.ts";
import type { ComparedPart } from "./comparison.ts";

const KINDS = ["operation", "parameter", "response"] as const;

/**
 * How many operations, parameters and responses were added or removed: `1 operation and 2 responses`. What belongs to
 * such an operation is not counted again.
 *
 * @returns an empty text if there are none.
 */
export function partAmounts(parts: readonly ComparedPart[]): string {
  const whole = new Set(
    parts.filter(({ kind }) => kind === "operation").map(({ method, path }) => `${method} ${path}`),
  );
  const counted = parts.filter(({ kind, method, path }) =>
    kind === "operation" || !whole.has(`${method} ${path}`)
  );
  return sentenceList(KINDS.flatMap((name) => {
    const number = counted.filter(({ kind }) => kind === name).length;
    return number === 0 ? [] : [formatAmount(number, name)];
  }));
}
