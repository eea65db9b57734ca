// The list of classes of values a second time, as section 16 of the semantics says it: JSON bodies, schemas of 2020-12.
import { ownClasses, type SchemaObject, token, TYPES } from "./naive_classes.ts";
import type { DefinedSchema, Schema } from "./schema_arbitrary.ts";

/** One class, in a line: `/properties/a/minLength min_length at /a`. */
export type ListedClass = string;

/** Patterns that every text matches. */
const OPEN_PATTERNS = ["", "^", "$", ".*", "^.*", ".*$", "[\\s\\S]*", "^[\\s\\S]*$"];

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
  /** What is being asked: a schema that comes again inside itself says nothing more. */
  readonly #passing = new Set<Schema>();
  readonly #failing = new Set<Schema>();

  constructor(definitions: Readonly<Record<string, Schema>>) {
    this.#definitions = definitions;
  }

  target(reference: unknown): string {
    return String(reference).slice(String(reference).lastIndexOf("/") + 1);
  }

  resolve(reference: unknown): Schema {
    return this.#definitions[this.target(reference)] ?? true;
  }

  cannotPass(schema: Schema): boolean {
    if (typeof schema === "boolean") return !schema;
    if (this.#passing.has(schema)) return false;
    this.#passing.add(schema);
    const no = (one: unknown) => this.cannotPass(one as Schema);
    const found = Object.entries(schema).some(([keyword, value]) => {
      const list = value as readonly unknown[];
      if (keyword === "$ref") return no(this.resolve(value));
      if (keyword === "enum" || keyword === "type") return Array.isArray(value) && !list.length;
      if (keyword === "not") return this.cannotFail(value as Schema);
      if (keyword === "allOf") return list.some(no);
      return (keyword === "anyOf" || keyword === "oneOf") && list.every(no);
    });
    this.#passing.delete(schema);
    return found;
  }

  cannotFail(schema: Schema): boolean {
    if (typeof schema === "boolean") return schema;
    if (this.#failing.has(schema)) return true;
    this.#failing.add(schema);
    const found = Object.keys(schema).every((keyword) => this.#isPositive(schema, keyword));
    this.#failing.delete(schema);
    return found;
  }

  #isPositive(schema: SchemaObject, keyword: string): boolean {
    const value = schema[keyword];
    const open = (one: unknown) => this.cannotFail(one as Schema);
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
      const canPass = (one: unknown): boolean => !satisfiability.cannotPass(one as Schema);
      for (const [suffix, name] of canPass(schema) ? ownClasses(schema, canPass) : []) {
        const isMember = name === "present" || name === "absent";
        const below = isMember ? suffix.slice("/properties".length) : "";
        found.push(`${pointer}${suffix} ${name} at ${path}${below}`);
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
