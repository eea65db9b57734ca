import {
  ANY_NUMBER,
  ANY_TYPE,
  ARRAY,
  BOOLEAN,
  jsonType,
  NULL,
  OBJECT,
  STRING,
} from "../values/json_type.ts";
import type { Json, RawText } from "../values/json.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import type { CountedUnit } from "./counters.ts";
import { EvaluatedParts } from "./evaluated_parts.ts";
import { type CountedExample, exampleFinder } from "./examples.ts";
import {
  type Check,
  count,
  type Evaluate,
  INVALID,
  NOT_APPLICABLE,
  VALID,
} from "./keywords/keyword.ts";
import { type EvaluationContext, MAX_DEPTH } from "./evaluation_context.ts";
import type { SchemaNode } from "./schema_node.ts";
import { type ClassCounting, countClasses } from "./value_counting.ts";

export interface Entry {
  readonly check: Check;
  /** The offset of the counters; negative if the check counts by itself, or counts nothing. */
  readonly slot: number;
  readonly types: number;
  readonly phase: number;
  readonly failure: Failure;
}

/** The meaning of a check's failure for the search for a single broken rule. */
export type Failure = 0 | 1 | 2 | 3;
/** The failure is due to subschemas or the target of a reference, which have recorded it. */
export const SCHEMA_FAILURE = 0;
export const OWN_FAILURE = 1;
/** The failure is the keyword's own, and the other keywords don't matter then. */
export const DECISIVE_FAILURE = 2;
/** The failure may be the keyword's own, or due to some of its subschemas. */
export const UNCLEAR_FAILURE = 3;

const NO_CHECK: Entry = {
  check: () => NOT_APPLICABLE,
  slot: -1,
  types: 0,
  phase: 0,
  failure: UNCLEAR_FAILURE,
};

const KINDS = [NULL, BOOLEAN, ANY_NUMBER, STRING, ARRAY, OBJECT];

export function checkLoop(entries: readonly Entry[], counting?: ClassCounting): Evaluate {
  const tracksEvaluated = entries.some(({ phase }) => phase > 0);
  const [first = NO_CHECK, second = NO_CHECK, third = NO_CHECK] = entries;
  if (entries.length <= 3 && !tracksEvaluated) return unrolledLoop(first, second, third, counting);
  const [ofNull, ofBoolean, ofNumber, ofString, ofArray, ofObject] = checksByKind(entries);
  return (value, run, base, text, evaluated) => {
    let checks: Checks;
    switch (typeof value) {
      case "string":
        if (isReplacedText(value) && run.skipsText(value)) return true;
        checks = ofString;
        break;
      case "number":
        checks = ofNumber;
        break;
      case "boolean":
        checks = ofBoolean;
        break;
      default:
        checks = value === null ? ofNull : Array.isArray(value) ? ofArray : ofObject;
    }
    const parts = tracksEvaluated && evaluated === undefined ? new EvaluatedParts() : evaluated;
    let valid = true;
    let isDecided = false;
    for (let index = 0; index < checks.length; index += 2) {
      const code = checks[index + 1] as number;
      if (passes(checks[index] as Check, code, value, run, base, text, parts)) continue;
      valid = false;
      if (decodeFailure(code) !== DECISIVE_FAILURE) continue;
      isDecided = true;
      run.mutedLevels++;
    }
    if (isDecided) run.mutedLevels--;
    if (valid && counting !== undefined) countClasses(value, counting, run, base);
    return valid;
  };
}

/** As {@linkcode checkLoop}, for at most three checks, as most schemas have; without lists, which take time to load. */
function unrolledLoop(
  first: Entry,
  second: Entry,
  third: Entry,
  counting: ClassCounting | undefined,
): Evaluate {
  const { check: check1, types: types1 } = first;
  const { check: check2, types: types2 } = second;
  const { check: check3, types: types3 } = third;
  const [code1, code2, code3] = [encodeEntry(first), encodeEntry(second), encodeEntry(third)];
  return (value, run, base, text, evaluated) => {
    if (typeof value === "string" && isReplacedText(value) && run.skipsText(value)) return true;
    const kind = typeof value === "number" ? ANY_NUMBER : jsonType(value);
    let valid = true;
    let isDecided = false;
    if ((types1 & kind) !== 0 && !passes(check1, code1, value, run, base, text, evaluated)) {
      valid = false;
      if (decodeFailure(code1) === DECISIVE_FAILURE) { // Such a check is always the first.
        isDecided = true;
        run.mutedLevels++;
      }
    }
    if ((types2 & kind) !== 0 && !passes(check2, code2, value, run, base, text, evaluated)) {
      valid = false;
    }
    if ((types3 & kind) !== 0 && !passes(check3, code3, value, run, base, text, evaluated)) {
      valid = false;
    }
    if (isDecided) run.mutedLevels--;
    if (valid && counting !== undefined) countClasses(value, counting, run, base);
    return valid;
  };
}

