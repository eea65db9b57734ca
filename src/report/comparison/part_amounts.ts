import { formatAmount, sentenceList } from "../wording/amounts.ts";
import type { ComparedPart } from "./comparison.ts";

const KINDS = ["operation", "parameter", "response"] as const;

/**
 * The numbers of operations, parameters and responses that were added or removed: `1 operation and 2 responses`. The
 * parts of such an operation are not counted again.
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
