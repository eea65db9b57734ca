import { mediaEssence } from "../../http/media_type.ts";
import type { ParameterPlan } from "../../map/parameter_plan.ts";
import { equal } from "../../schema/equal.ts";
import { memberSchemas } from "../../schema/in_place_schemas.ts";
import { keywordDefinitions } from "../../schema/keywords/keyword_definitions.ts";
import { codePoints } from "../../schema/keywords/strings.ts";
import { namedTypes } from "../../schema/keywords/type.ts";
import { compilePattern } from "../../schema/pattern.ts";
import { searchText } from "../../schema/pattern/find_text.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { referenced } from "../../schema/scope.ts";
import { getOrAdd } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import {
  ANY_NUMBER,
  ANY_TYPE,
  ARRAY,
  INTEGER,
  jsonType,
  OBJECT,
  STRING,
} from "../../values/json_type.ts";
import type { ExampleGoal, Goal, KeywordGoal } from "../goals.ts";
import { unsendableValues } from "../parameter_maker.ts";
import type { UnreachableGap } from "../suggestion.ts";
import { type Facts, match, MINIMAL } from "../values/facts.ts";
import { gatherFacts } from "../values/gather_facts.ts";
import type { ValueMaker } from "../values/value_maker.ts";
import { type SchemaContext, SchemaContexts } from "./schema_contexts.ts";

interface OpenParameter {
  readonly plan: ParameterPlan;
  readonly contexts: SchemaContexts;
}

const NOWHERE = "No value of the parameter has such a part in a request.";
const CLOSED = "Schemas that are closed around the property refuse it, so another rule is broken.";
const OTHER_TYPE = "In a request, such a value is never of that type.";
const OTHER_TYPES =
  "Several schemas of the place ask for the type, so none of them is broken alone.";
const CANNOT_WRITE = "The way in which the parameter is sent can't express the value.";
const BREAKS_SEVERAL = "The example breaks several rules of its schema.";
const NO_EMPTY = "The way in which the parameter is sent can't express an empty list or object.";

const MAX_ATTEMPTS = 64;

/** Returns the reason why a request that shows one side of a keyword breaks a second rule; undefined if one may not. */
function whyNoKeyword(
  goal: KeywordGoal,
  { plan, contexts }: OpenParameter,
  { canWrite }: FinishedSearch,
): string | undefined {
  const { node, keyword, isValid } = goal;
  const types = outcomeTypes(goal);
  return commonReason(contexts.of(node), (context) => {
    const { position, isCertain, broken } = context;
    if ((position.types & types) === 0) return OTHER_TYPE;
    if (!isCertain) return undefined;
    if (broken + (isValid ? 0 : 1) > 1) return CLOSED;
    if (keyword === "type" && !isValid) {
      return isTypeBrokenTwice(context, position.types & types) ? OTHER_TYPES : undefined;
    }
    // A value of a type that a schema refuses counts as breaking `type` alone, and shows its other keywords, too.
    if (isValid || (position.types & types & ~context.types) !== 0) return undefined;
    const excluded = context.isRoot ? unsendableValues(plan) : [];
    return whyNoValue(node, keyword, context, (facts) => {
      const remaining = facts.types & position.types & types;
      const reason = contradiction(facts, remaining, excluded);
      const empty = reason === undefined ? onlyEmptyValue(facts, remaining) : undefined;
      if (empty === undefined || position.json) return reason;
      return canWrite(plan, context.isRoot ? empty : { a: empty }) ? undefined : NO_EMPTY;
    });
  });
}

/** Returns the reason why no request with an example breaks at most one rule; undefined if one may. */
function whyNoExample(
  { value, schema_path }: ExampleGoal,
  { plan, contexts }: OpenParameter,
  { canWrite, maker }: FinishedSearch,
): string | undefined {
  const isOwn = plan.ownExamples.some((example) => example.schema_path === schema_path);
  const places = isOwn ? contexts.rootContexts() : contexts.exampleContexts(schema_path);
  return commonReason(places, (context) => {
    const { position, isRoot, isCertain, broken, root } = context;
    // Outside JSON, scalar examples are compared with the text, too, so that their type doesn't matter.
    const isCompared = position.json || typeof value === "object";
    if (isCompared && (jsonType(value) & position.types) === 0) return OTHER_TYPE;
    if (isRoot && !canWrite(plan, value)) return CANNOT_WRITE;
    if (!isCertain) return undefined;
    if (broken > 1) return CLOSED;
    return maker.countBroken([match(root)], value) + broken > 1 ? BREAKS_SEVERAL : undefined;
  });
}

