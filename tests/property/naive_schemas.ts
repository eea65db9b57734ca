// Derives what schemas of JSON bodies can show without optimizations: schemas as a set, satisfiability as a fixed
// point, and the value classes of section 16 of the semantics. For OpenAPI 3.0 and 2020-12.
import type { ParameterPlan } from "../../src/map/parameter_plan.ts";
import { findValuePlaces } from "../../src/map/value_places.ts";
import { formats } from "../../src/schema/formats.ts";
import { deref, isRaw, type Raw } from "../corpus/raw_description.ts";
import { canonical, ownClasses, token, TYPES } from "./naive_classes.ts";

/** A value class and its place as one line: `/properties/a/minLength min_length 3 at /a`. */
export type ListedClass = string;

type Judgement = "Normal" | "Positive" | "Negative";

const OLD_ASSERTIONS = new Set([
  ...["type", "format", "maximum", "minimum", "maxLength", "minLength", "pattern", "maxItems"],
  ...["minItems", "uniqueItems", "enum", "multipleOf", "maxProperties", "minProperties"],
  "required",
]);
const LISTS = ["allOf", "anyOf", "oneOf"];
/** Keywords whose schemas don't describe sent values. */
const UNSENT = ["not", "if", "contains", "propertyNames"];
/** Patterns that match every text. */
const ANYTHING = new Set(["", "^", "$", ".*", "^.*", ".*$", "[\\s\\S]*", "^[\\s\\S]*$"]);

