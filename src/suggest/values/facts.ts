import { equal } from "../../schema/equal.ts";
import { formats } from "../../schema/formats.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { appendTo } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import { ANY_TYPE, ARRAY, jsonType, OBJECT } from "../../values/json_type.ts";
import type { Position } from "../../values/position.ts";

/** A schema that a value has to match, or must not match. */
export interface Demand {
  readonly schema: Subschema;
  /** False if the value must not match it. */
  readonly holds: boolean;
}

export interface Breach {
  readonly node: SchemaNode;
  readonly keyword: string;
}

/** A decision for a schema with a choice: the index of the alternative or branch to take. */
export interface Route {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly index: number;
}

/** A part that a value must have: the name of a property, or the index of an item. */
export type Step = string | number;

/** Chooses, while a value is made, the open classes of values that it shows. */
export interface ClassWish {
  /** Returns the number of classes chosen so far. */
  mark(): number;
  /** Undoes the choices after a mark, since the value made for them is discarded. */
  back(mark: number): void;
  /** True if a value that meets the demands can show an open class, at any depth. */
  isWithin(demands: readonly Demand[]): boolean;
  /** Chooses open classes of a schema, and adds their demands to the facts. */
  demand(node: SchemaNode, facts: Facts, decide: (count: number) => number): void;
  /** Returns the index of the alternative or branch to take; undefined if none shows an open class. */
  branch(node: SchemaNode, keyword: string, count: number): number | undefined;
  /** True if no other alternative of a schema may accept the value. */
  isAlone(node: SchemaNode): boolean;
}

/** Requirements on a value, in addition to the schemas that it has to match. */
export interface Wish {
  /** The index of the variant, from 0; each variant shows different things. */
  readonly variant: number;
  readonly isFull: boolean;
  readonly routes: readonly Route[];
  readonly breaches: readonly Breach[];
  /** True if the other keywords of a schema with a broken one are ignored: an alternative may break several at once. */
  readonly breaksFreely: boolean;
  readonly includes: Step | undefined;
  /** True if the part at `includes` may be anything, since it is replaced later. */
  readonly isHole: boolean;
  readonly excluded: readonly Json[];
  readonly classes: ClassWish | undefined;
}

/** Asks for a minimal value. */
export const LEAST: Wish = {
  variant: 0,
  isFull: false,
  routes: [],
  breaches: [],
  breaksFreely: false,
  includes: undefined,
  isHole: false,
  excluded: [],
  classes: undefined,
};

/** Returns the wish for a part of a value: full if the whole is, unless it can show none of the wished classes. */
export function partWish({ isFull, variant, classes }: Wish, demands: readonly Demand[]): Wish {
  if (!isFull || classes?.isWithin(demands) === false) return LEAST;
  return { ...LEAST, isFull, variant, classes };
}

export function match(schema: Subschema): Demand {
  return { schema, holds: true };
}

export function mismatch(schema: Subschema): Demand {
  return { schema, holds: false };
}

/** A rule about properties or items that applies by name or by index. */
export interface PartRule<Key> {
  applies(key: Key): boolean;
  readonly demand: Demand;
}

/** A property that an object must have under any name to which `applies` returns true. */
export interface WantedProperty {
  applies(name: string): boolean;
  /** The regular expression that its name has to match. */
  readonly pattern: string | undefined;
  /** The demand on its value; undefined for the demands on properties of the chosen name. */
  readonly demand: Demand | undefined;
}

/** A kind of size: the characters of a text, the items of an array, or the properties of an object. */
export type SizeKind = keyof typeof SIZES;

const SIZES = {
  Length: ["minLength", "maxLength"],
  Items: ["minItems", "maxItems"],
  Properties: ["minProperties", "maxProperties"],
} as const;

/** The combined demands of all schemas of one place on a value. */
export class Facts {
  types = ANY_TYPE;
  isImpossible = false;
  admitted: readonly Json[] | undefined;
  readonly excluded: Json[] = [];
  readonly examples: Json[] = [];

  /** The limits of a number; the flags exclude the limit itself. */
  minimum = -Infinity;
  maximum = Infinity;
  isAboveMinimum = false;
  isBelowMaximum = false;
  readonly multiples: number[] = [];
  readonly notMultiples: number[] = [];

  minLength = 0;
  maxLength = Infinity;
  readonly patterns: string[] = [];
  readonly notPatterns: string[] = [];
  readonly formats: string[] = [];
  readonly notFormats: string[] = [];
  /** True if a number is valid, too: servers are likely to read a numeric text as a number. */
  mayBeNumber = false;

