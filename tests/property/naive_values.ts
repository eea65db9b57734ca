// The list of classes of values a second time, as section 16 of the semantics says it: JSON bodies, schemas of 2020-12.
import type { Json } from "../../src/values/json.ts";
import type { DefinedSchema, Schema } from "./schema_arbitrary.ts";

/** One class, in a line: `/properties/a/minLength min_length at /a`. */
export type ListedClass = string;

type SchemaObject = { readonly [keyword: string]: unknown };

const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
/** Patterns that every text matches. */
const OPEN_PATTERNS = ["", "^", "$", ".*", "^.*", ".*$", "[\\s\\S]*", "^[\\s\\S]*$"];

function token(text: string): string {
  return text.replaceAll("~", "~0").replaceAll("/", "~1");
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) =>
    `${JSON.stringify(key)}:${canonical(item)}`
  );
  return `{${entries.sort().join()}}`;
}

function isOfType(value: Json, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }
  if (type === "integer") return Number.isInteger(value);
  // deno-lint-ignore valid-typeof -- the names that are left are those of the language
  return typeof value === type;
}

/** A schema within another one: its pointer below the root, and what leads to it. */
interface Child {
  readonly schema: Schema;
  readonly pointer: string;
  /** The name of a declared property, or `*`; undefined where the schema is about the same value. */
  readonly step: string | undefined;
}

/** The schemas within a schema that values reach, in the order of the document. */
function children(schema: SchemaObject, pointer: string): Child[] {
  return Object.entries(schema).flatMap(([keyword, value]): Child[] => {
    const at = `${pointer}/${keyword}`;
    const one = (step?: string): Child[] => [{ schema: value as Schema, pointer: at, step }];
    const list = (step?: string) =>
      (value as readonly Schema[]).map((schema, index) => ({
        schema,
        pointer: `${at}/${index}`,
        step,
      }));
    const members = (step: (name: string) => string | undefined) =>
      Object.entries(value as Record<string, Schema>).map(([name, schema]) => ({
        schema,
        pointer: `${at}/${token(name)}`,
        step: step(name),
      }));
    switch (keyword) {
      case "allOf":
      case "anyOf":
      case "oneOf":
        return list();
      case "then":
      case "else":
        return Object.hasOwn(schema, "if") ? one() : [];
      case "dependentSchemas":
        return members(() => undefined);
      case "properties":
        return members(token);
      case "patternProperties":
        return members(() => "*");
      case "prefixItems":
        return list("*");
      case "items":
      case "additionalProperties":
      case "unevaluatedItems":
      case "unevaluatedProperties":
        return one("*");
      default:
        return [];
    }
  });
}

class Satisfiability {
  readonly #definitions: Readonly<Record<string, Schema>>;

  constructor(definitions: Readonly<Record<string, Schema>>) {
    this.#definitions = definitions;
  }

  target(reference: unknown): string {
    return String(reference).slice(String(reference).lastIndexOf("/") + 1);
  }

  resolve(reference: unknown): Schema {
    return this.#definitions[this.target(reference)] ?? true;
  }

  cannotPass(schema: Schema, seen: ReadonlySet<Schema> = new Set()): boolean {
    if (typeof schema === "boolean") return !schema;
    if (seen.has(schema)) return false;
    const within = new Set([...seen, schema]);
    const no = (one: unknown) => this.cannotPass(one as Schema, within);
    return Object.entries(schema).some(([keyword, value]) => {
      const list = value as readonly unknown[];
      if (keyword === "$ref") return no(this.resolve(value));
      if (keyword === "enum" || keyword === "type") return Array.isArray(value) && !list.length;
      if (keyword === "not") return this.cannotFail(value as Schema);
      if (keyword === "allOf") return list.some(no);
      return (keyword === "anyOf" || keyword === "oneOf") && list.every(no);
    });
  }

