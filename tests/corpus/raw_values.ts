// The classes of values of JSON bodies of OpenAPI 3.0, listed a second time from docs/semantics.md, section 16: slow and plain.
import { formats } from "../../src/schema/formats.ts";
import type { ParameterPlan } from "../../src/map/parameter_plan.ts";
import { findValuePlaces } from "../../src/map/value_coverage.ts";
import { deref, isRaw } from "./raw_description.ts";
import type { Raw } from "./raw_description.ts";
import type { RawKeywords } from "./raw_keywords.ts";

/** A class as text: the pointer of its schema, what names it there, and its name. */
export interface RawClass {
  readonly text: string;
  /** The number of steps into the value, on the shortest way. */
  readonly depth: number;
}

type Add = (suffix: string, name: string, value?: unknown) => void;

const JSON_TYPES = ["null", "boolean", "number", "string", "array", "object"];
const LISTS = ["allOf", "anyOf", "oneOf"];

/** What is listed for a parameter and not otherwise, and the other way round; undefined if all is the same. */
export function differingClasses(
  parameter: ParameterPlan,
  otherwise: readonly RawClass[],
): string | undefined {
  const listed = findValuePlaces(parameter).flatMap(({ node, instance_path, classes }) =>
    classes.map(({ name, pointer, value }) => {
      const said = value === undefined ? "" : ` ${sortedText(value)}`;
      const depth = instance_path.split("/").length - 1;
      return `${depth} ${node.pathOf("")}${pointer} ${name}${said}`;
    })
  );
  const again = otherwise.map(({ text, depth }) => `${depth} ${text}`);
  const known = new Set(again);
  const more = listed.filter((text) => !known.has(text));
  const names = new Set(listed);
  const fewer = again.filter((text) => !names.has(text));
  if (more.length + fewer.length + Math.abs(listed.length - again.length) === 0) return undefined;
  return `${listed.length} and ${again.length}; listed only: ${more.slice(0, 3)}; ` +
    `otherwise only: ${fewer.slice(0, 3)}`;
}

/** Sorts the names of members, so that equal values have equal texts. */
function sortedText(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member) =>
      isRaw(member)
        ? Object.fromEntries(Object.keys(member).sort().map((name) => [name, member[name]]))
        : member,
  );
}

/** Lists the classes that a body can show: each way through the schemas is a line, the shortest first. */
export function rawClasses(
  root: Raw,
  schema: unknown,
  pointer: string,
  keywords: RawKeywords,
): RawClass[] {
  const found: RawClass[] = [];
  const known = new Set<unknown>();
  let ways = [{ schema, pointer }];
  for (let depth = 0; ways.length > 0; depth++) {
    const next: typeof ways = [];
    const inPlace = [...ways];
    for (const way of inPlace) {
      const [one, at] = follow(root, way.schema, way.pointer);
      if (!isRaw(one) || known.has(one)) continue;
      known.add(one);
      const add: Add = (suffix, name, value) => {
        const said = value === undefined ? "" : ` ${sortedText(value)}`;
        found.push({ text: `${at}${suffix} ${name}${said}`, depth });
      };
      if (keywords.canPass(one)) listClasses(root, one, keywords, add);
      for (const keyword of LISTS) {
        listOf(one[keyword]).forEach((member, index) =>
          inPlace.push({ schema: member, pointer: `${at}/${keyword}/${index}` })
        );
      }
      for (const [name, member] of entriesOf(one["properties"])) {
        if (keywords.isReadOnly(member)) continue;
        next.push({ schema: member, pointer: `${at}/properties/${escape(name)}` });
      }
      for (const keyword of ["items", "additionalProperties"]) {
        const member = one[keyword];
        if (!isRaw(member) || (keyword !== "items" && keywords.isReadOnly(member))) continue;
        next.push({ schema: member, pointer: `${at}/${keyword}` });
      }
    }
    ways = next;
  }
  return found;
}

/** The schema that references lead to, and its pointer. */
function follow(root: Raw, schema: unknown, pointer: string): readonly [unknown, string] {
  let [one, at] = [schema, pointer];
  for (let hops = 0; hops < 50 && isRaw(one) && typeof one["$ref"] === "string"; hops++) {
    const tokens = one["$ref"].slice(1).split("/").slice(1).map((token) =>
      decodeURIComponent(token)
    );
    at = tokens.map((token) => `/${token}`).join("");
    one = tokens.reduce<unknown>(
      (value, token) =>
        isRaw(value) || Array.isArray(value)
          ? (value as Raw)[token.replaceAll("~1", "/").replaceAll("~0", "~")]
          : undefined,
      root,
    );
  }
  return [one, at];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRaw(value) ? Object.entries(value) : [];
}

