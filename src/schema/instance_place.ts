import type { Evaluated } from "./evaluated.ts";
import type { CountedUnit } from "./counted_unit.ts";

/** The result of a schema at a place. */
export interface Remembered {
  /** True if the instance passed. */
  readonly valid: boolean;
  /** The parts that it marked as evaluated; undefined if nothing asked for them. */
  readonly evaluated: Evaluated | undefined;
  /** The dynamic scope in which it was evaluated, where references are dynamic. */
  readonly scope: string;
}

/**
 * A place of a value that schemas reach in several ways: it remembers what was counted there and what came out, so that
 * nothing counts twice, and nothing is evaluated as often as there are ways (semantics, section 4).
 */
export class InstancePlace {
  readonly #counted = new Set<number>();
  readonly #results = new Map<CountedUnit, Remembered[]>();
  #parts: Map<string | number, InstancePlace> | undefined;
  #names: Map<string | number, InstancePlace> | undefined;

  /** The place of a property's value, or of an item. */
  part(key: string | number): InstancePlace {
    return placeIn(this.#parts ??= new Map(), key);
  }

  /** The place of a property's name. */
  name(key: string | number): InstancePlace {
    return placeIn(this.#names ??= new Map(), key);
  }

  /** True if something counts here for the first time. */
  isFirst(counter: number): boolean {
    const { size } = this.#counted;
    return this.#counted.add(counter).size > size;
  }

  /** The results of a schema here. */
  resultsOf(unit: CountedUnit): Remembered[] {
    let results = this.#results.get(unit);
    if (results === undefined) this.#results.set(unit, results = []);
    return results;
  }
}

function placeIn(places: Map<string | number, InstancePlace>, key: string | number): InstancePlace {
  let place = places.get(key);
  if (place === undefined) places.set(key, place = new InstancePlace());
  return place;
}
