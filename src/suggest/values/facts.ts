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
  rollBack(mark: number): void;
  /** True if a value that meets the demands can show an open class, at any depth. */
  canShow(demands: readonly Demand[]): boolean;
  /** Chooses open classes of a schema, and adds their demands to the facts. */
  addDemands(node: SchemaNode, facts: Facts, decide: (count: number) => number): void;
  /** Returns the index of the alternative or branch to take; undefined if none shows an open class. */
  chooseBranch(node: SchemaNode, keyword: string, count: number): number | undefined;
  /** True if no other alternative of a schema may accept the value. */
  excludesOthers(node: SchemaNode): boolean;
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
  readonly requiredPart: Step | undefined;
  /** True if the part at `requiredPart` may be anything, since it is replaced later. */
  readonly isPartReplaced: boolean;
  readonly excluded: readonly Json[];
  readonly classes: ClassWish | undefined;
}

export const MINIMAL: Wish = {
  variant: 0,
  isFull: false,
  routes: [],
  breaches: [],
  breaksFreely: false,
  requiredPart: undefined,
  isPartReplaced: false,
  excluded: [],
  classes: undefined,
};

/** Returns the wish for a part of a value: full if the whole is, unless it can show none of the wished classes. */
export function partWish({ isFull, variant, classes }: Wish, demands: readonly Demand[]): Wish {
  if (!isFull || classes?.canShow(demands) === false) return MINIMAL;
  return { ...MINIMAL, isFull, variant, classes };
}

export function match(schema: Subschema): Demand {
  return { schema, holds: true };
}

export function mismatch(schema: Subschema): Demand {
  return { schema, holds: false };
}

export interface PartRule<Key> {
  applies(key: Key): boolean;
  readonly demand: Demand;
}

/** A property that an object must have under any name to which `applies` returns true. */
export interface UnnamedProperty {
  applies(name: string): boolean;
  readonly pattern: string | undefined;
  /** The demand on its value; undefined for the demands on properties of the chosen name. */
  readonly demand: Demand | undefined;
}

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
  allowed: readonly Json[] | undefined;
  readonly excluded: Json[] = [];
  readonly examples: Json[] = [];

  /** The limits of a number; the flags exclude the limit itself. */
  minimum = -Infinity;
  maximum = Infinity;
  isMinExclusive = false;
  isMaxExclusive = false;
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
  itemsToShow = 0;

  minProperties = 0;
  maxProperties = Infinity;
  readonly required = new Set<string>();
  readonly forbidden = new Set<string>();
  /** Optional properties to include, and those (`toOmit`) to leave out even of an object with all others. */
  readonly toInclude = new Set<string>();
  readonly toOmit = new Set<string>();
  /** The names of the properties that each property requires. */
  readonly dependencies = new Map<string, readonly string[]>();
  readonly properties = new Map<string, Demand[]>();
  readonly propertyRules: PartRule<string>[] = [];
  /** Demands on properties to which no other rule applies. */
  readonly otherProperties: Demand[] = [];
  readonly nameDemands: Demand[] = [];
  readonly unnamed: UnnamedProperty[] = [];
  /** Discriminator values, by property, which tell a server the alternative that is meant. */
  readonly discriminators = new Map<string, Json>();

  /** Further demands: not to match the other alternatives of an `anyOf`. */
  readonly otherAlternatives: Demand[] = [];

  /** The types, as bits, that demands are about: objects for `required`, arrays for `uniqueItems`. */
  relevantTypes = 0;

  allowOnly(values: readonly Json[]): void {
    const { allowed } = this;
    this.allowed = allowed === undefined
      ? values
      : allowed.filter((value) => values.some((allowedValue) => equal(value, allowedValue)));
  }

  from(limit: number, isOpen: boolean): void {
    if (limit > this.minimum) {
      this.minimum = limit;
      this.isMinExclusive = isOpen;
    } else if (limit === this.minimum) this.isMinExclusive ||= isOpen;
  }

  to(limit: number, isOpen: boolean): void {
    if (limit < this.maximum) {
      this.maximum = limit;
      this.isMaxExclusive = isOpen;
    } else if (limit === this.maximum) this.isMaxExclusive ||= isOpen;
  }

  limitSize(kind: SizeKind, least: number, most: number): void {
    const [min, max] = SIZES[kind];
    this[min] = Math.max(this[min], least);
    this[max] = Math.min(this[max], most);
  }

  isInRange(value: number): boolean {
    const { minimum, maximum } = this;
    return (this.isMinExclusive ? value > minimum : value >= minimum) &&
      (this.isMaxExclusive ? value < maximum : value <= maximum);
  }

  matchesFormats(value: Json): boolean {
    const hasFormat = (name: string): boolean => {
      const format = formats.get(name);
      return format === undefined || (format.types & jsonType(value)) === 0 ||
        format.test(value as string | number);
    };
    return this.formats.every(hasFormat) && !this.notFormats.some(hasFormat);
  }

  addProperty(name: string, demand: Demand): void {
    appendTo(this.properties, name, demand);
    this.relevantTypes |= OBJECT;
  }

  addItem(index: number, demand: Demand): void {
    appendTo(this.items, index, demand);
    this.limitSize("Items", index + 1, Infinity);
    this.relevantTypes |= ARRAY;
  }

  demandsOn(name: string): readonly Demand[] {
    const declared = this.properties.get(name) ?? [];
    const byRule = this.propertyRules.filter((rule) => rule.applies(name))
      .map(({ demand }) => demand);
    const demands = [...declared, ...byRule];
    return demands.length === 0 ? this.otherProperties : demands;
  }

  demandsOnItem(index: number): readonly Demand[] {
    const byRule = this.itemRules.filter((rule) => rule.applies(index)).map(({ demand }) => demand);
    const demands = [...this.items.get(index) ?? [], ...byRule];
    return demands.length === 0 ? this.otherItems : demands;
  }
}

export interface MadeValue {
  readonly value: Json;
  /** The number of variants that show different things. */
  readonly variants: number;
  readonly facts: Facts;
}

export type ComposedValue = Omit<MadeValue, "facts">;

export interface PartMaker {
  isValid(demands: readonly Demand[], value: Json): boolean;
  /** Returns the first value that meets all demands; undefined if none was found. */
  make(demands: readonly Demand[], position: Position, wish?: Wish): MadeValue | undefined;
  /** True if an optional part may be made: it isn't nested in itself, and the limit on parts isn't reached. */
  mayAdd(demands: readonly Demand[]): boolean;
}
