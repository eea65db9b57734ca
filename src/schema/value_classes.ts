// The value classes of a schema (semantics, section 16), which depend only on the schema itself.
import {
  ANY_NUMBER,
  ANY_TYPE,
  ARRAY,
  BOOLEAN,
  INTEGER,
  jsonType,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
} from "../values/json_type.ts";
import type { Json } from "../values/json.ts";
import { escapeToken } from "../values/json_pointer.ts";
import { canonicalText } from "./equal.ts";
import { formats } from "./formats.ts";
import { isMultiple } from "./keywords/numbers.ts";
import { requiredNames } from "./keywords/objects.ts";
import { codePoints } from "./keywords/strings.ts";
import { namedTypes } from "./keywords/type.ts";
import { compilePattern } from "./pattern.ts";
import { isNotSent } from "./read_only_write_only.ts";
import type { SchemaNode } from "./schema_node.ts";
import { usableKeywords } from "./usable_keywords.ts";
import type {
  ClassCounter,
  ItemClasses,
  NumberClasses,
  SchemaClass,
  SchemaClasses,
  TextClasses,
} from "./value_class.ts";
import type { ValueClassName } from "../values/value_class_name.ts";

const knownClasses = new WeakMap<SchemaNode, SchemaClasses | null>();

/** The most multiples that are tried to find a whole one: `multipleOf` rarely has more than two decimals. */
const MAX_MULTIPLES = 100;

/** Returns the value classes of a schema; undefined if it has none, and in responses. */
export function findClasses({ plain }: SchemaNode): SchemaClasses | undefined {
  let classes = knownClasses.get(plain);
  if (classes === undefined) {
    const found = plain.graph.direction === "response" ? undefined : new ClassFinder(plain).find();
    knownClasses.set(plain, classes = found ?? null);
  }
  return classes ?? undefined;
}

class ClassFinder {
  readonly #node: SchemaNode;
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #classes: SchemaClass[] = [];
  readonly #counters: ClassCounter[] = [];

