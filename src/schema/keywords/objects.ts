import type { Json, RawText } from "../../values/json.ts";
import { OBJECT } from "../../values/json_type.ts";
import type { EvaluatedParts } from "../evaluated_parts.ts";
import { compilePattern, type PatternTest } from "../pattern.ts";
import type { PropertyRange } from "../part_positions.ts";
import { isNotSent, notSentNames } from "../read_only_write_only.ts";
import type { EvaluationContext } from "../evaluation_context.ts";
import { isObject, type SchemaNode, type SchemaObject } from "../schema_node.ts";
import type { Branch, Check, Evaluate, KeywordDefinition, Outcome } from "./keyword.ts";
import {
  heldSchema,
  INVALID,
  limit,
  NOT_APPLICABLE,
  notASchema,
  singleSchema,
  VALID,
} from "./keyword.ts";
import { patternProblem } from "./strings.ts";

export type JsonObject = { readonly [key: string]: Json };

export function isJsonObject(instance: Json): instance is JsonObject {
  return typeof instance === "object" && instance !== null && !Array.isArray(instance);
}

function propertyText(text: RawText | undefined, name: string): RawText | undefined {
  return (text?.parts as Readonly<Record<string, RawText>> | undefined)?.[name];
}

/** Evaluates a property that isn't declared by name, so that its name may be personal data. */
export function evaluateProperty(
  { evaluate, offset }: Branch,
  object: JsonObject,
  name: string,
  run: EvaluationContext,
  base: number,
  text: RawText | undefined,
): boolean {
  const { fault } = run;
  const part = propertyText(text, name);
  const valid = evaluate(object[name] as Json, run, base + offset, part, undefined, name);
  if (!valid) run.addFaultStep("*", fault);
  return valid;
}

const MIN_CACHED_SIZE = 64;

function cacheSize(instance: JsonObject, size: number, run: EvaluationContext): void {
  if (size > MIN_CACHED_SIZE) (run.propertyCounts ??= new Map()).set(instance, size);
}

function countProperties(instance: JsonObject, run: EvaluationContext): number {
  const cached = run.propertyCounts?.get(instance);
  if (cached !== undefined) return cached;
  let count = 0;
  for (const _ in instance) count++;
  cacheSize(instance, count, run);
  return count;
}

function onObjects(test: (instance: JsonObject, run: EvaluationContext) => boolean): Check {
  return (instance, run): Outcome =>
    isJsonObject(instance) ? (test(instance, run) ? VALID : INVALID) : NOT_APPLICABLE;
}

/** `maxProperties` (JSON Schema Validation, section 6.5.1). */
export const maxProperties: KeywordDefinition = limit(
  "maxProperties",
  OBJECT,
  (most) => onObjects((instance, run) => countProperties(instance, run) <= most),
);

/** `minProperties` (JSON Schema Validation, section 6.5.2). */
export const minProperties: KeywordDefinition = limit(
  "minProperties",
  OBJECT,
  (least) => onObjects((instance, run) => countProperties(instance, run) >= least),
  true,
);

/** Returns the names that are required: all except those of properties that are not sent in this direction. */
export function requiredNames(value: unknown, node: SchemaNode): readonly string[] {
  const names = value as readonly string[];
  if (names.length === 0) return names;
  const notSent = notSentNames(node);
  if (notSent.size + node.optional.size === 0) return names;
  return names.filter((name) => !notSent.has(name) && !node.optional.has(name));
}

export function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** `required` (JSON Schema Validation, section 6.5.3). */
export const required: KeywordDefinition = {
  name: "required",
  types: OBJECT,
  problem: (value) => isNameList(value) ? undefined : "must be a list of property names",
  satisfiability: (value, node) => requiredNames(value, node).length === 0 ? "Positive" : "Normal",
  compile(value, node) {
    const names = requiredNames(value, node);
    return onObjects((instance) => {
      for (const name of names) if (!Object.hasOwn(instance, name)) return false;
      return true;
    });
  },
};