/** What other languages have, and ECMA-262 without the flag `u` takes for text. */
const FOREIGN = /\\[AZzpP]|\\x\{|\[:\^?[a-z]+:\]|&&\[/;

/** A subschema. */
interface Part {
  readonly schema: unknown;
  /** The pointer relative to the outer schema, or the absolute pointer of a reference's target. */
  readonly pointer: string;
  /** The name of a declared property, or `*`; undefined if the schema is for the same value. */
  readonly step?: string | undefined;
}

/** The schemas of a document. None of them may be the same object, like in a file. */
export class NaiveSchemas {
  readonly #root: Raw;
  /** True for OpenAPI 3.0, which ignores everything beside a reference. */
  readonly #isOld: boolean;
  readonly #canFail = new Map<Raw, boolean>();
  readonly #canPass = new Map<Raw, boolean>();

  constructor(root: Raw) {
    this.#root = root;
    this.#isOld = String(root["openapi"]).startsWith("3.0");
  }

  /** Number of keywords that a schema reaches, and of those that can pass and fail. */
  count(schema: unknown): { readonly listed: number; readonly normal: number } {
    const reached = this.#settle(schema);
    let [listed, normal] = [0, 0];
    for (const one of reached) {
      for (const keyword of this.#keywords(one)) {
        listed++;
        if (this.#judge(one, keyword) === "Normal") normal++;
      }
    }
    return { listed, normal };
  }

  /** The value classes that a body can show, sorted. */
  classes(schema: unknown, pointer: string): ListedClass[] {
    this.#settle(schema);
    const found: ListedClass[] = [];
    const known = new Set<Raw>();
    type Way = { readonly schema: unknown; readonly pointer: string; readonly path: string };
    const canPass = (one: unknown): boolean => this.#passes(one);
    // Breadth-first by value, so that the first path is the shortest.
    for (let level: Way[] = [{ schema, pointer, path: "" }], next: Way[]; level[0]; level = next) {
      next = [];
      const visit = ({ schema, pointer, path }: Way): void => {
        if (this.#isOld && isRaw(schema) && typeof schema["$ref"] === "string") {
          return visit({ ...this.#target(schema), path });
        }
        if (!isRaw(schema) || known.has(schema)) return;
        known.add(schema);
        for (const [suffix, name, value] of canPass(schema) ? this.#own(schema, canPass) : []) {
          found.push(format(pointer, suffix, name, value, path));
        }
        const keywords = this.#keywords(schema).filter((keyword) => !UNSENT.includes(keyword))
          .sort((one, other) => Number(other === "$ref") - Number(one === "$ref"));
        for (const keyword of keywords) {
          for (const part of this.#parts(schema, keyword)) {
            const at = keyword === "$ref" ? part.pointer : pointer + part.pointer;
            const way = { schema: part.schema, pointer: at, path };
            if (part.step === undefined) visit(way);
            else next.push({ ...way, path: `${path}/${part.step}` });
          }
        }
      };
      for (const one of level) visit(one);
    }
    return found.sort();
  }

  /** The classes of a schema's own keywords, with OpenAPI 3.0 translated to 2020-12. */
  #own(schema: Raw, canPass: (schema: unknown) => boolean) {
    if (!this.#isOld) return ownClasses(schema, canPass);
    const { nullable, exclusiveMinimum, exclusiveMaximum, type, minimum, maximum, ...rest } =
      schema;
    const { pattern, ...others } = rest;
    const properties = isRaw(schema["properties"]) ? Object.entries(schema["properties"]) : [];
    const sent = properties.filter(([, member]) => isRaw(member) && !this.#isReadOnly(member));
    const end = (name: "inimum" | "aximum", value: unknown, isOpen: unknown): Raw =>
      value === undefined ? {} : { [isOpen === true ? `exclusiveM${name}` : `m${name}`]: value };
    return ownClasses({
      ...others,
      ...(isRaw(schema["properties"]) && { properties: Object.fromEntries(sent) }),
      ...(isExpression(pattern) && { pattern }),
      ...(typeof type === "string" && { type: nullable === true ? [type, "null"] : type }),
      ...end("inimum", minimum, exclusiveMinimum),
      ...end("aximum", maximum, exclusiveMaximum),
    }, canPass).map(([suffix, ...rest]) =>
      [suffix.replace(/^\/exclusiveM/, "/m"), ...rest] as const
    );
  }

  /** A reference's target and its pointer; in OpenAPI 3.0, the end of a chain of references. */
  #target({ $ref }: Raw): { readonly schema: unknown; readonly pointer: string } {
    const pointer = decodeURIComponent(String($ref)).replace(/^#/, "");
    const schema = pointer.split("/").slice(1).reduce<unknown>(
      (value, token) =>
        isRaw(value) || Array.isArray(value)
          ? (value as Raw)[token.replaceAll("~1", "/").replaceAll("~0", "~")]
          : undefined,
      this.#root,
    );
    const leadsOn = this.#isOld && isRaw(schema) && typeof schema["$ref"] === "string";
    return leadsOn && deref(this.#root, schema) !== undefined
      ? this.#target(schema)
      : { schema, pointer };
  }

  /** All schemas that a schema reaches, after deciding what can pass and fail in them. */
  #settle(schema: unknown): ReadonlySet<Raw> {
    const reached = this.#reached(schema);
    // Initially, nothing can fail and everything can pass.
    const fresh = [...reached].filter((schema) => !this.#canFail.has(schema));
    for (const schema of fresh) {
      this.#canFail.set(schema, false);
      this.#canPass.set(schema, true);
    }
    const decide = (
      known: Map<Raw, boolean>,
      answer: (judged: readonly Judgement[]) => boolean,
    ): void => {
      for (let changed = true; changed;) {
        changed = false;
        for (const schema of fresh) {
          const judged = this.#keywords(schema).map((keyword) => this.#judge(schema, keyword));
          const now = answer(judged);
          changed ||= now !== known.get(schema);
          known.set(schema, now);
        }
      }
    };
    // What can fail depends on what can pass, but not the other way round.
    decide(this.#canPass, (judged) => !judged.includes("Negative"));
    decide(this.#canFail, (judged) => judged.some((one) => one !== "Positive"));
    return reached;
  }

  #at(schema: unknown): unknown {
    return this.#isOld ? deref(this.#root, schema) : schema;
  }

  /** The tracked keywords of a schema with valid values. */
  #keywords(schema: Raw): string[] {
    return Object.keys(schema).filter((keyword) => {
      const value = schema[keyword];
      if (LISTS.includes(keyword)) return Array.isArray(value) && value.length > 0;
      if (!this.#isOld) return true;
      switch (keyword) {
        case "type":
          return typeof value === "string" && TYPES.includes(value);
        case "pattern":
          return isExpression(value);
        case "items":
        case "not":
        case "properties":
          return isRaw(value);
        case "additionalProperties":
          return isRaw(value) || typeof value === "boolean";
        case "nullable":
          return value === true;
        case "exclusiveMinimum":
        case "exclusiveMaximum":
          return typeof value === "boolean" &&
            schema[keyword.replace("exclusiveM", "m")] !== undefined;
        default:
          return OLD_ASSERTIONS.has(keyword);
      }
    });
  }

  /** The subschemas of a keyword, in document order. */
  #parts(schema: Raw, keyword: string): Part[] {
    const value = schema[keyword];
    const pointer = `/${keyword}`;
    const one = (step?: string): Part[] => [{ schema: value, pointer, step }];
    const list = (step?: string): Part[] =>
      (value as unknown[]).map((schema, index) => ({
        ...{ schema, pointer: `${pointer}/${index}`, step },
      }));
    const members = (step: (name: string) => string | undefined): Part[] =>
      Object.entries(value as Raw).map(([name, schema]) => ({
        ...{ schema, pointer: `${pointer}/${token(name)}`, step: step(name) },
      }));
    switch (keyword) {
      case "$ref":
        return [this.#target(schema)];
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
        return members(token).filter(({ schema }) => !this.#isReadOnly(schema));
      case "patternProperties":
        return members(() => "*");
      case "prefixItems":
        return list("*");
      case "additionalProperties":
        return this.#isReadOnly(value) ? [] : one("*");
      case "items":
      case "unevaluatedItems":
      case "unevaluatedProperties":
        return one("*");
      default:
        return UNSENT.includes(keyword) ? one() : [];
    }
  }

  /** True if a schema or its parts say that clients don't send its values. */
  #isReadOnly(schema: unknown, visited: Set<Raw> = new Set()): boolean {
    const found = deref(this.#root, schema);
    if (!isRaw(found) || visited.has(found)) return false;
    visited.add(found);
    const members = Array.isArray(found["allOf"]) ? found["allOf"] : [];
    return found["readOnly"] === true ||
      members.some((member) => this.#isReadOnly(member, visited));
  }

  /** The outcomes of a negation: Normal if it leads back to itself, otherwise the reverse. */
  #negate(schema: Raw, negated: unknown): Judgement {
    if (this.#reached(negated).has(schema)) return "Normal";
    const inner = new NaiveSchemas(this.#root);
    inner.#settle(negated);
    if (!inner.#passes(negated)) return "Positive";
    return inner.#fails(negated) ? "Normal" : "Negative";
  }

  /** A schema with everything that it is made of. */
  #reached(schema: unknown): Set<Raw> {
    const reached = new Set<Raw>();
    const open = [schema];
    while (open.length > 0) {
      const found = this.#at(open.pop());
      if (!isRaw(found) || reached.has(found)) continue;
      reached.add(found);
      for (const keyword of this.#keywords(found)) {
        open.push(...this.#parts(found, keyword).map(({ schema }) => schema));
      }
    }
    return reached;
  }

  #fails(schema: unknown): boolean {
    const found = this.#at(schema);
    return isRaw(found) ? this.#canFail.get(found) ?? false : found === false;
  }

  #passes(schema: unknown): boolean {
    const found = this.#at(schema);
    return isRaw(found) ? this.#canPass.get(found) ?? true : found !== false;
  }

  #judge(schema: Raw, keyword: string): Judgement {
    const value = schema[keyword];
    const parts = this.#parts(schema, keyword).map(({ schema }) => schema);
    const positive = (isPositive: boolean): Judgement => isPositive ? "Positive" : "Normal";
    const noneFails = positive(!parts.some((part) => this.#fails(part)));
    switch (keyword) {
      case "minLength":
      case "minItems":
      case "minProperties":
        return positive((value as number) <= 0);
      case "minContains":
        return positive(!Object.hasOwn(schema, "contains") || (value as number) <= 0);
      case "maxContains":
        return positive(!Object.hasOwn(schema, "contains"));
      case "contains":
        return positive(schema["minContains"] === 0);
      case "uniqueItems":
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        return positive(value === false);
      case "nullable":
        return "Positive";
      case "type": {
        const named = [value].flat() as string[];
        if (named.length === 0) return "Negative";
        return positive(
          TYPES.every((type) =>
            named.includes(type) || (type === "integer" && named.includes("number"))
          ),
        );
      }
      case "format":
        return positive(!formats.has(value as string));
      case "pattern":
        return positive(ANYTHING.has(value as string));
      case "enum":
        return (value as unknown[]).length === 0 ? "Negative" : "Normal";
      case "required":
        return positive(this.#required(schema).length === 0);
      case "dependentRequired":
        return positive(Object.values(value as Record<string, unknown[]>).flat().length === 0);
      case "$ref":
      case "allOf":
        return parts.every((part) => this.#passes(part)) ? noneFails : "Negative";
      case "anyOf":
        if (!parts.some((part) => this.#passes(part))) return "Negative";
        return positive(!parts.every((part) => this.#fails(part)));
      case "oneOf": {
        const [only, ...others] = parts.filter((part) => this.#passes(part));
        if (only === undefined) return "Negative";
        return positive(others.length === 0 && !this.#fails(only));
      }
      case "not":
        return this.#negate(schema, value);
      case "if":
        return "Normal";
      case "properties":
      case "patternProperties":
      case "additionalProperties":
      case "propertyNames":
      case "prefixItems":
      case "items":
      case "unevaluatedItems":
      case "unevaluatedProperties":
      case "then":
      case "else":
      case "dependentSchemas":
        return noneFails;
      default:
        return "Normal";
    }
  }

  #required(schema: Raw): unknown[] {
    const names = Array.isArray(schema["required"]) ? schema["required"] : [];
    const properties = isRaw(schema["properties"]) ? schema["properties"] : {};
    return names.filter((name) =>
      !(Object.hasOwn(properties, name) && this.#isReadOnly(properties[name]))
    );
  }
}

/** The value classes of a body that covtool lists, in the same form. */
export function listedClasses(body: ParameterPlan): ListedClass[] {
  return findValuePlaces(body).flatMap(({ node, instance_path, classes }) =>
    classes.map(({ name, pointer, value }) =>
      format(node.schemaPath(), pointer, name, value, instance_path)
    )
  ).sort();
}

/** The class of an enum member has the pointer of the member. */
function format(place: string, suffix: string, name: string, value: unknown, path: string): string {
  const isMember = name === "present" || name === "absent";
  const below = isMember ? suffix.slice("/properties".length) : "";
  return `${place}${suffix} ${name} ${canonical(value)} at ${path}${below}`;
}

function isExpression(pattern: unknown): boolean {
  return typeof pattern === "string" &&
    (isRegExp(pattern, "u") || isRegExp(pattern, "") && !FOREIGN.test(pattern));
}

function isRegExp(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}
