import { typesNamed } from "../../schema/keywords/type.ts";
import type { SchemaNode } from "../../schema/schema_node.ts";
import type { Json } from "../../values/json.ts";
import {
  ANY_NUMBER,
  ANY_TYPE,
  ARRAY,
  BOOLEAN,
  INTEGER,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
} from "../../values/json_type.ts";
import type { Gathering, KeywordMaker } from "./keyword_maker.ts";

/** The types to break `type` with, the plainest first. */
const OTHER_TYPES = [STRING, INTEGER, NUMBER, BOOLEAN, OBJECT, ARRAY, NULL];

function otherTypes(value: unknown, node: SchemaNode): number[] {
  const types = typesNamed(value, node) ?? ANY_TYPE;
  return OTHER_TYPES.filter((type) => (type & types) === 0);
}

/** `type`: broken by a value of another type. */
export const type: KeywordMaker = {
  hold(value, node, { facts }) {
    facts.types &= typesNamed(value, node) ?? ANY_TYPE;
  },
  ways: (value, node) => otherTypes(value, node).length,
  fail(value, node, { facts }, way) {
    facts.types &= otherTypes(value, node)[way] ?? 0;
  },
};

/** `enum`: broken by a value that isn't listed. */
export const enumKeyword: KeywordMaker = {
  hold: (value, _node, { facts }) => facts.admit(value as readonly Json[]),
  ways: () => 1,
  fail: (value, _node, { facts }) => void facts.excluded.push(...value as readonly Json[]),
};

/** `const`: broken by another value. */
export const constKeyword: KeywordMaker = {
  hold: (value, _node, { facts }) => facts.admit([value as Json]),
  ways: () => 1,
  fail: (value, _node, { facts }) => void facts.excluded.push(value as Json),
};

/** True if the bound next to it excludes itself (OpenAPI 3.0 and Swagger 2.0), and is to. */
function isExclusive(node: SchemaNode, keyword: string, gathering: Gathering): boolean {
  return node.dialect.booleanBounds && node.schema[keyword] === true &&
    !gathering.breaks(node, keyword);
}

/** `minimum`: broken by a smaller number. */
export const minimum: KeywordMaker = {
  hold: (value, node, gathering) =>
    gathering.facts.from(value as number, isExclusive(node, "exclusiveMinimum", gathering)),
  ways: () => 1,
  fail(value, _node, { facts }) {
    facts.aims |= ANY_NUMBER;
    facts.to(value as number, true);
  },
};

/** `maximum`: broken by a greater number. */
export const maximum: KeywordMaker = {
  hold: (value, node, gathering) =>
    gathering.facts.to(value as number, isExclusive(node, "exclusiveMaximum", gathering)),
  ways: () => 1,
  fail(value, _node, { facts }) {
    facts.aims |= ANY_NUMBER;
    facts.from(value as number, true);
  },
};

/** `exclusiveMinimum`, a number or next to its bound: broken by the bound itself. */
export const exclusiveMinimum: KeywordMaker = {
  hold(value, _node, { facts }) {
    if (typeof value === "number") facts.from(value, true);
  },
  ways: () => 1,
  fail(value, node, { facts }) {
    const limit = typeof value === "number" ? value : node.schema["minimum"];
    facts.aims |= ANY_NUMBER;
    if (typeof limit === "number") facts.to(limit, false);
    if (typeof value !== "number" && typeof limit === "number") facts.from(limit, false);
  },
};

/** `exclusiveMaximum`, likewise. */
export const exclusiveMaximum: KeywordMaker = {
  hold(value, _node, { facts }) {
    if (typeof value === "number") facts.to(value, true);
  },
  ways: () => 1,
  fail(value, node, { facts }) {
    const limit = typeof value === "number" ? value : node.schema["maximum"];
    facts.aims |= ANY_NUMBER;
    if (typeof limit === "number") facts.from(limit, false);
    if (typeof value !== "number" && typeof limit === "number") facts.to(limit, false);
  },
};

/** `multipleOf`: broken by a number between two multiples. */
export const multipleOf: KeywordMaker = {
  hold: (value, _node, { facts }) => void facts.multiples.push(value as number),
  ways: () => 1,
  fail(value, _node, { facts }) {
    facts.aims |= ANY_NUMBER;
    facts.notMultiples.push(value as number);
  },
};

/** `minLength`: broken by a text with one character less. */
export const minLength: KeywordMaker = {
  hold(value, _node, { facts }) {
    facts.minLength = Math.max(facts.minLength, value as number);
  },
  ways: () => 1,
  fail(value, _node, { facts }) {
    facts.aims |= STRING;
    facts.maxLength = Math.min(facts.maxLength, Math.ceil(value as number) - 1);
  },
};

/** `maxLength`: broken by a text with one character more. */
export const maxLength: KeywordMaker = {
  hold(value, _node, { facts }) {
    facts.maxLength = Math.min(facts.maxLength, value as number);
  },
  ways: () => 1,
  fail(value, _node, { facts }) {
    facts.aims |= STRING;
    facts.minLength = Math.max(facts.minLength, Math.floor(value as number) + 1);
  },
};

/** `pattern`: broken by a text that it doesn't match. */
export const pattern: KeywordMaker = {
  hold: (value, _node, { facts }) => void facts.patterns.push(value as string),
  ways: () => 1,
  fail(value, _node, { facts }) {
    facts.aims |= STRING;
    facts.notPatterns.push(value as string);
  },
};