/** The branch of a property that isn't sent in this direction, and is not counted (semantics, section 4). */
export const NOT_SENT: Branch = { evaluate: () => true, offset: 0 };

/** `properties` (JSON Schema Core, section 10.3.2.1). */
export const properties: KeywordDefinition = {
  name: "properties",
  types: OBJECT,
  failure: "schemas",
  hasDisjointParts: true,
  assumedTypes: (value) => isObject(value) ? OBJECT : 0,
  problem: (value) => isObject(value) ? undefined : "must be an object whose members are schemas",
  flaws: (value, node) =>
    Object.entries(value as object).flatMap(([name, member]) =>
      node.member("properties", name, member, false) === undefined
        ? [{ name, problem: notASchema(member, node) }]
        : []
    ),
  subschemas(value, node, visit) {
    for (const name in value as object) {
      const schema = node.member("properties", name, (value as SchemaObject)[name], false);
      if (schema !== undefined && !isNotSent(schema)) visit(schema, "property", name);
    }
  },
  compile(value, node, compiler) {
    const parts: Part[] = [];
    for (const name in value as object) {
      const schema = node.member("properties", name, (value as SchemaObject)[name], false);
      if (schema === undefined) continue;
      const { evaluate, offset } = isNotSent(schema) ? NOT_SENT : compiler.part(schema);
      parts.push(name, evaluate, offset);
    }
    return checkParts(parts.slice(), node); // Without the spare capacity of an array that has grown.
  },
};

/** The name, the evaluation or the offset of a property: three parts per property, contiguous in memory. */
type Part = string | Evaluate | number;

/** The number of parts that are searched after the previous property: clients usually send them in order. */
const MAX_NEAR_PARTS = 3 * 8;

function checkParts(parts: readonly Part[], node: SchemaNode): Check {
  const { length } = parts;
  let indexes: Map<string, number> | undefined;
  const findPart = (name: string, from: number): number => {
    const end = Math.min(length, from + MAX_NEAR_PARTS);
    for (let at = from; at < end; at += 3) if (parts[at] === name) return at;
    if (length > MAX_NEAR_PARTS) return (indexes ??= indexParts(parts)).get(name) ?? -1;
    for (let at = 0; at < from; at += 3) if (parts[at] === name) return at;
    return -1;
  };
  return (instance, run, base, text, evaluated): Outcome => {
    if (!isJsonObject(instance)) return NOT_APPLICABLE;
    if (run.propertyCounts !== undefined && 3 * (run.propertyCounts.get(instance) ?? 0) > length) {
      return checkDeclared(parts, instance, run, base, text, evaluated, node);
    }
    const marks = propertyMarks(run, node, parts);
    let outcome: Outcome = NOT_APPLICABLE;
    let size = 0;
    let next = 0;
    for (const name in instance) {
      size++;
      const at = findPart(name, next);
      if (at < 0) continue;
      next = at + 3;
      const part = text === undefined ? undefined : propertyText(text, name);
      const evaluate = parts[at + 1] as Evaluate; // Each name is followed by its evaluation and offset.
      if (outcome === NOT_APPLICABLE && evaluate !== NOT_SENT.evaluate) outcome = VALID;
      const offset = parts[at + 2] as number;
      if (marks !== undefined) marks[at / 3] = 1;
      const { fault } = run;
      if (!evaluate(instance[name] as Json, run, base + offset, part, undefined, name)) {
        outcome = INVALID;
        run.addFaultStep(name, fault);
      }
      evaluated?.addProperty(name);
    }
    if (size > MIN_CACHED_SIZE) cacheSize(instance, size, run);
    return outcome;
  };
}

