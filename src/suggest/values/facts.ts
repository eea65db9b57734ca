import type { Json } from "../../values/json.ts";
import { ANY_TYPE, ARRAY, OBJECT } from "../../values/json_type.ts";
import { equal } from "../../schema/equal.ts";
import type { Demand } from "./demand.ts";

/** A rule about properties or items that applies by name or by index. */
export interface PartRule<Key> {
  applies(key: Key): boolean;
  readonly demand: Demand;
}

/** A property without a name of its own that an object is to have. */
export interface WantedProperty {
  /** True for the names that it may have. */
  applies(name: string): boolean;
  /** The expression that its name has to match. */
  readonly pattern: string | undefined;
  /** The demand on its value in place of what its name says; undefined for that. */
  readonly demand: Demand | undefined;
}

/** Everything that the schemas of one place say about a value, taken together. */
export class Facts {
  /** The allowed types, as bits of `json_type.ts`. */
  types = ANY_TYPE;
  /** True if no value can be made by these decisions. */
  isImpossible = false;
  /** The only values that are allowed. */
  admitted: readonly Json[] | undefined;
  /** Values that are not. */
  readonly excluded: Json[] = [];
  /** Values that the description documents. */
  readonly examples: Json[] = [];

  /** The limits of a number, and whether the limit itself is out. */
  minimum = -Infinity;
  maximum = Infinity;
  isAboveMinimum = false;
  isBelowMaximum = false;
  readonly multiples: number[] = [];
  readonly notMultiples: number[] = [];

  /** The limits of a text's length. */
  minLength = 0;
  maxLength = Infinity;
  readonly patterns: string[] = [];
  readonly notPatterns: string[] = [];
  readonly formats: string[] = [];
  readonly notFormats: string[] = [];

  minItems = 0;
  maxItems = Infinity;
  /** True if no two items may be equal. */
  isUnique = false;
  /** True if two items have to be equal. */
  repeatsItem = false;
  readonly itemRules: PartRule<number>[] = [];
  /** Demands for items that no other rule says anything about. */
  readonly otherItems: Demand[] = [];
  /** Demands on the items of these indexes. */
  readonly items = new Map<number, Demand[]>();

  minProperties = 0;
  maxProperties = Infinity;
  readonly required = new Set<string>();
  readonly forbidden = new Set<string>();
  /** The names that a property asks for. */
  readonly needs = new Map<string, readonly string[]>();
  /** The demands on declared properties, in the order of the description. */
  readonly properties = new Map<string, Demand[]>();
  readonly propertyRules: PartRule<string>[] = [];
  /** Demands for properties that no other rule says anything about. */
  readonly otherProperties: Demand[] = [];
  readonly names: Demand[] = [];
  readonly wanted: WantedProperty[] = [];
  /** Values that tell a server which alternative is meant. */
  readonly preferred = new Map<string, Json>();

  /** True if a part of the value is wanted that these types alone have. */
  aims = 0;

  /** Leaves only some of the values. */
  admit(values: readonly Json[]): void {
    const { admitted } = this;
    this.admitted = admitted === undefined
      ? values
      : admitted.filter((value) => values.some((other) => equal(value, other)));
  }

  /** Takes a lower limit of numbers. */
  from(limit: number, isOpen: boolean): void {
    if (limit > this.minimum) {
      this.minimum = limit;
      this.isAboveMinimum = isOpen;
    } else if (limit === this.minimum) this.isAboveMinimum ||= isOpen;
  }

  /** Takes an upper limit of numbers. */
  to(limit: number, isOpen: boolean): void {
    if (limit < this.maximum) {
      this.maximum = limit;
      this.isBelowMaximum = isOpen;
    } else if (limit === this.maximum) this.isBelowMaximum ||= isOpen;
  }

  /** Adds a demand on a declared property. */
  property(name: string, demand: Demand): void {
    const demands = this.properties.get(name);
    if (demands === undefined) this.properties.set(name, [demand]);
    else demands.push(demand);
    this.aims |= OBJECT;
  }

  /** Adds a demand on the item of an index. */
  item(index: number, demand: Demand): void {
    const demands = this.items.get(index);
    if (demands === undefined) this.items.set(index, [demand]);
    else demands.push(demand);
    this.minItems = Math.max(this.minItems, index + 1);
    this.aims |= ARRAY;
  }

  /** The demands on a property. */
  demandsOn(name: string): readonly Demand[] {
    const own = this.properties.get(name) ?? [];
    const byRule = this.propertyRules.filter((rule) => rule.applies(name))
      .map(({ demand }) => demand);
    const all = [...own, ...byRule];
    return all.length === 0 ? this.otherProperties : all;
  }

  /** The demands on an item. */
  demandsOnItem(index: number): readonly Demand[] {
    const byRule = this.itemRules.filter((rule) => rule.applies(index)).map(({ demand }) => demand);
    const all = [...this.items.get(index) ?? [], ...byRule];
    return all.length === 0 ? this.otherItems : all;
  }
}