/** Returns the reason of the first place if every place has a reason; else undefined. */
function commonReason(
  places: readonly SchemaContext[] | undefined,
  reasonAt: (context: SchemaContext) => string | undefined,
): string | undefined {
  if (places === undefined) return undefined;
  let first: string | undefined;
  for (const place of places) {
    const reason = reasonAt(place);
    if (reason === undefined) return undefined;
    first ??= reason;
  }
  return first ?? NOWHERE;
}

function outcomeTypes({ node, keyword, isValid }: KeywordGoal): number {
  const definition = keywordDefinitions.get(keyword);
  const types = definition?.typesFor?.(node.schema[keyword]) ?? definition?.types ?? ANY_TYPE;
  if (keyword !== "type") return types;
  const named = namedTypes(node.schema["type"], node) ?? ANY_TYPE;
  return isValid ? named : ANY_TYPE & ~named;
}

/** Returns a reason why no series of decisions leaves a value; undefined if one may. */
function whyNoValue(
  node: SchemaNode,
  keyword: string,
  { root }: SchemaContext,
  reasonFor: (facts: Facts) => string | undefined,
): string | undefined {
  const demands = [match(root), match(node)];
  const wish = { ...MINIMAL, breaches: [{ node, keyword }] };
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

/** True if values of each of the types break `type` in two or more schemas, none of which is part of another one. */
function isTypeBrokenTwice({ root, broken }: SchemaContext, types: number): boolean {
  for (let type = 1; type <= types; type *= 2) {
    if ((type & types) !== 0 && broken + countRefusals(root, type, new Set()) < 2) return false;
  }
  return true;
}

/** Counts the schemas that refuse a type; schemas within those don't count. */
function countRefusals(schema: Subschema, type: number, seen: Set<SchemaNode>): number {
  if (typeof schema === "boolean" || seen.has(schema.plain)) return 0;
  seen.add(schema.plain);
  const named = namedTypes(schema.schema["type"], schema);
  if (named !== undefined && !schema.isReferenceOnly && (named & type) === 0) return 1;
  const members = schema.isReferenceOnly ? [] : memberSchemas(schema, "allOf");
  return [...referenced(schema), ...members]
    .reduce((sum: number, one) => sum + countRefusals(one, type, seen), 0);
}

function onlyEmptyValue(facts: Facts, remaining: number): Json | undefined {
  if (remaining === ARRAY && facts.maxItems < 1) return [];
  return remaining === OBJECT && facts.maxProperties < 1 ? {} : undefined;
}

/**
 * Returns the reason why the demands of a place leave no value; undefined if they may leave one.
 *
 * @param excluded Values that can't be sent, whatever the schemas allow.
 */
function contradiction(
  facts: Facts,
  remaining: number,
  excluded: readonly Json[],
): string | undefined {
  if (facts.isImpossible || remaining === 0) {
    return "A value of another type breaks another rule as well.";
  }
  const excludedValues = [...facts.excluded, ...excluded];
  const isExcluded = (value: Json) => excludedValues.some((one) => equal(one, value));
  const { allowed } = facts;
  if (allowed !== undefined) {
    const hasValue = allowed.some((value) =>
      (jsonType(value) & remaining) !== 0 && !isExcluded(value) && fits(value, facts)
    );
    return hasValue ? undefined : "None of the values that `enum` or `const` lists shows it.";
  }
  switch (remaining) {
    case STRING:
      return textContradiction(facts, isExcluded);
    case ARRAY:
      return facts.minItems > facts.maxItems ? LIMITS : undefined;
    case OBJECT:
      return facts.minProperties > facts.maxProperties ? LIMITS : undefined;
    default:
      return (remaining & ~ANY_NUMBER) === 0 ? numberContradiction(facts, remaining) : undefined;
  }
}

const LIMITS = "The other limits leave no such value.";

function textContradiction(facts: Facts, isExcluded: (value: Json) => boolean): string | undefined {
  const { minLength, maxLength, patterns: accepts, notPatterns: refuses } = facts;
  if (minLength > maxLength || maxLength < 0) return LIMITS;
  if (maxLength === 0 && isExcluded("")) return "A path has no empty segment.";
  if (accepts.length + refuses.length === 0) {
    return maxLength > 0 || fits("", facts) ? undefined : "The other rules refuse an empty text.";
  }
  try {
    const wish = { accepts, refuses, minLength, maxLength, admits: () => true };
    if (!searchText(wish).isEmpty) return undefined;
  } catch {
    return undefined; // not a regular expression
  }
  return refuses.length > 0
    ? "Every text that the other rules allow matches the pattern."
    : "No text of such a length matches the pattern.";
}

const INTEGER_FORMATS: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

function numberContradiction(facts: Facts, types: number): string | undefined {
  const { minimum, maximum, isMinExclusive, isMaxExclusive, notFormats, notMultiples } = facts;
  const isPoint = minimum === maximum && (isMinExclusive || isMaxExclusive);
  if (minimum > maximum || isPoint) return LIMITS;
  if (types !== INTEGER) return undefined;
  const least = Math.ceil(minimum);
  const most = Math.floor(maximum);
  const from = isMinExclusive && least === minimum ? least + 1 : least;
  const to = isMaxExclusive && most === maximum ? most - 1 : most;
  if (from > to) return LIMITS;
  if (notMultiples.some((step) => step === 1)) return "Every whole number is a multiple of it.";
  const isFormat = notFormats.some((name) => {
    const size = INTEGER_FORMATS[name];
    return size !== undefined && from >= -size && to < size;
  });
  return isFormat ? "Every number between the other limits has the format." : undefined;
}

/** False if a value violates one of the demands on texts and numbers. */
function fits(value: Json, facts: Facts): boolean {
  if (!facts.matchesFormats(value)) return false;
  if (typeof value === "number") return facts.isInRange(value);
  if (typeof value !== "string") return true;
  const length = codePoints(value);
  return length >= facts.minLength && length <= facts.maxLength &&
    facts.patterns.every((source) => compilePattern(source)(value) !== false) &&
    facts.notPatterns.every((source) => compilePattern(source)(value) !== true);
}

interface FinishedSearch {
  readonly parameters: readonly ParameterPlan[];
  readonly maker: ValueMaker;
  /** The reasons why tries for a goal failed, by the goal's index. */
  readonly reasons: ReadonlyMap<number, string>;
  canWrite(plan: ParameterPlan, value: Json): boolean;
}

/** The reason for goals that the search never reached. */
const NOT_FOUND = "No request was found that has a value there.";
const NOT_LEFT_OUT = "No valid request was found that leaves it out.";
const ABSENCE_CLASSES: ReadonlySet<string> = new Set(["absent", "default_left_out"]);
const NO_MEDIA_TYPE = "No request can name that media type.";

export function explainOpen(goals: readonly Goal[], search: FinishedSearch): UnreachableGap[] {
  const contextsByPlan = new Map<ParameterPlan, SchemaContexts>();
  return goals.map((goal): UnreachableGap => {
    const { gap, index, parameter } = goal;
    const plan = search.parameters[parameter];
    let why: string | undefined;
    if (plan !== undefined) {
      const contexts = getOrAdd(contextsByPlan, plan, () => findContexts(plan));
      why = whyImpossible(goal, { plan, contexts }, search);
    }
    const reason = why ?? search.reasons.get(index) ??
      ("class" in gap && ABSENCE_CLASSES.has(gap.class) ? NOT_LEFT_OUT : NOT_FOUND);
    return { gap, reason, impossible: why !== undefined };
  });
}

/** True for a body of several whose media type isn't valid; the only body can be sent without Content-Type. */
function lacksMediaType(
  { model: { mediaType } }: ParameterPlan,
  { parameters }: FinishedSearch,
): boolean {
  return mediaType !== undefined && !/^[^\s/]+\/[^\s/]+$/.test(mediaEssence(mediaType)) &&
    parameters.filter(({ model: { location } }) => location === "body").length > 1;
}

function findContexts(
  { schema = true, itemSchema, positions, itemPositions }: ParameterPlan,
): SchemaContexts {
  return new SchemaContexts([
    ...positions.map((position) => ({ schema, position, isRoot: true })),
    ...itemSchema === undefined
      ? []
      : itemPositions.map((position) => ({ schema: itemSchema, position, isRoot: false })),
  ]);
}

function whyImpossible(
  goal: Goal,
  parameter: OpenParameter,
  search: FinishedSearch,
): string | undefined {
  if (lacksMediaType(parameter.plan, search)) return NO_MEDIA_TYPE;
  if ("keyword" in goal) return whyNoKeyword(goal as KeywordGoal, parameter, search);
  if ("schema_path" in goal) return whyNoExample(goal as ExampleGoal, parameter, search);
  return undefined;
}
