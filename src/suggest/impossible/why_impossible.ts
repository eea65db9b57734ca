import { keywordDefinitions } from "../../schema/keywords/keyword_definitions.ts";
import { typesNamed } from "../../schema/keywords/type.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { referenced } from "../../schema/scope.ts";
import type { Json } from "../../values/json.ts";
import { ANY_TYPE, ARRAY, OBJECT, typeOf } from "../../values/json_type.ts";
import type { ExampleGoal, KeywordGoal } from "../goals.ts";
import { LEAST, match } from "../values/demand.ts";
import type { Facts } from "../values/facts.ts";
import { gatherFacts } from "../values/gather_facts.ts";
import type { ValueMaker } from "../values/value_maker.ts";
import { contradiction } from "./contradiction.ts";
import type { SchemaContext, SchemaContexts } from "./schema_contexts.ts";

/** What is known of a parameter whose goals no request has shown. */
export interface ImpossibleQuestion {
  readonly contexts: SchemaContexts;
  readonly maker: ValueMaker;
  /** Whole values that no request can carry. */
  readonly excluded: readonly Json[];
  /** True if a request can carry a whole value. */
  canWrite(value: Json): boolean;
}

const NOWHERE = "No value of the parameter has such a part in a request.";
const CLOSED = "Schemas that are closed around the property refuse it, so another rule is broken.";
const OTHER_TYPE = "In a request, such a value is never of that type.";
const OTHER_TYPES =
  "Several schemas of the place ask for the type, so none of them is broken alone.";
const CANNOT_WRITE = "The way in which the parameter is sent can't express the value.";
const BREAKS_SEVERAL = "The example breaks several rules of its schema.";
const NO_EMPTY = "The way in which the parameter is sent can't express an empty list or object.";

/** More series of decisions than this are not gone through. */
const MAX_ATTEMPTS = 64;

/** The reason why no request shows one side of a keyword and breaks no second rule; undefined if one may. */
export function whyNoKeyword(goal: KeywordGoal, question: ImpossibleQuestion): string | undefined {
  const { node, keyword, isValid } = goal;
  const types = typesOfSide(goal);
  return atAll(question, node, (context) => {
    const { position, isCertain, broken } = context;
    if ((position.types & types) === 0) return OTHER_TYPE;
    if (!isCertain) return undefined;
    if (broken + (isValid ? 0 : 1) > 1) return CLOSED;
    if (keyword === "type" && !isValid) {
      return isTypeBrokenTwice(context, position.types & types) ? OTHER_TYPES : undefined;
    }
    // A value that some schema's `type` refuses shows the other rules of that schema as well.
    if (isValid || (position.types & types & ~context.types) !== 0) return undefined;
    const possible = {
      types: position.types & types,
      excluded: context.isWhole ? question.excluded : [],
    };
    return whyNoFacts(node, keyword, context, (facts) => {
      const reason = contradiction(facts, possible);
      const empty = reason === undefined ? emptyOf(facts, possible.types) : undefined;
      if (empty === undefined || position.json) return reason;
      return question.canWrite(context.isWhole ? empty : { a: empty }) ? undefined : NO_EMPTY;
    });
  });
}

/** The reason why no request carries an example and breaks one rule at most; undefined if one may. */
export function whyNoExample(
  { value, schema_path }: ExampleGoal,
  isOwn: boolean,
  question: ImpossibleQuestion,
): string | undefined {
  const { contexts, maker } = question;
  return atAll(question, isOwn ? contexts.wholes() : contexts.exampleOf(schema_path), (context) => {
    const { position, isWhole, isCertain, broken, root } = context;
    // Outside JSON, examples other than these are compared with the text as well.
    const isCompared = position.json || typeof value === "object";
    if (isCompared && (typeOf(value) & position.types) === 0) return OTHER_TYPE;
    if (isWhole && !question.canWrite(value)) return CANNOT_WRITE;
    if (!isCertain) return undefined;
    if (broken > 1) return CLOSED;
    return maker.countBroken([match(root)], value) + broken > 1 ? BREAKS_SEVERAL : undefined;
  });
}

/** The reason that holds at one place, if there is one for all of them. */
function atAll(
  { contexts }: ImpossibleQuestion,
  of: SchemaNode | readonly SchemaContext[] | undefined,
  reasonAt: (context: SchemaContext) => string | undefined,
): string | undefined {
  const places = of === undefined || Array.isArray(of)
    ? of as readonly SchemaContext[] | undefined
    : contexts.of(of as SchemaNode);
  if (places === undefined) return undefined;
  let first: string | undefined;
  for (const place of places) {
    const reason = reasonAt(place);
    if (reason === undefined) return undefined;
    first ??= reason;
  }
  return first ?? NOWHERE;
}

/** The types of the values that show one side of a keyword. */
function typesOfSide({ node, keyword, isValid }: KeywordGoal): number {
  const definition = keywordDefinitions.get(keyword);
  const types = definition?.typesOf?.(node.schema[keyword]) ?? definition?.types ?? ANY_TYPE;
  if (keyword !== "type") return types;
  const named = typesNamed(node.schema["type"], node) ?? ANY_TYPE;
  return isValid ? named : ANY_TYPE & ~named;
}

/** The reason why each series of decisions leaves nothing. */
function whyNoFacts(
  node: SchemaNode,
  keyword: string,
  { root }: SchemaContext,
  reasonFor: (facts: Facts) => string | undefined,
): string | undefined {
  const demands = [match(root), match(node)];
  const wish = { ...LEAST, breaches: [{ node, keyword }] };
  let first: string | undefined;
  let attempts = 1;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const gathered = gatherFacts(demands, wish, attempt);
    attempts = Math.max(attempts, gathered.attempts);
    if (!gathered.isExact || attempts > MAX_ATTEMPTS) return undefined;
    const reason = reasonFor(gathered.facts);
    if (reason === undefined) return undefined;
    first ??= reason;
  }
  return first;
}

/** True if values of each of these types break the `type` of several schemas, none of which is part of another one. */
function isTypeBrokenTwice({ root, broken }: SchemaContext, types: number): boolean {
  for (let type = 1; type <= types; type *= 2) {
    if ((type & types) !== 0 && broken + refusals(root, type, new Set()) < 2) return false;
  }
  return true;
}

/** The number of schemas that refuse a type; what is in those counts for nothing. */
function refusals(schema: Subschema, type: number, seen: Set<SchemaNode>): number {
  if (typeof schema === "boolean" || seen.has(schema.plain)) return 0;
  seen.add(schema.plain);
  const named = typesNamed(schema.schema["type"], schema);
  if (named !== undefined && !schema.isReferenceOnly && (named & type) === 0) return 1;
  const all = schema.isReferenceOnly ? undefined : schema.schema["allOf"];
  const members = Array.isArray(all)
    ? all.map((member, index) => schema.member("allOf", String(index), member, true) ?? true)
    : [];
  return [...referenced(schema), ...members]
    .reduce((sum: number, one) => sum + refusals(one, type, seen), 0);
}

/** The empty array or object that alone is left. */
function emptyOf(facts: Facts, types: number): Json | undefined {
  const left = facts.types & types;
  if (left === ARRAY && facts.maxItems < 1) return [];
  return left === OBJECT && facts.maxProperties < 1 ? {} : undefined;
}
