import {
  ANY_NUMBER,
  ANY_TYPE,
  ARRAY,
  BOOLEAN,
  NULL,
  OBJECT,
  STRING,
  typeOf,
} from "../values/json_type.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { equalText } from "./equal.ts";
import { Evaluated } from "./evaluated.ts";
import { exampleFinder, FEW_EXAMPLES } from "./find_examples.ts";
import type { CountedExample } from "./find_examples.ts";
import { count } from "./keywords/count.ts";
import type { Json } from "../values/json.ts";
import type { Check, Evaluate, Outcome } from "./keywords/keyword.ts";
import { INVALID, NOT_APPLICABLE, VALID } from "./keywords/keyword.ts";
import type { Run } from "./run.ts";
import type { SchemaNode } from "./schema_node.ts";

/** A check of a schema. */
export interface Entry {
  readonly check: Check;
  /** Negative where the check counts by itself, or counts nothing. */
  readonly slot: number;
  readonly types: number;
  readonly phase: number;
}

const NO_CHECK: Entry = { check: () => NOT_APPLICABLE, slot: -1, types: 0, phase: 0 };

const KINDS = [NULL, BOOLEAN, ANY_NUMBER, STRING, ARRAY, OBJECT];

/** The evaluation of a schema that runs its checks one after the other. */
export function loop(entries: readonly Entry[]): Evaluate {
  const closes = entries.some(({ phase }) => phase > 0);
  const [first = NO_CHECK, second = NO_CHECK, third = NO_CHECK] = entries;
  if (entries.length <= 3 && !closes) return few(first, second, third);
  const [ofNull, ofBoolean, ofNumber, ofString, ofArray, ofObject] = checksByKind(entries);
  return (value, run, base, text, seen) => {
    let list: Checks;
    switch (typeof value) {
      case "string":
        if (isReplacedText(value) && run.leavesOut(value)) return true;
        list = ofString;
        break;
      case "number":
        list = ofNumber;
        break;
      case "boolean":
        list = ofBoolean;
        break;
      default:
        list = value === null ? ofNull : Array.isArray(value) ? ofArray : ofObject;
    }
    const own = closes && seen === undefined ? new Evaluated() : seen;
    let valid = true;
    for (let index = 0; index < list.length; index += 2) {
      const outcome = (list[index] as Check)(value, run, base, text, own);
      if (outcome === NOT_APPLICABLE) continue;
      if (outcome === INVALID) valid = false;
      const slot = list[index + 1] as number;
      if (slot >= 0) count(run, base + slot, outcome !== INVALID);
    }
    return valid;
  };
}

/** The bit of a value's kind, among those that checks are listed by. */
function kindOf(value: Json): number {
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return ANY_NUMBER;
    case "boolean":
      return BOOLEAN;
    default:
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT;
  }
}

/** As {@linkcode loop}, for up to three checks, as most have: without lists, which would have to be fetched. */
function few(
  { check: check1, slot: slot1, types: types1 }: Entry,
  { check: check2, slot: slot2, types: types2 }: Entry,
  { check: check3, slot: slot3, types: types3 }: Entry,
): Evaluate {
  return (value, run, base, text, seen) => {
    if (typeof value === "string" && isReplacedText(value) && run.leavesOut(value)) return true;
    const kind = kindOf(value);
    let valid = true;
    if ((types1 & kind) !== 0) {
      const outcome = check1(value, run, base, text, seen);
      if (!note(outcome, slot1, run, base)) valid = false;
    }
    if ((types2 & kind) !== 0) {
      const outcome = check2(value, run, base, text, seen);
      if (!note(outcome, slot2, run, base)) valid = false;
    }
    if ((types3 & kind) !== 0) {
      const outcome = check3(value, run, base, text, seen);
      if (!note(outcome, slot3, run, base)) valid = false;
    }
    return valid;
  };
}

/** Counts the result of a check; false if the value fails it. */
function note(outcome: Outcome, slot: number, run: Run, base: number): boolean {
  if (outcome === NOT_APPLICABLE) return true;
  const valid = outcome !== INVALID;
  if (slot >= 0) count(run, base + slot, valid);
  return valid;
}

/** Checks, each followed by its slot: side by side in memory, since what a request needs is rarely in the cache. */
type Checks = readonly (Check | number)[];

type ChecksByKind = readonly [Checks, Checks, Checks, Checks, Checks, Checks];

/** Not part of the function that needs them, which would keep the entries as long as there are evaluations. */
function checksByKind(entries: readonly Entry[]): ChecksByKind {
  const known: Checks[] = [];
  return KINDS.map((kind) => {
    const checks: (Check | number)[] = [];
    for (const { check, slot, types } of entries) {
      if ((types & kind) !== 0) checks.push(check, slot);
    }
    // As a rule there are two lists: what applies to all types, and what applies to the one that is meant.
    const same = known.find((others) => isSame(others, checks));
    if (same !== undefined) return same;
    const exact = checks.slice(); // an array that has grown has room that nobody needs
    known.push(exact);
    return exact;
  }) as unknown as ChecksByKind;
}

function isSame(left: Checks, right: Checks): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

/** A schema that has nothing but a type, as most have. */
export function onlyType(types: number): Evaluate {
  return (value, run, base) => {
    if (typeof value === "string" && isReplacedText(value) && run.leavesOut(value)) return true;
    const valid = (typeOf(value) & types) !== 0;
    count(run, base, valid);
    return valid;
  };
}

/** The entry of a reference, as if its target were written there: the target counts by itself. */
export function transparent(evaluate: Evaluate): Entry {
  return {
    check: (value, run, base, text, seen) => {
      const own = seen === undefined ? undefined : new Evaluated();
      if (!evaluate(value, run, base, text, own)) return INVALID;
      if (own !== undefined) seen!.merge(own); // own exists only where seen does
      return VALID;
    },
    slot: -1,
    types: ANY_TYPE,
    phase: 0,
  };
}

/** The evaluation of a schema that is a resource of its own, where dynamic references ask for these. */
export function entering(node: SchemaNode, evaluate: Evaluate): Evaluate {
  const resource = node.resource;
  return (value, run, base, text, seen) => {
    run.scope.push(resource);
    const valid = evaluate(value, run, base, text, seen);
    run.scope.pop();
    return valid;
  };
}

/** An evaluation that counts the examples that the value equals. */
export function countingExamples(
  evaluate: Evaluate,
  examples: readonly CountedExample[],
): Evaluate {
  if (examples.length > FEW_EXAMPLES) return countingManyExamples(evaluate, examples);
  return (value, run, base, text, seen) => {
    const valid = evaluate(value, run, base, text, seen);
    for (const example of examples) {
      if (equalText(value, text, example.value)) countExample(run, base + example.slot);
    }
    return valid;
  };
}

function countingManyExamples(
  evaluate: Evaluate,
  examples: readonly CountedExample[],
): Evaluate {
  const find = exampleFinder(examples);
  return (value, run, base, text, seen) => {
    const valid = evaluate(value, run, base, text, seen);
    for (const example of find(value, text)) countExample(run, base + example.slot);
    return valid;
  };
}

function countExample({ store }: Run, at: number): void {
  const before = store.counts[at] as number;
  store.counts[at] = before + 1;
  if (before < store.fresh) store.note(at);
}
