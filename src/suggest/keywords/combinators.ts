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
  if (name !== undefined) facts.preferred.set(propertyName, name);
}

/**
 * `anyOf` and `oneOf`: broken by a value that fails the alternative that it is made for, or all of them; `oneOf` also
 * by a value that matches several alternatives.
 */
export function alternatives(keyword: "anyOf" | "oneOf"): KeywordMaker {
  const isExclusive = keyword === "oneOf";
  return {
    hold(value, node, gathering) {
      const all = members(keyword, value, node);
      const chosen = gathering.choose(node, keyword, all.length);
      const others = all.filter((_, index) => index !== chosen);
      preferDiscriminator(node, all[chosen], gathering);
      gathering.facts.mayBeNumber ||= all.some(isNumber);
      gathering.hold(all[chosen] ?? true);
      if (!isExclusive) {
        if (!gathering.isAlone(node)) return;
        gathering.facts.alone.push(...others.map(mismatch));
      }
      // Most values that match one alternative match no other; this is demanded only if that fails.
      if (gathering.decide(2) === 1) { for (const other of others) gathering.refuse(other); }
    },
    ways: (value, node) => (isExclusive ? 2 : 1) * members(keyword, value, node).length + 1,
    fail(value, node, gathering, way) {
      const all = members(keyword, value, node);
      const second = way - all.length - 1;
      if (second >= 0) {
        gathering.hold(all[second] ?? true);
        gathering.hold(all[(second + 1) % all.length] ?? true);
      } else {
        const meant = all[way];
        for (const member of meant === undefined ? all : [meant]) gathering.refuse(member);
      }
    },
  };
}

export const not: KeywordMaker = {
  hold: (_value, node, gathering) => gathering.refuse(heldSchema("not", node, true)),
  fail: (_value, node, gathering) => gathering.hold(heldSchema("not", node, true)),
};

/** `if`: met by a value that matches the condition and `then`, or fails the condition and matches `else`. */
export const ifKeyword: KeywordMaker = {
  hold(_value, node, gathering) {
    const broken = BRANCHES.find((keyword) => gathering.breaks(node, keyword));
    const isMet = broken === undefined
      ? gathering.choose(node, "if", BRANCHES.length) === 0
      : broken === "then";
    holdCondition(node, gathering, isMet);
  },
  fail: (_value, node, gathering) => holdCondition(node, gathering, false),
};

const BRANCHES = ["then", "else"] as const;

function holdCondition(node: SchemaNode, gathering: Gathering, isMet: boolean): void {
  const condition = heldSchema("if", node, true);
  if (isMet) gathering.hold(condition);
  else gathering.refuse(condition);
  const taken = BRANCHES[isMet ? 0 : 1];
  if (taken === undefined || !(taken in node.schema)) return;
  const branch = heldSchema(taken, node, true);
  if (gathering.breaks(node, taken)) gathering.refuse(branch);
  else gathering.hold(branch);
}

/** `then` and `else`: handled by `if`, which decides between them. */
export const branchKeyword: KeywordMaker = { hold: () => {}, fail: () => {} };
