import { escapeToken } from "../../values/json_pointer.ts";
import type { Evaluated } from "../evaluated.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";

/** A keyword that makes an instance invalid by itself. */
export interface Cause {
  /** The schema that holds the keyword. */
  readonly node: SchemaNode;
  /** Its name. */
  readonly keyword: string;
  /** RFC 6901 pointer to the part of the instance that it refuses. */
  readonly instance: string;
}

/** Causes that were found together: a schema that refuses one place names them once, however many ways lead there. */
export interface CauseGroup {
  readonly items: readonly Found[];
}

/** A cause, or several. */
export type Found = Cause | CauseGroup;

/** The result of a schema at a place of the instance. */
export interface PlaceResult {
  /** The causes; undefined if the schema accepts the place. */
  readonly causes: CauseGroup | undefined;
  /** The parts that it marked as evaluated; undefined if nobody asked. */
  readonly evaluated: Evaluated | undefined;
  /** The dynamic scope in which it was evaluated. */
  readonly scope: string;
}

/** A place of the instance: where it is, and the results of the schemas that references lead to. */
export class CausePlace {
  readonly #around: CausePlace | undefined;
  readonly #key: string | number;
  readonly #results = new Map<SchemaNode, PlaceResult[]>();
  readonly #parts = new Map<string | number, CausePlace>();
  readonly #names = new Map<string | number, CausePlace>();

  /** The whole instance, or a part of another place. */
  constructor(around?: CausePlace, key: string | number = "") {
    this.#around = around;
    this.#key = key;
  }

  /** The pointer from the whole instance; that of a property's name leads to the property. */
  get pointer(): string {
    const around = this.#around;
    return around === undefined ? "" : `${around.pointer}/${escapeToken(String(this.#key))}`;
  }

  /** The place of a property's value, or of an item. */
  part(key: string | number): CausePlace {
    return this.#below(this.#parts, key);
  }

  /** The place of a property's name. */
  name(key: string | number): CausePlace {
    return this.#below(this.#names, key);
  }

  /** The results of a schema here. */
  resultsOf(node: SchemaNode): PlaceResult[] {
    let results = this.#results.get(node);
    if (results === undefined) this.#results.set(node, results = []);
    return results;
  }

  #below(places: Map<string | number, CausePlace>, key: string | number): CausePlace {
    let place = places.get(key);
    if (place === undefined) places.set(key, place = new CausePlace(this, key));
    return place;
  }
}

/** The outcome of one alternative of `anyOf` or `oneOf`. */
export interface Alternative {
  readonly schema: Subschema;
  readonly valid: boolean;
  /** Its causes; none if it is valid. */
  readonly found: readonly Found[];
}

/** The causes found so far in one evaluation; what turns out not to matter is taken back. */
export class CauseCollector {
  /** The place that is being evaluated. */
  place: CausePlace = new CausePlace();
  /** The outcomes of the alternatives being evaluated, innermost last. */
  readonly alternatives: Alternative[][] = [];
  /** What the keywords being checked mark as evaluated, innermost last. */
  readonly marked: (Evaluated | undefined)[] = [];
  /** The sizes at which checks that count for several keywords began, innermost last. */
  readonly begun: { readonly size: number; dropped: boolean }[] = [];
  #found: Found[] = [];

  /** Starts again, at a whole instance. */
  start(): void {
    this.place = new CausePlace();
    this.alternatives.length = 0;
    this.begun.length = 0;
    this.marked.length = 0;
    this.#found = [];
  }

  /** The number of finds, to come back to. */
  get size(): number {
    return this.#found.length;
  }

  /** Adds a keyword that fails by itself. */
  add(node: SchemaNode, keyword: string): void {
    this.#found.push({ node: node.plain, keyword, instance: this.place.pointer });
  }

  /** Adds what was found before. */
  addFound(found: readonly Found[]): void {
    this.#found.push(...found);
  }

  /** Takes back what was found since. */
  dropFrom(size: number): void {
    if (this.#found.length > size) this.#found.length = size;
  }

  /** Takes back and returns what was found since. */
  takeFrom(size: number): Found[] {
    return this.#found.splice(size);
  }

  /** Makes one group of what was found since. */
  groupFrom(size: number): CauseGroup {
    const group: CauseGroup = { items: this.takeFrom(size) };
    this.#found.push(group);
    return group;
  }

  /** The causes, each keyword once with the first place that it refuses, in the order in which they were found. */
  causes(): Cause[] {
    const causes: Cause[] = [];
    const known = new Map<SchemaNode, Set<string>>();
    const groups = new Set<CauseGroup>();
    const open = [...this.#found].reverse();
    for (let found = open.pop(); found !== undefined; found = open.pop()) {
      if ("items" in found) {
        if (groups.has(found)) continue;
        groups.add(found);
        for (let index = found.items.length - 1; index >= 0; index--) {
          open.push(found.items[index] as Found); // within its bounds
        }
        continue;
      }
      let keywords = known.get(found.node);
      if (keywords === undefined) known.set(found.node, keywords = new Set());
      if (keywords.has(found.keyword)) continue;
      keywords.add(found.keyword);
      causes.push(found);
    }
    return causes;
  }
}
