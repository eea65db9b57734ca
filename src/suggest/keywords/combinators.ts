import { heldSchema, listSchemas } from "../../schema/keywords/keyword.ts";
import { isObject, type SchemaNode, type Subschema } from "../../schema/schema_node.ts";
import { pointerTokens } from "../../values/json_pointer.ts";
import { mismatch } from "../values/facts.ts";
import type { Gathering, KeywordMaker } from "./keyword_maker.ts";

function members(keyword: string, value: unknown, node: SchemaNode): Subschema[] {
  return listSchemas(keyword, value, node, true) ?? [];
}

/** `allOf`: broken in one of its schemas. */
export const allOf: KeywordMaker = {
  hold: (value, node, gathering) =>
    members("allOf", value, node).forEach((member) => gathering.hold(member)),
  ways: (value, node) => members("allOf", value, node).length,
  fail(value, node, gathering, way) {
    members("allOf", value, node).forEach((member, index) =>
      index === way ? gathering.refuse(member) : gathering.hold(member)
    );
  },
};

function holdOne(keyword: string, value: unknown, node: SchemaNode, gathering: Gathering): number {
  const alternatives = members(keyword, value, node);
  const chosen = gathering.choose(node, keyword, alternatives.length);
  preferDiscriminator(node, alternatives[chosen], gathering);
  gathering.facts.mayBeNumber ||= alternatives.some(isNumber);
  gathering.hold(alternatives[chosen] ?? true);
  return chosen;
}

function refuseAll(keyword: string, value: unknown, node: SchemaNode, gathering: Gathering): void {
  members(keyword, value, node).forEach((member) => gathering.refuse(member));
}

function refuseOthers(
  keyword: string,
  chosen: number,
  value: unknown,
  node: SchemaNode,
  gathering: Gathering,
): void {
  members(keyword, value, node).forEach((member, index) => {
    if (index !== chosen) gathering.refuse(member);
  });
}

function isNumber(schema: Subschema): boolean {
  return typeof schema === "object" && /^(?:number|integer)$/.test(String(schema.schema["type"]));
}

/** Prefers the value of `discriminator` that names an alternative: servers choose by it (OpenAPI 3.1.1, section 4.8.25). */
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

/** `anyOf`: broken by a value that matches none. */
export const anyOf: KeywordMaker = {
  hold(value, node, gathering) {
    const chosen = holdOne("anyOf", value, node, gathering);
    if (!gathering.isAlone(node)) return;
    const others = members("anyOf", value, node).filter((_, index) => index !== chosen);
    gathering.facts.alone.push(...others.map(mismatch));
    // Here too, most values match no other.
    if (gathering.decide(2) === 1) refuseOthers("anyOf", chosen, value, node, gathering);
  },
  ways: (value, node) => members("anyOf", value, node).length + 1,
  fail: (value, node, gathering, way) => failAlternatives("anyOf", value, node, gathering, way),
};

/** One of the alternatives is missed, which the value is meant for; or all of them are. */
function failAlternatives(
  keyword: string,
  value: unknown,
  node: SchemaNode,
  gathering: Gathering,
  way: number,
): void {
  const alternatives = members(keyword, value, node);
  const meant = alternatives[way];
  if (meant === undefined) refuseAll(keyword, value, node, gathering);
  else gathering.refuse(meant);
}

/** `oneOf`: broken by a value that matches none, or several. */
export const oneOf: KeywordMaker = {
  hold(value, node, gathering) {
    const chosen = holdOne("oneOf", value, node, gathering);
    // Most values that match one match no other; those that have to be made so come second.
    if (gathering.decide(2) === 1) refuseOthers("oneOf", chosen, value, node, gathering);
  },
  ways: (value, node) => 2 * members("oneOf", value, node).length + 1,
  fail(value, node, gathering, way) {
    const alternatives = members("oneOf", value, node);
    const second = way - alternatives.length - 1;
    if (second < 0) return failAlternatives("oneOf", value, node, gathering, way);
    gathering.hold(alternatives[second] ?? true);
    gathering.hold(alternatives[(second + 1) % alternatives.length] ?? true);
  },
};

/** `not`: broken by a value that matches its schema. */
export const not: KeywordMaker = {
  hold: (_value, node, gathering) => gathering.refuse(heldSchema("not", node, true)),
  fail: (_value, node, gathering) => gathering.hold(heldSchema("not", node, true)),
};

/** `if`: with a value that meets the condition and its `then`, or one that doesn't and its `else`. */
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

/** `then` and `else`: `if` sees to them, as it knows which of them counts. */
export const branchKeyword: KeywordMaker = { hold: () => {}, fail: () => {} };
