// Evaluations at places that schemas reach in several ways (semantics, section 4): slower than those of
// node_evaluation.ts and crossing.ts, and used for what is below a schema whose ways meet, nowhere else.
import { ANY_NUMBER, typeOf } from "../values/json_type.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { Evaluated } from "./evaluated.ts";
import { exampleFinder } from "./find_examples.ts";
import type { CountedExample } from "./find_examples.ts";
import { InstancePlace } from "./instance_place.ts";
import type { Remembered } from "./instance_place.ts";
import { count } from "./keywords/count.ts";
import type { Evaluate } from "./keywords/keyword.ts";
import { INVALID, NOT_APPLICABLE } from "./keywords/keyword.ts";
import type { Entry } from "./node_evaluation.ts";
import { MAX_DEPTH } from "./run.ts";
import type { Run } from "./run.ts";
import type { CompiledUnit } from "./crossing.ts";

/** In how many dynamic scopes a schema is evaluated at one place; in others it is taken to come to the same. */
const MAX_SCOPES = 50;

/** Begins to remember: at the topmost place that several ways lead to or through. */
export function starting(evaluate: Evaluate): Evaluate {
  return (value, run, base, text, seen) => {
    const outer = run.place;
    run.place = new InstancePlace();
    const valid = evaluate(value, run, base, text, seen);
    run.place = outer;
    return valid;
  };
}

/** The evaluation of a property's value or an item. */
export function atPart(evaluate: Evaluate): Evaluate {
  return (value, run, base, text, seen, key = "") => {
    const outer = placeOf(run);
    run.place = outer.part(key);
    const valid = evaluate(value, run, base, text, seen);
    run.place = outer;
    return valid;
  };
}

/** The evaluation of a property's name. */
export function atName(evaluate: Evaluate): Evaluate {
  return (value, run, base, text, seen, key = "") => {
    const outer = placeOf(run);
    run.place = outer.name(key);
    const valid = evaluate(value, run, base, text, seen);
    run.place = outer;
    return valid;
  };
}

/**
 * Adds one to a counter, unless that was done at this place before.
 *
 * @param counter What counts, by a number that is the same in whatever unit it is compiled.
 * @param index Where it is counted; `invalid` follows.
 */
export function countOnce(run: Run, counter: number, index: number, valid: boolean): void {
  if (placeOf(run).isFirst(valid ? counter : counter + 1)) count(run, index, valid);
}

/** As `loop()` of node_evaluation.ts; the schema's counters are numbered from `first`. */
export function rememberingLoop(entries: readonly Entry[], first: number): Evaluate {
  const closes = entries.some(({ phase }) => phase > 0);
  return (value, run, base, text, seen) => {
    if (typeof value === "string" && isReplacedText(value) && run.leavesOut(value)) return true;
    const type = typeof value === "number" ? ANY_NUMBER : typeOf(value);
    const own = closes && seen === undefined ? new Evaluated() : seen;
    let valid = true;
    for (const { check, slot, types } of entries) {
      if ((types & type) === 0) continue;
      const outcome = check(value, run, base, text, own);
      if (outcome === NOT_APPLICABLE) continue;
      if (outcome === INVALID) {
        valid = false;
        run.hasUnclearFault = true;
      }
      if (slot >= 0) countOnce(run, first + slot, base + slot, outcome !== INVALID);
    }
    return valid;
  };
}

/** As `countingExamples()` of node_evaluation.ts; the schema's counters are numbered from `first`. */
export function rememberingExamples(
  evaluate: Evaluate,
  examples: readonly CountedExample[],
  first: number,
): Evaluate {
  const find = exampleFinder(examples);
  return (value, run, base, text, seen) => {
    const valid = evaluate(value, run, base, text, seen);
    for (const example of find(value, text)) {
      countOnce(run, first + example.slot, base + example.slot, true);
    }
    return valid;
  };
}

/** As `crossing()`: the evaluation of another unit, once for each place. */
export function rememberingCrossing(
  unit: CompiledUnit,
  dynamic: boolean,
  cyclic: boolean,
): Evaluate {
  return (value, run, _base, text, seen) => {
    const results = placeOf(run).resultsOf(unit);
    const scope = dynamic ? run.scopeKey : "";
    const known = find(results, scope, seen !== undefined);
    if (known !== undefined) {
      if (known.evaluated !== undefined) seen?.merge(known.evaluated);
      return known.valid;
    }
    const active = cyclic ? run.activeIn(unit) : undefined;
    if (active?.has(value)) return true; // a schema that refers to itself in place says nothing more
    if (run.depth >= MAX_DEPTH || results.length > MAX_SCOPES) {
      run.tooDeep = true;
      return results[0]?.valid ?? true;
    }
    active?.add(value);
    if (dynamic) run.scope.push(unit.root.resource);
    const { remembering, weight } = unit;
    run.depth += weight;
    const valid = remembering(value, run, run.counters.baseOf(unit), text, seen);
    run.depth -= weight;
    if (dynamic) run.scope.pop();
    active?.delete(value);
    results.push({ valid, evaluated: seen, scope });
    return valid;
  };
}

function find(
  results: readonly Remembered[],
  scope: string,
  evaluated: boolean,
): Remembered | undefined {
  for (const result of results) {
    if (result.scope === scope && (!evaluated || result.evaluated !== undefined)) return result;
  }
  return undefined;
}

/** The position of a run that remembers. */
function placeOf(run: Run): InstancePlace {
  return run.place ??= new InstancePlace();
}
