// What a JSON body of OpenAPI 3.0 can show, worked out a second time: schemas as a set, satisfiability as a fixed point.
import { formats } from "../../src/schema/formats.ts";
import { deref, isRaw, type Raw } from "./raw_description.ts";

const ASSERTIONS = new Set([
  ...["type", "format", "maximum", "minimum", "maxLength", "minLength", "pattern", "maxItems"],
  ...["minItems", "uniqueItems", "enum", "multipleOf", "maxProperties", "minProperties"],
  "required",
]);
const LISTS = ["allOf", "anyOf", "oneOf"];
const SINGLES = ["items", "additionalProperties", "not"];
const ANYTHING = new Set(["", "^", "$", ".*", "^.*", ".*$", "[\\s\\S]*", "^[\\s\\S]*$"]);

/** Counts keywords of the JSON bodies of one description. */
export class RawKeywords {
  readonly #root: Raw;
  readonly #canFail = new Map<Raw, boolean>();
  readonly #canPass = new Map<Raw, boolean>();

  /** Begins with the document. */
  constructor(root: Raw) {
    this.#root = root;
  }

  /** How many keywords a schema reaches, and how many of them can pass and fail. */
  count(schema: unknown): { readonly listed: number; readonly normal: number } {
    const reached = new Set<Raw>();
    this.#reach(schema, reached);
    this.#settle(reached);
    let [listed, normal] = [0, 0];
    for (const one of reached) {
      for (const keyword of this.#keywords(one)) {
        listed++;
        if (this.#judge(one, keyword) === "Normal") normal++;
      }
    }
    return { listed, normal };
  }

  #reach(schema: unknown, reached: Set<Raw>): void {
    const open = [schema];
    while (open.length > 0) {
      const found = deref(this.#root, open.pop());
      if (!isRaw(found) || reached.has(found)) continue;
      reached.add(found);
      for (const keyword of this.#keywords(found)) open.push(...this.#children(found, keyword));
    }
  }

  /** Assumes that nothing can fail and everything can pass, until a keyword says otherwise. */
  #settle(reached: ReadonlySet<Raw>): void {
    const fresh = [...reached].filter((schema) => !this.#canFail.has(schema));
    for (const schema of fresh) {
      this.#canFail.set(schema, false);
      this.#canPass.set(schema, true);
    }
    const settle = (
      known: Map<Raw, boolean>,
      decide: (judged: readonly ("Normal" | "Positive" | "Negative")[]) => boolean,
    ) => {
      for (let changed = true; changed;) {
        changed = false;
        for (const schema of fresh) {
          const judged = this.#keywords(schema).map((keyword) => this.#judge(schema, keyword));
          const answer = decide(judged);
          changed ||= answer !== known.get(schema);
          known.set(schema, answer);
        }
      }
    };
    // What can fail depends on what can pass, and not the other way round.
    settle(this.#canPass, (judged) => !judged.includes("Negative"));
    settle(this.#canFail, (judged) => judged.some((one) => one !== "Positive"));
  }

  /** The tracked keywords of a schema whose values can be used. */
  #keywords(schema: Raw): string[] {
    return Object.keys(schema).filter((keyword) => {
      const value = schema[keyword];
      if (LISTS.includes(keyword)) return Array.isArray(value) && value.length > 0;
      switch (keyword) {
        case "type":
          return typeof value === "string" &&
            /^(null|boolean|integer|number|string|array|object)$/.test(value);
        case "pattern":
          return typeof value === "string";
        case "items":
        case "not":
          return isRaw(value);
        case "additionalProperties":
          return isRaw(value) || typeof value === "boolean";
        case "properties":
          return isRaw(value);
        case "nullable":
          return value === true;
        case "exclusiveMinimum":
        case "exclusiveMaximum":
          return typeof value === "boolean" &&
            schema[keyword.replace("exclusiveM", "m")] !== undefined;
        default:
          return ASSERTIONS.has(keyword);
      }
    });
  }

  #children(schema: Raw, keyword: string): unknown[] {
    const value = schema[keyword];
    if (LISTS.includes(keyword)) return value as unknown[];
    if (SINGLES.includes(keyword)) {
      return keyword === "additionalProperties" && this.#isReadOnly(value) ? [] : [value];
    }
    if (keyword !== "properties") return [];
    return Object.values(value as Raw).filter((property) => !this.#isReadOnly(property));
  }

  /** Whether some value passes a schema, of those that were counted. */
  canPass(schema: unknown): boolean {
    return this.#passes(schema);
  }

  /** Whether a schema says, itself or by what it is made of, that clients don't send its values. */
  isReadOnly(schema: unknown): boolean {
    return this.#isReadOnly(schema);
  }

  #isReadOnly(schema: unknown, visited: Set<Raw> = new Set()): boolean {
    const found = deref(this.#root, schema);
    if (!isRaw(found) || visited.has(found)) return false;
    visited.add(found);
    const members = Array.isArray(found["allOf"]) ? found["allOf"] : [];
    return found["readOnly"] === true ||
      members.some((member) => this.#isReadOnly(member, visited));
  }

  /** What a negation makes of a schema: Normal where it leads back to itself, else the reverse of what is settled. */
  #negate(schema: Raw, negated: unknown): "Normal" | "Positive" | "Negative" {
    const reached = new Set<Raw>();
    this.#reach(negated, reached);
    if (reached.has(schema)) return "Normal";
    const inner = new RawKeywords(this.#root);
    inner.#settle(reached);
    if (!inner.#passes(negated)) return "Positive";
    return inner.#fails(negated) ? "Normal" : "Negative";
  }

  #fails(schema: unknown): boolean {
    const found = deref(this.#root, schema);
    return isRaw(found) ? this.#canFail.get(found) ?? false : found === false;
  }

  #passes(schema: unknown): boolean {
    const found = deref(this.#root, schema);
    return isRaw(found) ? this.#canPass.get(found) ?? true : found !== false;
  }

  #judge(schema: Raw, keyword: string): "Normal" | "Positive" | "Negative" {
    const value = schema[keyword];
    const children = this.#children(schema, keyword);
    const some = children.some((child) => this.#fails(child));
    switch (keyword) {
      case "minLength":
      case "minItems":
      case "minProperties":
        return (value as number) <= 0 ? "Positive" : "Normal";
      case "uniqueItems":
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        return value === false ? "Positive" : "Normal";
      case "nullable":
        return "Positive";
      case "format":
        return formats.has(value as string) ? "Normal" : "Positive";
      case "pattern":
        return ANYTHING.has(value as string) ? "Positive" : "Normal";
      case "enum":
        return (value as unknown[]).length === 0 ? "Negative" : "Normal";
      case "required":
        return this.#required(schema).length === 0 ? "Positive" : "Normal";
      case "properties":
      case "items":
      case "additionalProperties":
        return some ? "Normal" : "Positive";
      case "allOf":
        if (!children.every((child) => this.#passes(child))) return "Negative";
        return some ? "Normal" : "Positive";
      case "anyOf":
        if (!children.some((child) => this.#passes(child))) return "Negative";
        return children.every((child) => this.#fails(child)) ? "Normal" : "Positive";
      case "oneOf": {
        const [only, ...others] = children.filter((child) => this.#passes(child));
        if (only === undefined) return "Negative";
        return others.length === 0 && !this.#fails(only) ? "Positive" : "Normal";
      }
      case "not":
        return this.#negate(schema, value);
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