/** Returns the marks for the properties of a schema that occur; undefined if not measured. */
function propertyMarks(
  { counters: { properties } }: EvaluationContext,
  node: SchemaNode,
  parts: readonly Part[],
): Uint8Array | undefined {
  if (properties === undefined) return undefined;
  let entry = properties.get(node);
  if (entry === undefined) {
    const names: (string | undefined)[] = [];
    for (let at = 0; at < parts.length; at += 3) {
      names.push(parts[at + 1] === NOT_SENT.evaluate ? undefined : parts[at] as string);
    }
    properties.set(node, entry = { names, marks: new Uint8Array(names.length) });
  }
  return entry.marks;
}

/** Returns the names of the properties that a schema declares, except those that aren't sent in its direction. */
export function declaredNames(node: SchemaNode): readonly string[] {
  const { properties: declared } = node.schema;
  if (!node.dialect.keywords.has("properties") || !isObject(declared)) return [];
  return Object.keys(declared).filter((name) => {
    const schema = node.member("properties", name, declared[name], false);
    return schema !== undefined && !isNotSent(schema);
  });
}

function indexParts(parts: readonly Part[]): Map<string, number> {
  const indexes = new Map<string, number>();
  for (let at = 0; at < parts.length; at += 3) indexes.set(parts[at] as string, at);
  return indexes;
}

/** Checks `properties` on a large object: it looks up each declared property instead of visiting all properties. */
function checkDeclared(
  parts: readonly Part[],
  instance: JsonObject,
  run: EvaluationContext,
  base: number,
  text: RawText | undefined,
  evaluated: EvaluatedParts | undefined,
  node: SchemaNode,
): Outcome {
  const marks = propertyMarks(run, node, parts);
  let outcome: Outcome = NOT_APPLICABLE;
  for (let at = 0; at < parts.length; at += 3) {
    const name = parts[at] as string; // Each name is followed by its evaluation and offset.
    const evaluate = parts[at + 1] as Evaluate;
    const offset = parts[at + 2] as number;
    if (!Object.hasOwn(instance, name)) continue;
    if (marks !== undefined) marks[at / 3] = 1;
    if (outcome === NOT_APPLICABLE && evaluate !== NOT_SENT.evaluate) outcome = VALID;
    const part = text === undefined ? undefined : propertyText(text, name);
    const { fault } = run;
    if (!evaluate(instance[name] as Json, run, base + offset, part, undefined, name)) {
      outcome = INVALID;
      run.addFaultStep(name, fault);
    }
    evaluated?.addProperty(name);
  }
  return outcome;
}

function usablePatterns(node: SchemaNode) {
  const value = node.schema["patternProperties"];
  if (!node.dialect.keywords.has("patternProperties") || !isObject(value)) return [];
  const patterns = [];
  for (const source in value) {
    const schema = node.member("patternProperties", source, value[source], false);
    if (schema === undefined || patternProblem(source) !== undefined) continue;
    patterns.push({ source, test: compilePattern(source), schema });
  }
  return patterns;
}