  minItems = 0;
  maxItems = Infinity;
  isUnique = false;
  repeatsItem = false;
  readonly itemRules: PartRule<number>[] = [];
  /** Demands on items to which no other rule applies. */
  readonly otherItems: Demand[] = [];
  readonly items = new Map<number, Demand[]>();
  /** The number of items that can show open classes. */
  soughtItems = 0;

  minProperties = 0;
  maxProperties = Infinity;
  readonly required = new Set<string>();
  readonly forbidden = new Set<string>();
  /** Optional properties to include, and those (`spared`) to leave out even of an object with all others. */
  readonly sought = new Set<string>();
  readonly spared = new Set<string>();
  /** The names of the properties that each property requires. */
  readonly needs = new Map<string, readonly string[]>();
  readonly properties = new Map<string, Demand[]>();
  readonly propertyRules: PartRule<string>[] = [];
  /** Demands on properties to which no other rule applies. */
  readonly otherProperties: Demand[] = [];
  readonly names: Demand[] = [];
  readonly wanted: WantedProperty[] = [];
  /** Discriminator values, by property, which tell a server the alternative that is meant. */
  readonly preferred = new Map<string, Json>();

  /** Further demands: not to match the other alternatives of an `anyOf`. */
  readonly alone: Demand[] = [];

  /** The types, as bits, that demands are about: objects for `required`, arrays for `uniqueItems`. */
  aims = 0;

  admit(values: readonly Json[]): void {
    const { admitted } = this;
    this.admitted = admitted === undefined
      ? values
      : admitted.filter((value) => values.some((other) => equal(value, other)));
  }

  from(limit: number, isOpen: boolean): void {
    if (limit > this.minimum) {
      this.minimum = limit;
      this.isAboveMinimum = isOpen;
    } else if (limit === this.minimum) this.isAboveMinimum ||= isOpen;
  }

  to(limit: number, isOpen: boolean): void {
    if (limit < this.maximum) {
      this.maximum = limit;
      this.isBelowMaximum = isOpen;
    } else if (limit === this.maximum) this.isBelowMaximum ||= isOpen;
  }

  size(kind: SizeKind, least: number, most: number): void {
    const [min, max] = SIZES[kind];
    this[min] = Math.max(this[min], least);
    this[max] = Math.min(this[max], most);
  }

  isInRange(value: number): boolean {
    const { minimum, maximum } = this;
    return (this.isAboveMinimum ? value > minimum : value >= minimum) &&
      (this.isBelowMaximum ? value < maximum : value <= maximum);
  }

  /** True if a value conforms to all demanded formats, and to none of the refused ones. */
  keepsFormats(value: Json): boolean {
    const has = (name: string): boolean => {
      const format = formats.get(name);
      return format === undefined || (format.types & jsonType(value)) === 0 ||
        format.test(value as string | number);
    };
    return this.formats.every(has) && !this.notFormats.some(has);
  }

  property(name: string, demand: Demand): void {
    appendTo(this.properties, name, demand);
    this.aims |= OBJECT;
  }

  item(index: number, demand: Demand): void {
    appendTo(this.items, index, demand);
    this.size("Items", index + 1, Infinity);
    this.aims |= ARRAY;
  }

  demandsOn(name: string): readonly Demand[] {
    const own = this.properties.get(name) ?? [];
    const byRule = this.propertyRules.filter((rule) => rule.applies(name))
      .map(({ demand }) => demand);
    const all = [...own, ...byRule];
    return all.length === 0 ? this.otherProperties : all;
  }

  demandsOnItem(index: number): readonly Demand[] {
    const byRule = this.itemRules.filter((rule) => rule.applies(index)).map(({ demand }) => demand);
    const all = [...this.items.get(index) ?? [], ...byRule];
    return all.length === 0 ? this.otherItems : all;
  }
}

export interface Made {
  readonly value: Json;
  /** The number of variants that show different things. */
  readonly width: number;
  readonly facts: Facts;
}

export type Composed = Omit<Made, "facts">;

export interface PartMaker {
  isValid(demands: readonly Demand[], value: Json): boolean;
  /** Returns the first value that meets all demands; undefined if none was found. */
  valid(demands: readonly Demand[], position: Position, wish?: Wish): Made | undefined;
  /** True if an optional part may be made: it isn't nested in itself, and the limit on parts isn't reached. */
  mayAdd(demands: readonly Demand[]): boolean;
}