function escape(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function numberAt(schema: Raw, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}

/** The types of a schema, and whether its numbers are whole. */
function typesOf(schema: Raw): { readonly types: Set<string>; readonly isWhole: boolean } {
  const { type } = schema;
  if (typeof type === "string") {
    const types = new Set([type === "integer" ? "number" : type]);
    if (schema["nullable"] === true) types.add("null");
    return { types, isWhole: type === "integer" };
  }
  const about = (type: string, ...names: readonly string[]) =>
    names.some((name) => schema[name] !== undefined) ? [type] : [];
  return {
    types: new Set([
      ...about("number", "minimum", "maximum"),
      ...about("string", "minLength", "maxLength"),
      ...about("array", "items", "minItems", "maxItems"),
      ...about("object", "properties"),
    ]),
    isWhole: false,
  };
}

function listClasses(root: Raw, schema: Raw, keywords: RawKeywords, add: Add): void {
  const { types, isWhole } = typesOf(schema);
  if (Array.isArray(schema["enum"])) listMembers(schema, schema["enum"], add);
  else {
    if (types.has("boolean")) { for (const value of [true, false]) add("", "boolean", value); }
    if (types.has("null") && types.size > 1) add("", "null", null);
    if (types.has("number")) listNumbers(schema, isWhole, add);
    if (types.has("string")) listTexts(schema, add);
    if (types.has("array")) listItems(schema, add);
    if (types.has("object")) listProperties(schema, keywords, add);
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const members = listOf(schema[keyword]);
    if (members.length < 2) continue;
    members.forEach((member, index) => {
      if (keywords.canPass(deref(root, member))) add(`/${keyword}/${index}`, "alternative");
    });
  }
}

function listMembers(schema: Raw, members: readonly unknown[], add: Add): void {
  const { type } = schema;
  const types = typeof type === "string" ? typesOf(schema).types : new Set(JSON_TYPES);
  const seen = new Set<string>();
  members.forEach((member, index) => {
    const text = sortedText(member);
    const isOther = type === "integer" && typeof member === "number" && !Number.isInteger(member);
    if (seen.has(text) || !types.has(typeName(member)) || isOther) return;
    seen.add(text);
    add(`/enum/${index}`, "enum", member);
  });
}

function listNumbers(schema: Raw, isWhole: boolean, add: Add): void {
  const step = numberAt(schema, "multipleOf");
  const limit = (name: "minimum" | "maximum", exclusive: string, inwards: 1 | -1) => {
    const value = numberAt(schema, name);
    if (value === undefined) return undefined;
    const isOpen = schema[exclusive] === true;
    if (!isWhole) return { value, isOpen };
    const whole = inwards > 0 ? Math.ceil(value) : Math.floor(value);
    return { value: isOpen && whole === value ? whole + inwards : whole, isOpen: false };
  };
  const low = limit("minimum", "exclusiveMinimum", 1);
  const high = limit("maximum", "exclusiveMaximum", -1);
  if (low === undefined && high === undefined) {
    for (const name of ["negative", "zero", "positive"]) add("", name);
    return;
  }
  const [from, to] = [low?.value ?? -Infinity, high?.value ?? Infinity];
  if (from > to || (from === to && (low?.isOpen || high?.isOpen))) return;
  const fits = (value: number) => step === undefined || value % step === 0;
  const atLow = low !== undefined && !low.isOpen && fits(from);
  const atHigh = high !== undefined && !high.isOpen && fits(to) && from !== to;
  if (atLow) add("/minimum", "minimum", from);
  if (atHigh) add("/maximum", "maximum", to);
  if (fitsBetween(from, to, step, isWhole)) add("", "between");
}

/** Numbers that are looked at one by one. */
const MANY = 1_000;

/** Whether a number that fits lies between two others. */
function fitsBetween(from: number, to: number, step: number | undefined, isWhole: boolean) {
  const least = step ?? (isWhole ? 1 : undefined);
  if (least === undefined) return from < to;
  const start = from === -Infinity ? to === Infinity ? 0 : to - MANY * least : from;
  const first = Math.floor(start / least);
  for (let times = first; times < first + 2 * MANY; times++) {
    const value = times * least;
    if (value > from && value < to && (!isWhole || Number.isInteger(value))) return true;
  }
  return false;
}

function listTexts(schema: Raw, add: Add): void {
  const { pattern, format } = schema;
  const decides = typeof format === "string" && (formats.has(format) || format === "binary");
  if (typeof pattern === "string" || decides) return;
  const low = Math.max(0, numberAt(schema, "minLength") ?? 0);
  const high = numberAt(schema, "maxLength") ?? Infinity;
  if (low > high) return;
  if (low > 0) add("/minLength", "min_length", low);
  else add("", "empty", "");
  if (high > low && high !== Infinity) add("/maxLength", "max_length", high);
  if (high - low > 1) add("", "between");
  if (high > 0) add("", "non_ascii");
}

function listItems(schema: Raw, add: Add): void {
  const low = Math.max(0, numberAt(schema, "minItems") ?? 0);
  const high = numberAt(schema, "maxItems") ?? Infinity;
  if (low > high) return;
  if (low === 0) add("", "no_items");
  if (low <= 1 && high >= 1) add("", "one_item");
  if (high === Infinity || Math.max(low, 2) < high) add("", "several_items");
  if (high >= 2 && high !== Infinity) add("/maxItems", "max_items", high);
}

function listProperties(schema: Raw, keywords: RawKeywords, add: Add): void {
  const required = new Set(listOf(schema["required"]));
  for (const [name, member] of entriesOf(schema["properties"])) {
    if (required.has(name) || keywords.isReadOnly(member) || !isRaw(member)) continue;
    if (!keywords.canPass(member)) continue;
    for (const way of ["present", "absent"]) add(`/properties/${escape(name)}`, way);
  }
}
