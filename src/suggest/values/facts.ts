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

/** A decision about a schema that leaves a choice: the index of an alternative, or of a branch. */
export interface Route {
  readonly node: SchemaNode;
  readonly keyword: string;
  readonly index: number;
}

/** A property or an item that a value is to have. */
export type Step = string | number;

/** Classes of values that a value is to show; it chooses them while the value is made. */
export interface ClassWish {
  /** The number of classes that were chosen. */
  mark(): number;
  /** Takes back those chosen after a mark: the value that was made for them is of no use. */
  back(mark: number): void;
  /** True if a value can show one that is open, at any depth. */
  isWithin(demands: readonly Demand[]): boolean;
  /** Adds what the classes of a schema demand of the value. */
  demand(node: SchemaNode, facts: Facts, decide: (count: number) => number): void;
  /** The alternative or branch to take; undefined where none shows anything. */
  branch(node: SchemaNode, keyword: string, count: number): number | undefined;
  /** True if no other alternative of a schema is to accept the value. */
  isAlone(node: SchemaNode): boolean;
}

/** Wishes about a value beside the schemas that it has to match. */
export interface Wish {
  /** The number of the value among those that show different things, from 0. */
  readonly variant: number;
  readonly isFull: boolean;
  readonly routes: readonly Route[];
  readonly breaches: readonly Breach[];
  /** True if a schema with a broken keyword says nothing else: in an alternative, it may fail in several at once. */
  readonly breaksFreely: boolean;
  readonly includes: Step | undefined;
  /** True if the value at that place is going to be replaced, so that it may be anything. */
  readonly isHole: boolean;
  readonly excluded: readonly Json[];
  readonly classes: ClassWish | undefined;
}

/** The smallest value, without more wishes. */
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

/** The wish for a part of a value: the same where the whole is to have all parts, as far as it shows something. */
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

/** A property without a name of its own that an object is to have. */
export interface WantedProperty {
  applies(name: string): boolean;
  /** The expression that its name has to match. */
  readonly pattern: string | undefined;
  /** The demand on its value in place of what its name says; undefined for that. */
  readonly demand: Demand | undefined;
}

/** What a size is of: the characters of a text, the items of an array, the properties of an object. */
export type SizeKind = keyof typeof SIZES;

const SIZES = {
  Length: ["minLength", "maxLength"],
  Items: ["minItems", "maxItems"],
  Properties: ["minProperties", "maxProperties"],
} as const;

/** Everything that the schemas of one place say about a value, taken together. */
export class Facts {
  types = ANY_TYPE;
  isImpossible = false;
  admitted: readonly Json[] | undefined;
  readonly excluded: Json[] = [];
  readonly examples: Json[] = [];

  /** The limits of a number, and whether the limit itself is out. */
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
  /** True where a number would do as well: servers are likely to read a text as one. */
  mayBeNumber = false;

  minItems = 0;
  maxItems = Infinity;
  isUnique = false;
  repeatsItem = false;
  readonly itemRules: PartRule<number>[] = [];
  /** Demands for items that no other rule says anything about. */
  readonly otherItems: Demand[] = [];
  readonly items = new Map<number, Demand[]>();
  /** The number of items that have something to show. */
  soughtItems = 0;

  minProperties = 0;
  maxProperties = Infinity;
  readonly required = new Set<string>();
  readonly forbidden = new Set<string>();
  /** Optional properties that are to be there, and those that need not where all others are. */
  readonly sought = new Set<string>();
  readonly spared = new Set<string>();
  /** The names that a property asks for. */
  readonly needs = new Map<string, readonly string[]>();
  readonly properties = new Map<string, Demand[]>();
  readonly propertyRules: PartRule<string>[] = [];
  /** Demands for properties that no other rule says anything about. */
  readonly otherProperties: Demand[] = [];
  readonly names: Demand[] = [];
  readonly wanted: WantedProperty[] = [];
  /** Values that tell a server which alternative is meant. */
  readonly preferred = new Map<string, Json>();

  /** What the value is not to match, beside what its schemas demand. */
  readonly alone: Demand[] = [];

  /** True if a part of the value is wanted that these types alone have. */
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

  /** True if a value has the formats that are asked for, and breaks the others. */
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

/** A value of one type. */
export type Composed = Omit<Made, "facts">;

export interface PartMaker {
  isValid(demands: readonly Demand[], value: Json): boolean;
  /** The first value that meets all demands; undefined if none was found. */
  valid(demands: readonly Demand[], position: Position, wish?: Wish): Made | undefined;
  /** True if a part that could be left out may be made: it isn't part of itself, and there is room. */
  mayAdd(demands: readonly Demand[]): boolean;
}
