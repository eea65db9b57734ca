import { heldSchema, listSchemas } from "../../schema/keywords/keyword.ts";
import { isObject, type SchemaNode, type Subschema } from "../../schema/schema_node.ts";
import { pointerTokens } from "../../values/json_pointer.ts";
import { mismatch } from "../values/facts.ts";
import type { Gathering, KeywordMaker } from "./keyword_maker.ts";

function members(keyword: string, value: unknown, node: SchemaNode): Subschema[] {
  return listSchemas(keyword, value, node, true) ?? [];
}

function isNumber(schema: Subschema): boolean {
  return typeof schema === "object" && /^(?:number|integer)$/.test(String(schema.schema["type"]));
}

/** Prefers the discriminator value of an alternative: servers choose by it (OpenAPI 3.1.1, section 4.8.25). */
function preferDiscriminator(
  node: SchemaNode,
  alternative: Subschema | undefined,
  { facts }: Gathering,
): void {
  const discriminator = node.schema["discriminator"];
  if (!isObject(discriminator) || typeof alternative !== "object") return;
  const { propertyName, mapping } = discriminator;
  const reference = alternative.schema["$ref"];
  if (typeof propertyName !== "string" || typeof reference !== "string") return;
  const mapped = isObject(mapping)
    ? Object.keys(mapping).find((name) => mapping[name] === reference)
    : undefined;
  const name = mapped ?? [...pointerTokens(reference.slice(reference.indexOf("#") + 1))].at(-1);
  if (name !== undefined) facts.discriminators.set(propertyName, name);
}

/**
 * `anyOf` and `oneOf`: broken by a value that fails the alternative that it is made for, or all of them; `oneOf` also
 * by a value that matches several alternatives.
 */
export function alternatives(keyword: "anyOf" | "oneOf"): KeywordMaker {
  const isExclusive = keyword === "oneOf";
  return {
    pass(value, node, gathering) {
      const schemas = members(keyword, value, node);
      const chosen = gathering.choose(node, keyword, schemas.length);
      const others = schemas.filter((_, index) => index !== chosen);
      preferDiscriminator(node, schemas[chosen], gathering);
      gathering.facts.mayBeNumber ||= schemas.some(isNumber);
      gathering.require(schemas[chosen] ?? true);
      if (!isExclusive) {
        if (!gathering.excludesOthers(node)) return;
        gathering.facts.otherAlternatives.push(...others.map(mismatch));
      }
      // Most values that match one alternative match no other; this is demanded only if that fails.
      if (gathering.decide(2) === 1) { for (const other of others) gathering.refuse(other); }
    },
    countWays: (value, node) => (isExclusive ? 2 : 1) * members(keyword, value, node).length + 1,
    fail(value, node, gathering, way) {
      const schemas = members(keyword, value, node);
      const second = way - schemas.length - 1;
      if (second >= 0) {
        gathering.require(schemas[second] ?? true);
        gathering.require(schemas[(second + 1) % schemas.length] ?? true);
      } else {
        const chosen = schemas[way];
        for (const member of chosen === undefined ? schemas : [chosen]) gathering.refuse(member);
      }
    },
  };
}

export const not: KeywordMaker = {
  pass: (_value, node, gathering) => gathering.refuse(heldSchema("not", node, true)),
  fail: (_value, node, gathering) => gathering.require(heldSchema("not", node, true)),
};

/** `if`: met by a value that matches the condition and `then`, or fails the condition and matches `else`. */
export const ifKeyword: KeywordMaker = {
  pass(_value, node, gathering) {
    const broken = BRANCHES.find((keyword) => gathering.breaks(node, keyword));
    const isMet = broken === undefined
      ? gathering.choose(node, "if", BRANCHES.length) === 0
      : broken === "then";
    demandCondition(node, gathering, isMet);
  },
  fail: (_value, node, gathering) => demandCondition(node, gathering, false),
};

const BRANCHES = ["then", "else"] as const;

function demandCondition(node: SchemaNode, gathering: Gathering, isMet: boolean): void {
  const condition = heldSchema("if", node, true);
  if (isMet) gathering.require(condition);
  else gathering.refuse(condition);
  const branchName = BRANCHES[isMet ? 0 : 1];
  if (branchName === undefined || !(branchName in node.schema)) return;
  const branch = heldSchema(branchName, node, true);
  if (gathering.breaks(node, branchName)) gathering.refuse(branch);
  else gathering.require(branch);
}

/** `then` and `else`: handled by `if`, which decides between them. */
export const branchKeyword: KeywordMaker = { pass: () => {}, fail: () => {} };