  constructor(node: SchemaNode) {
    this.#node = node;
    this.#values = new Map(
      usableKeywords(node).map(({ definition, value }) => [definition.name, value]),
    );
  }

  find(): SchemaClasses | undefined {
    if (this.#values.size === 0) return undefined;
    const named = namedTypes(this.#node.schema["type"], this.#node);
    const types = this.#values.has("type") ? named ?? 0 : this.#impliedTypes();
    const admitted = this.#values.get("enum") ??
      (this.#values.has("const") ? [this.#values.get("const")] : undefined);
    const isListed = admitted !== undefined;
    const listedMembers = isListed ? this.#members(admitted as readonly Json[]) : [];
    const members = new Map<Json, number>();
    const composites = new Map<string, number>();
    for (const { value, slot } of listedMembers) {
      if (typeof value === "object" && value !== null) composites.set(canonicalText(value), slot);
      else members.set(value, slot);
    }
    const open = isListed ? 0 : types;
    const counted = {
      booleans: (open & BOOLEAN) === 0 ? -1 : this.#booleans(),
      nulls: (open & NULL) === 0 || (open & ~NULL) === 0 ? -1 : this.#add("null", "", NULL, null),
      number: (open & ANY_NUMBER) === 0 ? undefined : this.#number(open),
      text: (open & STRING) === 0 ? undefined : this.#text(),
      items: (open & ARRAY) === 0 ? undefined : this.#items(),
      ...this.#properties(open),
    };
    const hasOnlyAlternatives = this.#counters.length === 0;
    const alternatives = this.#alternatives();
    if (this.#counters.length === 0) return undefined;
    return {
      ...counted,
      classes: this.#classes,
      counters: this.#counters,
      members: isListed ? members : undefined,
      composites,
      alternatives,
      hasOnlyAlternatives,
      shareKey: isListed || counted.objects >= 0 ? undefined : JSON.stringify(counted),
    };
  }

  #impliedTypes(): number {
    const has = (...names: readonly string[]): boolean =>
      names.some((name) => this.#values.has(name));
    return (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") ? ANY_NUMBER : 0) |
      (has("minLength", "maxLength") ? STRING : 0) |
      (has("items", "minItems", "maxItems") ? ARRAY : 0) |
      (has("properties") ? OBJECT : 0);
  }

  #counter(name: ClassCounter["name"], meaning: Json): number {
    return this.#counters.push({ name, meaning }) - 1;
  }

  /** Adds a class; `meaning` is set if `value` doesn't express it. */
  #add(
    name: ValueClassName,
    pointer: string,
    types: number,
    value?: Json,
    meaning: Json = value ?? null,
  ): number {
    const slot = this.#counter(name, meaning);
    this.#classes.push({ name, pointer, types, slot, ...(value !== undefined && { value }) });
    return slot;
  }

  #members(values: readonly Json[]): { value: Json; slot: number }[] {
    const { schema } = this.#node;
    const types = (namedTypes(schema["type"], this.#node) ?? ANY_TYPE) |
      (this.#values.has("nullable") ? NULL : 0);
    const seen = new Set<string>();
    return values.flatMap((value, index) => {
      const key = canonicalText(value);
      if (seen.has(key) || (jsonType(value) & types) === 0 || this.#rejects(value)) return [];
      seen.add(key);
      const pointer = this.#values.has("enum") ? `/enum/${index}` : "/const";
      return [{ value, slot: this.#add("enum", pointer, jsonType(value), value) }];
    });
  }

  /** True if a limit, a length or a pattern beside `enum` rejects a member. */
  #rejects(value: Json): boolean {
    if (typeof value === "number") {
      const low = this.#bound("minimum", "exclusiveMinimum", false, 1);
      const high = this.#bound("maximum", "exclusiveMaximum", false, -1);
      const step = this.#limit("multipleOf");
      return low !== undefined && (low.isOpen ? value <= low.value : value < low.value) ||
        high !== undefined && (high.isOpen ? value >= high.value : value > high.value) ||
        step !== undefined && !isMultiple(value, step);
    }
    if (typeof value !== "string") return false;
    const length = codePoints(value);
    const pattern = this.#values.get("pattern");
    return length < (this.#limit("minLength") ?? 0) ||
      length > (this.#limit("maxLength") ?? Infinity) ||
      typeof pattern === "string" && compilePattern(pattern)(value) === false;
  }

  #booleans(): number {
    const first = this.#add("boolean", "", BOOLEAN, true);
    this.#add("boolean", "", BOOLEAN, false);
    return first;
  }

  #limit(name: string): number | undefined {
    const value = this.#values.get(name);
    return typeof value === "number" ? value : undefined;
  }

  #number(types: number): NumberClasses | undefined {
    const isWhole = (types & NUMBER) === 0;
    const step = this.#limit("multipleOf");
    const low = this.#bound("minimum", "exclusiveMinimum", isWhole, 1);
    const high = this.#bound("maximum", "exclusiveMaximum", isWhole, -1);
    const fits = (value: number): boolean =>
      (!isWhole || Number.isInteger(value)) && (step === undefined || isMultiple(value, step));
    const kind = isWhole ? INTEGER : ANY_NUMBER;
    if (low === undefined && high === undefined) {
      const signs = this.#add("negative", "", kind);
      this.#add("zero", "", kind);
      this.#add("positive", "", kind);
      return { low: 0, high: 0, atLow: -1, atHigh: -1, between: -1, signs };
    }
    const [from, to] = [low?.value ?? -Infinity, high?.value ?? Infinity];
    if (from > to || (from === to && (low?.isOpen || high?.isOpen))) return undefined;
    const isAt = (end: Bound | undefined): end is Bound =>
      end !== undefined && !end.isOpen && fits(end.value);
    const atLow = isAt(low) ? this.#add("minimum", low.pointer, kind, from) : -1;
    const atHigh = isAt(high) && to !== from ? this.#add("maximum", high.pointer, kind, to) : -1;
    // There must be whole numbers, or multiples, between the limits.
    const least = leastStep(step, isWhole);
    const steps = (end: number): number =>
      isMultiple(end, least) ? Math.round(end / least) : end / least;
    const room = least === 0 ? to > from : Math.floor(steps(from)) + 1 <= Math.ceil(steps(to)) - 1;
    const range = {
      ...(low !== undefined && { exclusiveMinimum: from }),
      ...(high !== undefined && { exclusiveMaximum: to }),
    };
    const between = room ? this.#add("between", "", kind, range, limits(from, to)) : -1;
    return { low: from, high: to, atLow, atHigh, between, signs: -1 };
  }

  /** Returns the narrower of an inclusive and an exclusive limit; for whole numbers, always as an inclusive limit. */
  #bound(name: string, exclusive: string, isWhole: boolean, step: 1 | -1): Bound | undefined {
    const isNarrower = (one: number, other: number): boolean => (one - other) * step >= 0;
    const inclusive = this.#limit(name);
    const strict = this.#values.get(exclusive) === true ? inclusive : this.#limit(exclusive);
    if (inclusive === undefined && strict === undefined) return undefined;
    const round = (value: number): number => step > 0 ? Math.ceil(value) : Math.floor(value);
    if (strict !== undefined && (inclusive === undefined || isNarrower(strict, inclusive))) {
      const pointer = `/${this.#limit(exclusive) === undefined ? name : exclusive}`;
      if (!isWhole) return { value: strict, isOpen: true, pointer };
      const value = Number.isInteger(strict) ? strict + step : round(strict);
      return { value, isOpen: false, pointer };
    }
    return { value: isWhole ? round(inclusive!) : inclusive!, isOpen: false, pointer: `/${name}` }; // Else `strict` is.
  }

  /** Finds the classes of texts; none with a pattern or format, which may exclude other lengths or characters. */
  #text(): TextClasses | undefined {
    const format = this.#values.get("format");
    const isChecked = typeof format === "string" && formats.has(format);
    const { type, contentEncoding, contentMediaType } = this.#node.schema;
    const isData = type === "file" || format === "binary" ||
      typeof (contentEncoding ?? contentMediaType) === "string";
    if (this.#values.has("pattern") || isChecked || isData) return undefined;
    const low = Math.max(0, Math.ceil(this.#limit("minLength") ?? 0));
    const high = Math.floor(this.#limit("maxLength") ?? Infinity);
    if (low > high) return undefined;
    const empty = low === 0 ? this.#add("empty", "", STRING, "") : -1;
    const atLow = low > 0 ? this.#add("min_length", "/minLength", STRING, low) : -1;
    const isLimited = high !== Infinity && high > low;
    const atHigh = isLimited ? this.#add("max_length", "/maxLength", STRING, high) : -1;
    const between = high - low > 1
      ? this.#add("between", "", STRING, sizes("Length", low + 1, high - 1), limits(low, high))
      : -1;
    const nonAscii = high > 0 ? this.#add("non_ascii", "", STRING) : -1;
    return { low, high, empty, atLow, atHigh, between, nonAscii };
  }

  #items(): ItemClasses | undefined {
    const low = Math.max(0, Math.ceil(this.#limit("minItems") ?? 0));
    const high = Math.floor(this.#limit("maxItems") ?? Infinity);
    if (low > high) return undefined;
    const none = low === 0 ? this.#add("no_items", "", ARRAY) : -1;
    const one = low <= 1 && high >= 1 ? this.#add("one_item", "", ARRAY) : -1;
    const least = Math.max(low, 2);
    const several = least < high || high === Infinity
      ? this.#add("several_items", "", ARRAY, sizes("Items", least, high - 1), limits(low, high))
      : -1;
    const isLimited = high >= 2 && high !== Infinity;
    const atHigh = isLimited ? this.#add("max_items", "/maxItems", ARRAY, high) : -1;
    return { high, none, one, several, atHigh };
  }

  #properties(types: number): Pick<SchemaClasses, "objects" | "properties"> {
    const slots: (string | number)[] = [];
    const declared = this.#values.get("properties");
    if ((types & OBJECT) === 0 || declared === undefined) return { objects: -1, properties: slots };
    const names = this.#values.get("required");
    const required = new Set(names === undefined ? [] : requiredNames(names, this.#node));
    let objects = -1;
    // Hits only contain the properties that were declared when they were recorded.
    const declaration = [[...required].sort(), Object.keys(declared as object).sort()];
    for (const [name, value] of Object.entries(declared as object)) {
      const schema = this.#node.member("properties", name, value, false);
      if (schema === undefined || schema === false || required.has(name) || isNotSent(schema)) {
        continue;
      }
      if (objects < 0) objects = this.#counter("object", declaration);
      const pointer = `/properties/${escapeToken(name)}`;
      const slot = this.#counter("present", [name, declaration]);
      slots.push(name, slot);
      const presence = { pointer, types: OBJECT, schema, slot };
      this.#classes.push({ name: "present", ...presence });
      this.#classes.push({ name: "absent", ...presence, total: objects });
    }
    return { objects, properties: slots.slice() }; // Without the spare capacity of an array that has grown.
  }

  #alternatives(): ReadonlyMap<string, number> {
    const firstSlots = new Map<string, number>();
    for (const keyword of ["anyOf", "oneOf"]) {
      const list = this.#values.get(keyword) as readonly unknown[] | undefined;
      if (list === undefined || list.length < 2) continue;
      const reference = (value: unknown, index: number): string | number =>
        (typeof value === "object" ? (value as { $ref?: string } | null)?.$ref : undefined) ??
          index;
      const references = list.map(reference);
      list.forEach((value, index) => {
        const schema = this.#node.member(keyword, String(index), value, true) ?? true;
        const slot = this.#counter("alternative", [reference(value, index), references]);
        if (index === 0) firstSlots.set(keyword, slot);
        const pointer = `/${keyword}/${index}`;
        this.#classes.push({ name: "alternative", pointer, types: 0, schema, slot });
      });
    }
    return firstSlots;
  }
}

/** Returns the step between valid numbers, or 0 without one; for whole numbers, the least whole multiple of `step`. */
function leastStep(step: number | undefined, isWhole: boolean): number {
  if (step === undefined) return isWhole ? 1 : 0;
  for (let times = 1; isWhole && times <= MAX_MULTIPLES; times++) {
    if (Number.isInteger(step * times)) return step * times;
  }
  return step;
}

interface Bound {
  readonly value: number;
  /** True if the end itself is not part of the range. */
  readonly isOpen: boolean;
  readonly pointer: string;
}

/** Returns a range of lengths as keywords: `{"minItems": 3}`; undefined if there is no limit. */
function sizes(of: "Length" | "Items", least: number, most: number): Json | undefined {
  if (most === Infinity && least === (of === "Items" ? 2 : 1)) return undefined;
  return { [`min${of}`]: least, ...(most !== Infinity && { [`max${of}`]: most }) };
}

/** Returns the meaning of a class between limits, which changes with them. */
function limits(low: number, high: number): Json {
  return [low, high].map(String);
}
