// Evaluations at places that schemas reach by several paths (semantics, section 4): slower than those of
// node_evaluation.ts and unit_reference.ts, and only used below schemas with converging paths.
import { ANY_NUMBER, jsonType } from "../values/json_type.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { EvaluatedParts } from "./evaluated_parts.ts";
import { type CountedExample, exampleFinder } from "./examples.ts";
import { InstancePlace, MAX_DEPTH, type Memo, MEMO_STEPS } from "./evaluation_context.ts";
import { countOnce, type Evaluate, INVALID, NOT_APPLICABLE } from "./keywords/keyword.ts";
import type { CompiledUnit, Entry } from "./node_evaluation.ts";
import { type ClassCounting, countClasses } from "./value_counting.ts";

/** The most dynamic scopes in which a schema is evaluated at one place; in others, its latest result is used. */
const MAX_SCOPES = 50;

/** Wraps an evaluation to start memoizing, at the topmost place that several paths lead to or through. */
export function memoize(evaluate: Evaluate): Evaluate {
  return (value, run, base, text, evaluated) => {
    const outer = run.place;
    run.place = new InstancePlace();
    const valid = evaluate(value, run, base, text, evaluated);
    run.place = outer;
    return valid;
  };
}

/** Wraps the evaluation of a property's value or an item (`part`), or of a property's name, to run at its place. */
export function atPlace(kind: "part" | "name", evaluate: Evaluate): Evaluate {
  return (value, run, base, text, evaluated, key = "") => {
    if (run.stepsLeft < 0) return true;
    const outer = run.currentPlace;
    run.place = outer[kind](key);
    const valid = evaluate(value, run, base, text, evaluated);
    run.place = outer;
    return valid;
  };
}

/** The memoized version of `checkLoop()` (node_evaluation.ts); `first` is the number of the schema's first counter. */
export function memoizedLoop(
  entries: readonly Entry[],
  first: number,
  counting?: ClassCounting,
): Evaluate {
  const tracksEvaluated = entries.some(({ phase }) => phase > 0);
  return (value, run, base, text, evaluated) => {
    if (typeof value === "string" && isReplacedText(value) && run.skipsText(value)) return true;
    const type = typeof value === "number" ? ANY_NUMBER : jsonType(value);
    const parts = tracksEvaluated && evaluated === undefined ? new EvaluatedParts() : evaluated;
    let valid = true;
    for (const { check, slot, types } of entries) {
      if ((types & type) === 0) continue;
      const outcome = check(value, run, base, text, parts);
      if (outcome === NOT_APPLICABLE) continue;
      if (outcome === INVALID) {
        valid = false;
        run.hasUnclearFault = true;
      }
      if (slot >= 0) countOnce(run, first + slot, base + slot, outcome !== INVALID);
    }
    if (valid && counting !== undefined) countClasses(value, counting, run, base);
    return valid;
  };
}

/** The memoized version of `countingExamples()`; `first` is the number of the schema's first counter. */
export function memoizedExamples(
  evaluate: Evaluate,
  examples: readonly CountedExample[],
  first: number,
): Evaluate {
  const find = exampleFinder(examples);
  return (value, run, base, text, evaluated) => {
    const valid = evaluate(value, run, base, text, evaluated);
    for (const example of find(value, text)) {
      countOnce(run, first + example.slot, base + example.slot, true);
    }
    return valid;
  };
}

/** The memoized version of `unitReference()`: evaluates another unit once at each place. */
export function memoizedReference(unit: CompiledUnit, dynamic: boolean, cyclic: boolean): Evaluate {
  return (value, run, _base, text, evaluated) => {
    if ((run.stepsLeft -= MEMO_STEPS) < 0) return true;
    const place = run.currentPlace;
    const last = place.lastResult(unit);
    const scope = dynamic ? run.scopeKey : "";
    let scopes = 0;
    for (let result = last; result !== undefined; result = result.previous) {
      if (result.scope === scope && (evaluated === undefined || result.evaluated !== undefined)) {
        if (result.evaluated !== undefined) evaluated?.merge(result.evaluated);
        return result.valid;
      }
      scopes++;
    }
    const active = cyclic ? run.activeInstances(unit) : undefined;
    if (active?.has(value)) return true; // A schema that refers to itself in place adds nothing.
    if (run.depth >= MAX_DEPTH || scopes > MAX_SCOPES) {
      run.isTooDeep = true;
      return last?.valid ?? true;
    }
    active?.add(value);
    if (dynamic) run.scope.push(unit.root.resource);
    const { memoized, weight } = unit;
    run.depth += weight;
    const valid = memoized(value, run, run.counters.base(unit), text, evaluated);
    run.depth -= weight;
    if (dynamic) run.scope.pop();
    active?.delete(value);
    const before = place.lastResult(unit); // Read again: the evaluation may have reached the unit in another scope.
    const isPlain = before === undefined && evaluated === undefined && !dynamic;
    place.addResult(
      unit,
      isPlain ? (valid ? PASSED : FAILED) : { valid, evaluated, scope, previous: before },
    );
    return valid;
  };
}

/** The results of most schemas, shared to save memory. */
const PASSED: Memo = { valid: true, evaluated: undefined, scope: "", previous: undefined };
const FAILED: Memo = { valid: false, evaluated: undefined, scope: "", previous: undefined };
