import type { CountedUnit } from "./counters.ts";
import type { Evaluate } from "./keywords/keyword.ts";
import { MAX_DEPTH } from "./evaluation_context.ts";

/** Compiled on first use. */
export interface CompiledUnit extends CountedUnit {
  /** The evaluation of the schema; its `base` is the offset of the unit's block. */
  readonly evaluate: Evaluate;
  /** For places that several paths can lead to. */
  readonly memoized: Evaluate;
  readonly weight: number;
}

/** Counts in the other unit's block. */
export function unitReference(unit: CompiledUnit, dynamic: boolean, cyclic: boolean): Evaluate {
  let evaluate: Evaluate | undefined;
  let weight = 0;
  const evaluateTarget: Evaluate = (value, run, _base, text, evaluated) => {
    if (run.depth >= MAX_DEPTH || --run.stepsLeft < 0) return run.acceptUnevaluated();
    if (evaluate === undefined) ({ evaluate, weight } = unit);
    run.depth += weight;
    const valid = evaluate(value, run, run.counters.base(unit), text, evaluated);
    run.depth -= weight;
    return valid;
  };
  if (!dynamic && !cyclic) return evaluateTarget;
  return (value, run, base, text, evaluated) => {
    // A schema that leads back to itself in place has converging paths: `memoizedReference()` finds the value here.
    const active = cyclic ? run.activeInstances(unit) : undefined;
    active?.add(value);
    if (dynamic) run.scope.push(unit.root.resource);
    const valid = evaluateTarget(value, run, base, text, evaluated);
    if (dynamic) run.scope.pop();
    active?.delete(value);
    return valid;
  };
}

/** As {@linkcode unitReference}, but stores the offset of the other unit's block near the counters in use. */
export function cachedReference(
  unit: CompiledUnit,
  start: number,
  setPlaces: ((place: number) => void)[],
): Evaluate {
  let evaluate: Evaluate | undefined;
  let weight = 0;
  let offset = -start;
  setPlaces.push((place) => offset += place);
  return (value, run, base, text, evaluated) => {
    if (run.depth >= MAX_DEPTH || --run.stepsLeft < 0) return run.acceptUnevaluated();
    const at = base + offset;
    let basePlusOne = run.store.counts[at] as number; // The offset of the block plus one; 0 until known.
    if (basePlusOne === 0) {
      basePlusOne = run.counters.base(unit) + 1;
      run.store.counts[at] = basePlusOne;
    }
    if (evaluate === undefined) ({ evaluate, weight } = unit);
    run.depth += weight;
    const valid = evaluate(value, run, basePlusOne - 1, text, evaluated);
    run.depth -= weight;
    return valid;
  };
}
