import type { PoolSuggestion } from "./pool.ts";

interface Suggested {
  readonly suggestion: PoolSuggestion;
}

/** Orders of suggestions, each within the rounds in which they were made; `closing` is the original one. */
export const ORDERS = {
  closing: order((units) => units),
  operations: order((units) => inTurn(units, ({ operation }) => operation)),
  valid: order(validFirst),
  validOperations: order((units) => inTurn(validFirst(units), ({ operation }) => operation)),
  responses: order((units) =>
    inTurn(units, ({ operation, expects }) => `${operation} ${expects.join(" ")}`)
  ),
} as const;

export type Order = keyof typeof ORDERS;

function order(arrange: (units: readonly Suggested[]) => readonly Suggested[]) {
  return <T extends Suggested>(units: readonly T[]): readonly T[] => {
    const rounds = Map.groupBy(units, ({ suggestion }) => suggestion.round);
    return [...rounds.keys()].sort((one, other) => one - other).flatMap((round) =>
      // The arranged elements are the same ones.
      arrange(rounds.get(round)!.toSorted(byPlace)) as readonly T[]
    );
  };
}

const byPlace = ({ suggestion: one }: Suggested, { suggestion: other }: Suggested) =>
  one.place - other.place;

function validFirst(units: readonly Suggested[]): readonly Suggested[] {
  return units.toSorted(({ suggestion: one }, { suggestion: other }) =>
    Number(other.valid) - Number(one.valid)
  );
}

/** The first of each kind, then the second of each, and so on. */
function inTurn(
  units: readonly Suggested[],
  kind: (suggestion: PoolSuggestion) => string,
): readonly Suggested[] {
  const kinds = [...Map.groupBy(units, ({ suggestion }) => kind(suggestion)).values()];
  return units.flatMap((_, turn) => kinds.flatMap((own) => own[turn] ?? []));
}
