import { type EvaluationContext, InstancePlace } from "./evaluation_context.ts";
import { count } from "./keywords/keyword.ts";

/** Adds one to a counter, unless `counter`, the same number in whatever unit, was counted at this place before. */
export function countOnce(
  run: EvaluationContext,
  counter: number,
  index: number,
  valid: boolean,
): void {
  if (currentPlace(run).isFirst(valid ? counter : counter + 1)) count(run, index, valid);
}

export function currentPlace(run: EvaluationContext): InstancePlace {
  return run.place ??= new InstancePlace();
}
