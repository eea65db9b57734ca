import type { Json } from "../../values/json.ts";
import { EvaluatedParts } from "../evaluated.ts";
import { type Check, type Evaluate, INVALID, VALID } from "../keywords/keyword.ts";
import type { UsableKeyword } from "../usable_keywords.ts";
import type { Rule } from "./cause.ts";
import type { CauseCollector } from "./cause_collector.ts";
import { chooseAlternative } from "./choose_alternative.ts";
import { keywordDefinitions } from "../keywords/keyword_definitions.ts";
import type { SchemaNode } from "../schema_node.ts";

/** True for assertions, alternatives, and applicators that hold a schema `false` or a list of names. */
export function canBeCause({ definition, value }: UsableKeyword, holdsFalse: boolean): boolean {
  const { failure, failsItself } = definition;
  if (failure === undefined || failure === "alternatives") return true;
  if (failure === "none") return false;
  if (holdsFalse || value === false) return true;
  if (failsItself === undefined) return false;
  return Object.values(value as object).some((demand) =>
    Array.isArray(demand) && demand.length > 0
  );
}

export function keywordCanBeCause(node: SchemaNode, keyword: string): boolean {
  const definition = keywordDefinitions.get(keyword);
  if (definition === undefined) return false;
  const value = node.schema[keyword];
  let holdsFalse = false;
  if (definition.failure === "schemas") {
    definition.subschemas?.(value, node, (schema) => holdsFalse ||= schema === false);
  }
  return canBeCause({ definition, value }, holdsFalse);
}

/** Returns the check of a reference; even a failing target marks evaluated parts, so that one fault has one cause. */
export function following(evaluate: Evaluate): Check {
  return (value, run, base, text, seen) => {
    const own = seen === undefined ? undefined : new EvaluatedParts();
    const valid = evaluate(value, run, base, text, own);
    if (own !== undefined) seen?.merge(own);
    return valid ? VALID : INVALID;
  };
}

/** Wraps a check whose causes are those of its schemas, or the keyword itself if these have none. */
export function passingOn(
  check: Check,
  rule: Rule,
  collector: CauseCollector,
  failsItself: (instance: Json) => boolean = () => false,
): Check {
  return (value, run, base, text, seen) => {
    const { size } = collector;
    collector.marked.push(seen);
    const outcome = check(value, run, base, text, seen);
    collector.marked.pop();
    if (outcome !== INVALID) collector.dropFrom(size);
    else if (collector.size === size || failsItself(value)) collector.add(rule);
    return outcome;
  };
}

/** Wraps the check of a keyword that can have other causes than itself, to add the causes of its failure. */
export function attributing(
  check: Check,
  { definition, value }: UsableKeyword,
  rule: Rule,
  collector: CauseCollector,
): Check {
  if (definition.countsItself === true) {
    return countingForSeveral(check, collector, definition.failure === undefined);
  }
  if (definition.failure === "schemas") {
    const failsItself = definition.failsItself;
    return passingOn(
      check,
      rule,
      collector,
      failsItself && ((instance) => failsItself(value, rule.node, instance)),
    );
  }
  if (definition.failure === "alternatives") return choosing(check, rule, collector);
  return (instance, run, base, text, seen) => {
    const { size } = collector;
    collector.tentative++;
    const outcome = check(instance, run, base, text, seen);
    collector.tentative--;
    collector.dropFrom(size);
    if (outcome === INVALID) collector.add(rule);
    return outcome;
  };
}

/** Wraps a check that counts for several keywords; `isTentative` if its schemas never cause its failure. */
function countingForSeveral(check: Check, collector: CauseCollector, isTentative: boolean): Check {
  return (value, run, base, text, seen) => {
    const { size } = collector;
    collector.begun.push({ size, dropped: false });
    collector.marked.push(seen);
    if (isTentative) collector.tentative++;
    const outcome = check(value, run, base, text, seen);
    if (isTentative) collector.tentative--;
    collector.marked.pop();
    collector.begun.pop();
    if (outcome !== INVALID) collector.dropFrom(size);
    else if (isTentative) collector.addFound(collector.takeFrom(size));
    return outcome;
  };
}

/** Wraps the check of `anyOf` or `oneOf`: the causes are those of the intended alternative, else the keyword itself. */
function choosing(check: Check, rule: Rule, collector: CauseCollector): Check {
  return (value, run, base, text, seen) => {
    const { size } = collector;
    const alternatives: typeof collector.alternatives[number] = [];
    collector.alternatives.push(alternatives);
    collector.tentative++;
    const outcome = check(value, run, base, text, seen);
    collector.tentative--;
    collector.alternatives.pop();
    collector.dropFrom(size);
    if (outcome !== INVALID) return outcome;
    // As in `following()`.
    if (seen !== undefined) {
      for (const { seen: marked } of alternatives) if (marked !== undefined) seen.merge(marked);
    }
    const schemas = alternatives.map(({ schema }) => schema);
    const chosen = alternatives.some(({ valid }) => valid)
      ? undefined
      : chooseAlternative(rule.node, schemas, value, run.scope);
    const found = chosen === undefined ? [] : alternatives[chosen]?.found ?? [];
    if (found.length > 0) collector.addFound(found);
    else collector.add(rule);
    return outcome;
  };
}