  cannotFail(schema: Schema, seen: ReadonlySet<Schema> = new Set()): boolean {
    if (typeof schema === "boolean") return schema;
    if (seen.has(schema)) return true;
    const within = new Set([...seen, schema]);
    return Object.keys(schema).every((keyword) => this.#isPositive(schema, keyword, within));
  }

  #isPositive(schema: SchemaObject, keyword: string, seen: ReadonlySet<Schema>): boolean {
    const value = schema[keyword];
    const open = (one: unknown) => this.cannotFail(one as Schema, seen);
    const shut = (one: unknown) => this.cannotPass(one as Schema);
    const all = (list: unknown) => Object.values(list as object).every(open);
    switch (keyword) {
      case "$ref":
        return open(this.resolve(value));
      case "minLength":
      case "minItems":
      case "minProperties":
        return (value as number) <= 0;
      case "minContains":
        return !Object.hasOwn(schema, "contains") || (value as number) <= 0;
      case "maxContains":
        return !Object.hasOwn(schema, "contains");
      case "uniqueItems":
        return value === false;
      case "required":
        return (value as readonly unknown[]).length === 0;
      case "dependentRequired":
        return Object.values(value as Record<string, unknown[]>).every(({ length }) => !length);
      case "type": {
        const named = [value].flat() as string[];
        return TYPES.every((type) =>
          named.includes(type) || (type === "integer" && named.includes("number"))
        );
      }
      case "pattern":
        return OPEN_PATTERNS.includes(value as string);
      case "properties":
      case "patternProperties":
      case "dependentSchemas":
      case "allOf":
      case "prefixItems":
        return all(value);
      case "additionalProperties":
      case "unevaluatedItems":
      case "unevaluatedProperties":
      case "propertyNames":
      case "items":
        return open(value);
      case "then":
      case "else":
        return !Object.hasOwn(schema, "if") || open(value);
      case "anyOf":
        return (value as readonly unknown[]).some(open);
      case "oneOf": {
        const list = value as readonly unknown[];
        return list.some(open) && list.filter((one) => !shut(one)).length === 1;
      }
      case "contains":
        return schema["minContains"] === 0;
      case "not":
        return shut(value);
      default:
        return false;
    }
  }
}

/** The classes of a schema's own keywords, as pointers below it and names. */
function ownClasses(
  schema: SchemaObject,
  satisfiability: Satisfiability,
): [pointer: string, name: string, below?: string][] {
  const found: [string, string, string?][] = [];
  const has = (...names: string[]) => names.some((name) => Object.hasOwn(schema, name));
  const named = has("type") ? [schema["type"]].flat() as string[] : undefined;
  const types = named ?? [
    ...has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") ? ["number"] : [],
    ...has("minLength", "maxLength") ? ["string"] : [],
    ...has("items", "minItems", "maxItems") ? ["array"] : [],
    ...has("properties") ? ["object"] : [],
  ];
  if (has("enum", "const")) {
    const members = (has("enum") ? schema["enum"] : [schema["const"]]) as readonly Json[];
    const seen = new Set<string>();
    members.forEach((member, index) => {
      const key = canonical(member);
      if (seen.has(key) || !(named ?? TYPES).some((type) => isOfType(member, type))) return;
      seen.add(key);
      found.push([has("enum") ? `/enum/${index}` : "/const", "enum"]);
    });
  } else {
    if (types.includes("boolean")) found.push(["", "boolean"], ["", "boolean"]);
    if (types.includes("null") && types.length > 1) found.push(["", "null"]);
    if (types.includes("number")) found.push(...numberClasses(schema, false));
    else if (types.includes("integer")) found.push(...numberClasses(schema, true));
    if (types.includes("string") && !has("pattern")) found.push(...textClasses(schema));
    if (types.includes("array")) found.push(...listClasses(schema));
    if (types.includes("object")) {
      const required = (schema["required"] ?? []) as readonly string[];
      for (const [name, part] of Object.entries((schema["properties"] ?? {}) as object)) {
        if (required.includes(name) || satisfiability.cannotPass(part as Schema)) continue;
        const pointer = `/properties/${token(name)}`;
        found.push([pointer, "present", token(name)], [pointer, "absent", token(name)]);
      }
    }
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const list = (schema[keyword] ?? []) as readonly Schema[];
    if (list.length < 2) continue;
    list.forEach((one, index) => {
      if (!satisfiability.cannotPass(one)) found.push([`/${keyword}/${index}`, "alternative"]);
    });
  }
  return found;
}

