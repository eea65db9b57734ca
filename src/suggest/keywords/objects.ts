import { leftOver, requiredNames } from "../../schema/keywords/objects.ts";
import { compilePattern } from "../../schema/pattern.ts";
import type { PropertyRange } from "../../schema/position.ts";
import { isUnsent } from "../../schema/unsent.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { OBJECT } from "../../values/json_type.ts";
import { match, mismatch } from "../values/demand.ts";
import type { KeywordMaker } from "./keyword_maker.ts";

/** The schemas that a keyword holds by name; readOnly ones are left out, since clients don't send them. */
function namedSchemas(
  keyword: string,
  value: unknown,
  node: SchemaNode,
): readonly (readonly [name: string, schema: Subschema])[] {
  const found: [string, Subschema][] = [];
  const schemas = value as Readonly<Record<string, unknown>>;
  for (const name in schemas) {
    const schema = node.member(keyword, name, schemas[name], false);
    if (schema !== undefined && !isUnsent(schema)) found.push([name, schema]);
  }
  return found;
}

/** `properties`: broken by a property that fails its schema. */
export const properties: KeywordMaker = {
  hold(value, node, { facts }) {
    facts.aims |= OBJECT;
    for (const [name, schema] of namedSchemas("properties", value, node)) {
      facts.property(name, match(schema));
    }
    const schemas = value as Readonly<Record<string, unknown>>;
    for (const name in schemas) {
      const schema = node.member("properties", name, schemas[name], false);
      if (schema !== undefined && isUnsent(schema)) facts.forbidden.add(name);
    }
  },
  ways: (value, node) => namedSchemas("properties", value, node).length,
  fail(value, node, { facts }, way) {
    namedSchemas("properties", value, node).forEach(([name, schema], index) => {
      facts.property(name, index === way ? mismatch(schema) : match(schema));
      if (index === way) facts.required.add(name);
    });
  },
};

function matcherOf(source: string): (name: string) => boolean {
  const test = compilePattern(source);
  return (name) => test(name) === true;
}

/** `patternProperties`: broken by a property of such a name that fails its schema. */
export const patternProperties: KeywordMaker = {
  hold(value, node, { facts }) {
    for (const [source, schema] of usablePatterns(value, node)) {
      facts.propertyRules.push({ applies: matcherOf(source), demand: match(schema) });
    }
  },
  ways: (value, node) => usablePatterns(value, node).length,
  fail(value, node, { facts }, way) {
    usablePatterns(value, node).forEach(([source, schema], index) => {
      const applies = matcherOf(source);
      if (index !== way) facts.propertyRules.push({ applies, demand: match(schema) });
      else facts.wanted.push({ applies, pattern: source, demand: mismatch(schema) });
    });
    facts.aims |= OBJECT;
  },
};

function usablePatterns(
  value: unknown,
  node: SchemaNode,
): readonly (readonly [source: string, schema: Subschema])[] {
  return namedSchemas("patternProperties", value, node).filter(([source]) => {
    try {
      compilePattern(source);
      return true;
    } catch {
      return false; // a diagnostic says so
    }
  });
}

/** The names that an object may have beside those that the schema declares. */
function otherNames(node: SchemaNode): PropertyRange {
  return leftOver(node);
}

/** `additionalProperties`: broken by an undeclared property, one that fails its schema unless none is allowed. */
export const additionalProperties: KeywordMaker = {
  hold(_value, node, { facts }) {
    const schema = node.child("additionalProperties", false) ?? true;
    const range = otherNames(node);
    if (isUnsent(schema)) return;
    facts.propertyRules.push({ applies: (name) => range.has(name), demand: match(schema) });
    if (typeof schema === "object") facts.aims |= OBJECT;
  },
  ways: () => 1,
  fail(_value, node, { facts }) {
    const schema = node.child("additionalProperties", false) ?? true;
    const range = otherNames(node);
    facts.aims |= OBJECT;
    const applies = (name: string) => range.has(name);
    facts.wanted.push({ applies, pattern: undefined, demand: mismatch(schema) });
  },
};

/** `unevaluatedProperties`: likewise, for properties that no other schema of the place declares. */
export const unevaluatedProperties: KeywordMaker = {
  hold(_value, node, { facts }) {
    const schema = node.child("unevaluatedProperties", false) ?? true;
    if (!isUnsent(schema)) facts.otherProperties.push(match(schema));
  },
  ways: () => 1,
  fail(_value, node, { facts }) {
    const schema = node.child("unevaluatedProperties", false) ?? true;
    facts.aims |= OBJECT;
    const applies = (name: string) => !facts.properties.has(name);
    facts.wanted.push({ applies, pattern: undefined, demand: mismatch(schema) });
  },
};

/** `propertyNames`: broken by a property whose name fails the schema. */
export const propertyNames: KeywordMaker = {
  hold(_value, node, { facts }) {
    facts.names.push(match(node.child("propertyNames", false) ?? true));
  },
  ways: () => 1,
  fail(_value, node, { facts }) {
    facts.aims |= OBJECT;
    facts.names.push(mismatch(node.child("propertyNames", false) ?? true));
    facts.minProperties = Math.max(facts.minProperties, 1);
  },
};

/** `required`: broken by an object without one of the names. */
export const required: KeywordMaker = {
  hold(value, node, { facts }) {
    for (const name of requiredNames(value, node)) facts.required.add(name);
    facts.aims |= OBJECT;
  },
  ways: (value, node) => requiredNames(value, node).length,
  fail(value, node, { facts }, way) {
    facts.aims |= OBJECT;
    requiredNames(value, node).forEach((name, index) => {
      if (index === way) facts.forbidden.add(name);
      else facts.required.add(name);
    });
  },
};

/** `minProperties`: broken by an object with one property less. */
export const minProperties: KeywordMaker = {
  hold(value, _node, { facts }) {
    facts.minProperties = Math.max(facts.minProperties, value as number);
  },
  ways: () => 1,
  fail(value, _node, { facts }) {
    facts.aims |= OBJECT;
    facts.maxProperties = Math.min(facts.maxProperties, Math.ceil(value as number) - 1);
  },
};

/** `maxProperties`: broken by an object with one property more. */
export const maxProperties: KeywordMaker = {
  hold(value, _node, { facts }) {
    facts.maxProperties = Math.min(facts.maxProperties, value as number);
  },
  ways: () => 1,
  fail(value, _node, { facts }) {
    facts.aims |= OBJECT;
    facts.minProperties = Math.max(facts.minProperties, Math.floor(value as number) + 1);
  },
};
