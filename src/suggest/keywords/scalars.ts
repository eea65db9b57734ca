import { formats } from "../../schema/formats.ts";
import { namedTypes } from "../../schema/keywords/type.ts";
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
import type { SizeKind } from "../values/facts.ts";
import type { KeywordMaker } from "./keyword_maker.ts";
import { append } from "../../values/collections.ts";

/** The types to break `type` with, the plainest first. */
const OTHER_TYPES = [STRING, INTEGER, NUMBER, BOOLEAN, OBJECT, ARRAY, NULL];

function otherTypes(value: unknown, node: SchemaNode): number[] {
  const types = namedTypes(value, node) ?? ANY_TYPE;
  return OTHER_TYPES.filter((type) => (type & types) === 0);
}

export const type: KeywordMaker = {
  pass(value, node, { facts }) {
    facts.types &= namedTypes(value, node) ?? ANY_TYPE;
  },
  countWays: (value, node) => otherTypes(value, node).length,
  fail(value, node, { facts }, way) {
    facts.types &= otherTypes(value, node)[way] ?? 0;
  },
};

export const enumKeyword: KeywordMaker = {
  pass: (value, _node, { facts }) => facts.allowOnly(value as readonly Json[]),
  fail: (value, _node, { facts }) => void append(facts.excluded, value as readonly Json[]),
};

export const constKeyword: KeywordMaker = {
  pass: (value, _node, { facts }) => facts.allowOnly([value as Json]),
  fail: (value, _node, { facts }) => void facts.excluded.push(value as Json),
};

/** A bound of numbers: broken by a number beyond it. In Swagger 2.0 and OpenAPI 3.0, a boolean may exclude it. */
function bound(limit: "from" | "to", exclusive: string): KeywordMaker {
  return {
    pass(value, node, gathering) {
      const isExclusive = node.dialect.booleanBounds && node.schema[exclusive] === true &&
        !gathering.breaks(node, exclusive);
      gathering.facts[limit](value as number, isExclusive);
    },
    fail(value, _node, { facts }) {
      facts.relevantTypes |= ANY_NUMBER;
      facts[limit === "from" ? "to" : "from"](value as number, true);
    },
  };
}

/** An exclusive bound, as a number or as a boolean beside the bound: broken by the bound itself. */
function exclusiveBound(limit: "from" | "to", inclusive: string): KeywordMaker {
  return {
    pass(value, _node, { facts }) {
      if (typeof value === "number") facts[limit](value, true);
    },
    fail(value, node, { facts }) {
      const at = typeof value === "number" ? value : node.schema[inclusive];
      facts.relevantTypes |= ANY_NUMBER;
      if (typeof at !== "number") return;
      facts[limit === "from" ? "to" : "from"](at, false);
      if (typeof value !== "number") facts[limit](at, false);
    },
  };
}

export const minimum: KeywordMaker = bound("from", "exclusiveMinimum");
export const maximum: KeywordMaker = bound("to", "exclusiveMaximum");
export const exclusiveMinimum: KeywordMaker = exclusiveBound("from", "minimum");
export const exclusiveMaximum: KeywordMaker = exclusiveBound("to", "maximum");

export const multipleOf: KeywordMaker = {
  pass: (value, _node, { facts }) => void facts.multiples.push(value as number),
  fail(value, _node, { facts }) {
    facts.relevantTypes |= ANY_NUMBER;
    facts.notMultiples.push(value as number);
  },
};

export const pattern: KeywordMaker = {
  pass: (value, _node, { facts }) => void facts.patterns.push(value as string),
  fail(value, _node, { facts }) {
    facts.relevantTypes |= STRING;
    facts.notPatterns.push(value as string);
  },
};

export const format: KeywordMaker = {
  pass: (value, _node, { facts }) => void facts.formats.push(value as string),
  countWays: (value) => formats.has(value as string) ? 1 : 0,
  fail(value, _node, { facts }) {
    facts.relevantTypes |= formats.get(value as string)?.types ?? 0;
    facts.notFormats.push(value as string);
  },
};

/** A minimum length, or number of parts: broken by one less. */
export function atLeast(kind: SizeKind, type: number): KeywordMaker {
  return {
    pass: (value, _node, { facts }) => facts.limitSize(kind, value as number, Infinity),
    fail(value, _node, { facts }) {
      facts.relevantTypes |= type;
      facts.limitSize(kind, 0, Math.ceil(value as number) - 1);
    },
  };
}

/** A maximum length, or number of parts: broken by one more. */
export function atMost(kind: SizeKind, type: number): KeywordMaker {
  return {
    pass: (value, _node, { facts }) => facts.limitSize(kind, 0, value as number),
    fail(value, _node, { facts }) {
      facts.relevantTypes |= type;
      facts.limitSize(kind, Math.floor(value as number) + 1, Infinity);
    },
  };
}