function numberClasses(schema: SchemaObject, isWhole: boolean): [string, string][] {
  const limit = (name: string) => schema[name] as number | undefined;
  const step = limit("multipleOf");
  if (
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].every((name) =>
      limit(name) === undefined
    )
  ) {
    return [["", "negative"], ["", "zero"], ["", "positive"]];
  }
  // Numbers in quarters, far beyond all limits: enough to see which of them fit.
  const fits = (value: number) =>
    (!isWhole || Number.isInteger(value)) && (step === undefined || value % step === 0) &&
    value >= (limit("minimum") ?? -Infinity) && value <= (limit("maximum") ?? Infinity) &&
    value > (limit("exclusiveMinimum") ?? -Infinity) &&
    value < (limit("exclusiveMaximum") ?? Infinity);
  const all = Array.from({ length: 401 }, (_, index) => (index - 200) / 4).filter(fits);
  const end = (name: string, exclusive: string, sign: 1 | -1) => {
    const [own, strict] = [limit(name), limit(exclusive)];
    if (own === undefined && strict === undefined) return undefined;
    const isStrict = strict !== undefined && (own === undefined || (strict - own) * sign >= 0);
    const bound = (isStrict ? strict : own) as number;
    if (!isWhole) return { value: isStrict ? undefined : bound, pointer: `/${name}`, bound };
    const rounded = sign > 0 ? Math.ceil(bound) : Math.floor(bound);
    const value = isStrict && Number.isInteger(bound) ? bound + sign : rounded;
    return { value, pointer: `/${isStrict ? exclusive : name}`, bound: value };
  };
  const [low, high] = [
    end("minimum", "exclusiveMinimum", 1),
    end("maximum", "exclusiveMaximum", -1),
  ];
  const found: [string, string][] = [];
  const ends: number[] = [];
  if (low?.value !== undefined && fits(low.value)) {
    found.push([low.pointer, "minimum"]);
    ends.push(low.value);
  }
  if (high?.value !== undefined && fits(high.value) && !ends.includes(high.value)) {
    found.push([high.pointer, "maximum"]);
    ends.push(high.value);
  }
  if (all.some((value) => !ends.includes(value))) found.push(["", "between"]);
  return found;
}

function textClasses(schema: SchemaObject): [string, string][] {
  const low = (schema["minLength"] ?? 0) as number;
  const high = (schema["maxLength"] ?? Infinity) as number;
  if (low > high) return [];
  return [
    ...low === 0
      ? [["", "empty"] as [string, string]]
      : [["/minLength", "min_length"] as [string, string]],
    ...high < Infinity && high > low ? [["/maxLength", "max_length"] as [string, string]] : [],
    ...high - low > 1 ? [["", "between"] as [string, string]] : [],
    ...high > 0 ? [["", "non_ascii"] as [string, string]] : [],
  ];
}

function listClasses(schema: SchemaObject): [string, string][] {
  const low = (schema["minItems"] ?? 0) as number;
  const high = (schema["maxItems"] ?? Infinity) as number;
  if (low > high) return [];
  const found: [string, string][] = [];
  if (low === 0) found.push(["", "no_items"]);
  if (low <= 1 && high >= 1) found.push(["", "one_item"]);
  if (Math.max(low, 2) < high) found.push(["", "several_items"]);
  if (high >= 2 && high < Infinity) found.push(["/maxItems", "max_items"]);
  return found;
}

/** All classes of a JSON body, sorted. Definitions stand in `place`. */
export function naiveValues(
  { schema, definitions }: DefinedSchema,
  root: string,
  place: string,
): ListedClass[] {
  const satisfiability = new Satisfiability(definitions);
  const found: ListedClass[] = [];
  const known = new Set<string>();
  let level: { schema: Schema; pointer: string; path: string }[] = [
    { schema, pointer: root, path: "" },
  ];
  // All that is about one value before what is within it, so that the first way is the shortest.
  while (level.length > 0) {
    const next: typeof level = [];
    const visit = ({ schema, pointer, path }: (typeof level)[number]): void => {
      if (typeof schema === "boolean" || known.has(pointer)) return;
      known.add(pointer);
      const classes = satisfiability.cannotPass(schema) ? [] : ownClasses(schema, satisfiability);
      for (const [suffix, name, below] of classes) {
        found.push(
          `${pointer}${suffix} ${name} at ${below === undefined ? path : `${path}/${below}`}`,
        );
      }
      if (Object.hasOwn(schema, "$ref")) {
        const name = satisfiability.target(schema["$ref"]);
        visit({ schema: definitions[name] ?? true, pointer: `${place}/${name}`, path });
      }
      for (const { schema: child, pointer: at, step } of children(schema, pointer)) {
        if (step === undefined) visit({ schema: child, pointer: at, path });
        else next.push({ schema: child, pointer: at, path: `${path}/${step}` });
      }
    };
    for (const one of level) visit(one);
    level = next;
  }
  return found.sort();
}