function encodeEntry({ slot, failure }: Entry): number {
  return slot * 4 + failure;
}

function decodeFailure(code: number): number {
  return code & 3;
}

/** Runs a check and counts its result; false if the value fails it. */
function passes(
  check: Check,
  code: number,
  value: Json,
  run: EvaluationContext,
  base: number,
  text: RawText | undefined,
  evaluated: EvaluatedParts | undefined,
): boolean {
  const failure = decodeFailure(code);
  if (failure === UNCLEAR_FAILURE) run.mutedLevels++;
  const outcome = check(value, run, base, text, evaluated);
  if (failure === UNCLEAR_FAILURE) run.mutedLevels--;
  if (outcome === NOT_APPLICABLE) return true;
  const slot = code >> 2;
  if (outcome !== INVALID) {
    if (slot >= 0) count(run, base + slot, true);
    return true;
  }
  if (slot >= 0) count(run, base + slot, false);
  if (failure === OWN_FAILURE || failure === DECISIVE_FAILURE) run.fail(base + slot);
  else if (failure === UNCLEAR_FAILURE) run.failUnclearly();
  return false;
}

/** Checks, each followed by its encoded entry; contiguous, because the CPU cache rarely has the data of a request. */
type Checks = readonly (Check | number)[];

type ChecksByKind = readonly [Checks, Checks, Checks, Checks, Checks, Checks];

/** A separate function, because a closure would keep the entries in memory as long as the evaluation. */
function checksByKind(entries: readonly Entry[]): ChecksByKind {
  const lists: Checks[] = [];
  return KINDS.map((kind) => {
    const checks: (Check | number)[] = [];
    for (const entry of entries) {
      if ((entry.types & kind) !== 0) checks.push(entry.check, encodeEntry(entry));
    }
    // There are usually two different lists: one for the expected type, and one for all other types.
    const same = lists.find((others) => isSame(others, checks));
    if (same !== undefined) return same;
    const exact = checks.slice(); // Without the spare capacity of an array that has grown.
    lists.push(exact);
    return exact;
  }) as unknown as ChecksByKind;
}

function isSame(left: Checks, right: Checks): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

/** Returns the evaluation of a schema with only a type, as most schemas are. */
export function typeCheck(types: number, counting?: ClassCounting): Evaluate {
  return (value, run, base) => {
    if (typeof value === "string" && isReplacedText(value) && run.skipsText(value)) return true;
    const valid = (jsonType(value) & types) !== 0;
    count(run, base, valid);
    if (!valid) run.fail(base);
    else if (counting !== undefined) countClasses(value, counting, run, base);
    return valid;
  };
}

/** Returns the entry of a reference, which counts nothing itself: its target does. */
export function referenceEntry(evaluate: Evaluate, failure: Failure): Entry {
  return {
    check: (value, run, base, text, evaluated) => {
      const parts = evaluated === undefined ? undefined : new EvaluatedParts();
      if (!evaluate(value, run, base, text, parts)) return INVALID;
      if (parts !== undefined) evaluated!.merge(parts); // `parts` is only defined if `evaluated` is.
      return VALID;
    },
    slot: -1,
    types: ANY_TYPE,
    phase: 0,
    failure,
  };
}

/** Wraps the evaluation of a schema resource, where dynamic references need the scope. */
export function enterResource(node: SchemaNode, evaluate: Evaluate): Evaluate {
  const resource = node.resource;
  return (value, run, base, text, evaluated) => {
    run.scope.push(resource);
    const valid = evaluate(value, run, base, text, evaluated);
    run.scope.pop();
    return valid;
  };
}

export function countingExamples(
  evaluate: Evaluate,
  examples: readonly CountedExample[],
): Evaluate {
  const find = exampleFinder(examples);
  return (value, run, base, text, evaluated) => {
    const valid = evaluate(value, run, base, text, evaluated);
    for (const example of find(value, text)) run.store.count(base + example.slot);
    return valid;
  };
}

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