/** `patternProperties` (JSON Schema Core, section 10.3.2.2). */
export const patternProperties: KeywordDefinition = {
  name: "patternProperties",
  types: OBJECT,
  failure: "schemas",
  problem: (value) => isObject(value) ? undefined : "must be an object whose members are schemas",
  flaws: (value, node) =>
    Object.entries(value as object).flatMap(([name, member]) => {
      const problem = patternProblem(name);
      if (problem !== undefined) return [{ name, problem: `has a name that ${problem}` }];
      return node.member("patternProperties", name, member, false) === undefined
        ? [{ name, problem: notASchema(member, node) }]
        : [];
    }),
  subschemas(_value, node, visit) {
    for (const { source, test, schema } of usablePatterns(node)) {
      if (isNotSent(schema)) continue;
      const has = (name: string) => test(name) === true;
      visit(schema, "property", { has, pattern: source, excluded: NO_PATTERNS });
    }
  },
  compile(_value, node, compiler) {
    const patterns = usablePatterns(node).map(({ test, schema }) => ({
      test,
      branch: isNotSent(schema) ? NOT_SENT : compiler.part(schema),
    }));
    return (instance, run, base, text, evaluated): Outcome => {
      if (!isJsonObject(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = NOT_APPLICABLE;
      for (const name in instance) {
        for (const { test, branch } of patterns) {
          const matches = test(name, run.patternBudget);
          if (matches !== true) {
            if (matches === false) continue;
            run.hasUntestedText = true;
            evaluated?.addProperty(name); // Other keywords can't judge it either.
            continue;
          }
          if (outcome === NOT_APPLICABLE && branch !== NOT_SENT) outcome = VALID;
          if (!evaluateProperty(branch, instance, name, run, base, text)) outcome = INVALID;
          evaluated?.addProperty(name);
        }
      }
      return outcome;
    };
  },
};

const NO_PATTERNS: ReadonlySet<string> = new Set();

export function undeclaredProperties(node: SchemaNode): PropertyRange {
  const declared = node.schema["properties"];
  const patterns = usablePatterns(node);
  return {
    has: (name) =>
      !(isObject(declared) && Object.hasOwn(declared, name)) &&
      !patterns.some(({ test }) => test(name) === true),
    pattern: undefined,
    excluded: new Set(patterns.map(({ source }) => source)),
  };
}

/** `additionalProperties` (JSON Schema Core, section 10.3.2.3). */
export const additionalProperties: KeywordDefinition = {
  ...singleSchema("additionalProperties", "property", undeclaredProperties),
  types: OBJECT,
  failure: "schemas",
  hasDisjointParts: true,
  compile(value, node, compiler) {
    const schema = heldSchema("additionalProperties", node);
    const declared = node.schema["properties"];
    const names = new Set(isObject(declared) ? Object.keys(declared) : []);
    const patterns = usablePatterns(node);
    const branch = isNotSent(schema) ? NOT_SENT : compiler.part(schema);
    const isClosed = value === false;
    return (instance, run, base, text, evaluated): Outcome => {
      if (!isJsonObject(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = isClosed ? VALID : NOT_APPLICABLE;
      let isUndecided = false;
      for (const name in instance) {
        if (names.has(name)) continue;
        const isMatched = patterns.length > 0 && matchesAny(patterns, name, run);
        if (isMatched === undefined) isUndecided = true;
        if (isMatched !== false) continue;
        if (outcome === NOT_APPLICABLE && branch !== NOT_SENT) outcome = VALID;
        if (!evaluateProperty(branch, instance, name, run, base, text)) outcome = INVALID;
        evaluated?.addProperty(name);
      }
      return isUndecided && outcome === VALID ? NOT_APPLICABLE : outcome;
    };
  },
};

/** True if a name matches one of the patterns; undefined if finding out takes too long. */
function matchesAny(
  patterns: readonly { readonly test: PatternTest }[],
  name: string,
  run: EvaluationContext,
): boolean | undefined {
  let result: boolean | undefined = false;
  for (const { test } of patterns) {
    const matches = test(name, run.patternBudget);
    if (matches === true) return true;
    if (matches === undefined) result = undefined;
  }
  if (result === undefined) run.hasUntestedText = true;
  return result;
}

/** `propertyNames` (JSON Schema Core, section 10.3.2.4). */
export const propertyNames: KeywordDefinition = {
  ...singleSchema("propertyNames", "name"),
  types: OBJECT,
  failure: "schemas",
  hasDisjointParts: true,
  compile(value, node, compiler) {
    const branch = compiler.name(heldSchema("propertyNames", node));
    const isClosed = value === false;
    return (instance, run, base): Outcome => {
      if (!isJsonObject(instance)) return NOT_APPLICABLE;
      let outcome: Outcome = isClosed ? VALID : NOT_APPLICABLE;
      for (const name in instance) {
        if (outcome === NOT_APPLICABLE) outcome = VALID;
        const { fault } = run;
        if (!branch.evaluate(name, run, base + branch.offset, undefined, undefined, name)) {
          outcome = INVALID;
          run.addFaultStep("*", fault);
        }
      }
      return outcome;
    };
  },
};
