// Lists the value classes of one schema as section 16 of the semantics defines them, without optimizations, in the
// keywords of 2020-12.
import { formats } from "../../src/schema/formats.ts";

export type SchemaObject = { readonly [keyword: string]: unknown };

/** A class: the rest of its pointer in the schema, its name, and the value that it names. */
export type NaiveClass = readonly [suffix: string, name: string, value?: unknown];

export const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];

/** Maximum count of numbers that are tried one by one. */
const MANY = 1_000;

export function token(text: string): string {
  return text.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** JSON with sorted members, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => one < other ? -1 : 1))
        : member,
  );
}

export function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }
  if (type === "integer") return Number.isInteger(value);
  // deno-lint-ignore valid-typeof -- the remaining names are JavaScript's
  return typeof value === type;
}

/** The classes of a schema's own keywords; `canPass` is true if a value can be sent for a subschema. */
export function ownClasses(
  schema: SchemaObject,
  canPass: (schema: unknown) => boolean,
): readonly NaiveClass[] {
  const found: NaiveClass[] = [];
  const has = (...names: string[]) => names.some((name) => Object.hasOwn(schema, name));
  const named = has("type") ? [schema["type"]].flat() as string[] : undefined;
  const types = named ?? [
    ...has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") ? ["number"] : [],
    ...has("minLength", "maxLength") ? ["string"] : [],
    ...has("items", "minItems", "maxItems") ? ["array"] : [],
    ...has("properties") ? ["object"] : [],
  ];
  if (has("enum", "const")) {
    const members = (has("enum") ? schema["enum"] : [schema["const"]]) as readonly unknown[];
    const seen = new Set<string>();
    members.forEach((member, index) => {
      const key = canonical(member);
      if (seen.has(key) || !(named ?? TYPES).some((type) => isOfType(member, type))) return;
      if (refuses(schema, member)) return;
      seen.add(key);
      found.push([has("enum") ? `/enum/${index}` : "/const", "enum", member]);
    });
  } else {
    if (types.includes("boolean")) found.push(["", "boolean", true], ["", "boolean", false]);
    if (types.includes("null") && types.length > 1) found.push(["", "null", null]);
    if (types.includes("number")) found.push(...numberClasses(schema, false));
    else if (types.includes("integer")) found.push(...numberClasses(schema, true));
    if (types.includes("string")) found.push(...textClasses(schema));
    if (types.includes("array")) {
      const { items, prefixItems } = schema;
      const isEmpty = items !== undefined && !Array.isArray(items) && prefixItems === undefined &&
        !canPass(items);
      found.push(...listClasses(schema).filter(([, name]) => !isEmpty || name === "no_items"));
    }
    if (types.includes("object")) {
      const required = (schema["required"] ?? []) as readonly string[];
      for (const [name, part] of Object.entries((schema["properties"] ?? {}) as object)) {
        if (required.includes(name) || !canPass(part)) continue;
        const pointer = `/properties/${token(name)}`;
        found.push([pointer, "present"], [pointer, "absent"]);
      }
    }
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const list = (schema[keyword] ?? []) as readonly unknown[];
    if (list.length < 2) continue;
    list.forEach((one, index) => {
      if (canPass(one)) found.push([`/${keyword}/${index}`, "alternative"]);
    });
  }
  return found;
}

/** A number without rounding errors: 3 * 0.1 is 0.3. */
function decimal(value: number): number {
  return Number(value.toPrecision(12));
}

function isInteger(value: number): boolean {
  return Number.isInteger(decimal(value));
}

/** True if another keyword for numbers or text refuses a member of an enum. */
function refuses(schema: SchemaObject, member: unknown): boolean {
  const at = (keyword: string, other: number) => numberAt(schema, keyword) ?? other;
  if (typeof member === "number") {
    return member < at("minimum", -Infinity) || member <= at("exclusiveMinimum", -Infinity) ||
      member > at("maximum", Infinity) || member >= at("exclusiveMaximum", Infinity) ||
      !isInteger(member / at("multipleOf", member || 1));
  }
  if (typeof member !== "string") return false;
  const { length } = [...member];
  const { pattern } = schema;
  return length < at("minLength", 0) || length > at("maxLength", Infinity) ||
    (typeof pattern === "string" && !new RegExp(pattern, "u").test(member));
}

function numberAt(schema: SchemaObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}

interface End {
  readonly value: number;
  /** True if the limit itself isn't allowed. */
  readonly isOpen: boolean;
  readonly keyword: string;
}

