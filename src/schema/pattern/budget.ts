/** Thrown where matching would take more steps than it may. */
export class BudgetSpent extends RangeError {}

/** Steps that matching one text may take. */
export interface Budget {
  /** The number of steps left. */
  steps: number;
}

/**
 * Takes steps from a budget.
 *
 * @throws {BudgetSpent} when none are left.
 */
export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new BudgetSpent();
}