function rangeEnd(
  schema: SchemaObject,
  [closed, open]: readonly [closed: string, open: string],
  inwards: 1 | -1,
  isWhole: boolean,
): End | undefined {
  const [own, strict] = [numberAt(schema, closed), numberAt(schema, open)];
  if (own === undefined && strict === undefined) return undefined;
  const isOpen = strict !== undefined && (own === undefined || (strict - own) * inwards >= 0);
  const value = (isOpen ? strict : own) as number;
  const keyword = isOpen ? open : closed;
  if (!isWhole) return { value, isOpen, keyword };
  const whole = inwards > 0 ? Math.ceil(value) : Math.floor(value);
  return { value: isOpen && whole === value ? whole + inwards : whole, isOpen: false, keyword };
}

function numberClasses(schema: SchemaObject, isWhole: boolean): NaiveClass[] {
  const step = numberAt(schema, "multipleOf");
  const low = rangeEnd(schema, ["minimum", "exclusiveMinimum"], 1, isWhole);
  const high = rangeEnd(schema, ["maximum", "exclusiveMaximum"], -1, isWhole);
  if (low === undefined && high === undefined) {
    return [["", "negative"], ["", "zero"], ["", "positive"]];
  }
  const [from, to] = [low?.value ?? -Infinity, high?.value ?? Infinity];
  if (from > to || (from === to && (low?.isOpen || high?.isOpen))) return [];
  const fits = (end: End | undefined): end is End =>
    end !== undefined && !end.isOpen && (step === undefined || isInteger(end.value / step));
  const isOne = from === to;
  return [
    ...fits(low) ? [[`/${low.keyword}`, "minimum", from] as const] : [],
    ...fits(high) && !(isOne && fits(low)) ? [[`/${high.keyword}`, "maximum", to] as const] : [],
    ...fitsBetween(from, to, step, isWhole)
      ? [["", "between", given({ exclusiveMinimum: from, exclusiveMaximum: to })] as const]
      : [],
  ];
}

/** True if a valid number lies between two others. */
function fitsBetween(from: number, to: number, step: number | undefined, isWhole: boolean) {
  const least = step ?? (isWhole ? 1 : undefined);
  if (least === undefined) return from < to;
  const start = from === -Infinity ? to === Infinity ? 0 : to - MANY * least : from;
  const first = Math.floor(decimal(start / least));
  for (let times = first; times < first + 2 * MANY; times++) {
    const value = decimal(times * least);
    if (value > from && value < to && (!isWhole || Number.isInteger(value))) return true;
  }
  return false;
}

function textClasses(schema: SchemaObject): NaiveClass[] {
  const { pattern, format } = schema;
  const decides = typeof format === "string" && (formats.has(format) || format === "binary");
  if (typeof pattern === "string" || decides) return [];
  const low = Math.max(0, numberAt(schema, "minLength") ?? 0);
  const high = numberAt(schema, "maxLength") ?? Infinity;
  if (low > high) return [];
  return [
    low === 0 ? ["", "empty", ""] : ["/minLength", "min_length", low],
    ...high < Infinity && high > low ? [["/maxLength", "max_length", high] as const] : [],
    ...high - low > 1 ? [["", "between", lengths("Length", low + 1, high - 1)] as const] : [],
    ...high > 0 ? [["", "non_ascii"] as const] : [],
  ];
}

function listClasses(schema: SchemaObject): NaiveClass[] {
  const low = Math.max(0, numberAt(schema, "minItems") ?? 0);
  const high = numberAt(schema, "maxItems") ?? Infinity;
  if (low > high) return [];
  return [
    ...low === 0 ? [["", "no_items"] as const] : [],
    ...low <= 1 && high >= 1 ? [["", "one_item"] as const] : [],
    ...Math.max(low, 2) < high
      ? [["", "several_items", lengths("Items", Math.max(low, 2), high - 1)] as const]
      : [],
    ...high >= 2 && high < Infinity ? [["/maxItems", "max_items", high] as const] : [],
  ];
}

/** The limits that are defined. */
function given(limits: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => Number.isFinite(limit)));
}

/** Undefined if every length in the class is allowed: text that isn't empty, or two items or more. */
function lengths(unit: "Length" | "Items", least: number, most: number): SchemaObject | undefined {
  const isAny = most === Infinity && least <= (unit === "Length" ? 1 : 2);
  return isAny ? undefined : given({ [`min${unit}`]: least, [`max${unit}`]: most });
}
