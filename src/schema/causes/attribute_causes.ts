import type { Json } from "../../values/json.ts";
import { EvaluatedParts } from "../evaluated_parts.ts";
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
export function referenceCheck(evaluate: Evaluate): Check {
  return (value, run, base, text, evaluated) => {
    const parts = evaluated === undefined ? undefined : new EvaluatedParts();
    const valid = evaluate(value, run, base, text, parts);
    if (parts !== undefined) evaluated?.merge(parts);
    return valid ? VALID : INVALID;
  };
}

/** Wraps a check whose causes are those of its schemas, or the keyword itself if these have none. */
export function passCauses(
  check: Check,
  rule: Rule,
  collector: CauseCollector,
  failsItself: (instance: Json) => boolean = () => false,
): Check {
  return (value, run, base, text, evaluated) => {
    const { size } = collector;
    collector.evaluatedParts.push(evaluated);
    const outcome = check(value, run, base, text, evaluated);
    collector.evaluatedParts.pop();
    if (outcome !== INVALID) collector.dropFrom(size);
    else if (collector.size === size || failsItself(value)) collector.add(rule);
    return outcome;
  };
}

export function withCauses(
  check: Check,
  { definition, value }: UsableKeyword,
  rule: Rule,
  collector: CauseCollector,
): Check {
  if (definition.countsItself === true) {
    return withSeveralRules(check, collector, definition.failure === undefined);
  }
  if (definition.failure === "schemas") {
    const failsItself = definition.failsItself;
    return passCauses(
      check,
      rule,
      collector,
      failsItself && ((instance) => failsItself(value, rule.node, instance)),
    );
  }
  if (definition.failure === "alternatives") return withAlternativeCauses(check, rule, collector);
  return (instance, run, base, text, evaluated) => {
    const { size } = collector;
    collector.tentativeLevels++;
    const outcome = check(instance, run, base, text, evaluated);
    collector.tentativeLevels--;
    collector.dropFrom(size);
    if (outcome === INVALID) collector.add(rule);
    return outcome;
  };
}

/** Wraps a check that counts for several keywords; `isTentative` if its schemas never cause its failure. */
function withSeveralRules(check: Check, collector: CauseCollector, isTentative: boolean): Check {
  return (value, run, base, text, evaluated) => {
    const { size } = collector;
    collector.openChecks.push({ size, dropped: false });
    collector.evaluatedParts.push(evaluated);
    if (isTentative) collector.tentativeLevels++;
    const outcome = check(value, run, base, text, evaluated);
    if (isTentative) collector.tentativeLevels--;
    collector.evaluatedParts.pop();
    collector.openChecks.pop();
    if (outcome !== INVALID) collector.dropFrom(size);
    else if (isTentative) collector.addAll(collector.removeFrom(size));
    return outcome;
  };
}

/** Wraps the check of `anyOf` or `oneOf`: the causes are those of the intended alternative, else the keyword itself. */
function withAlternativeCauses(check: Check, rule: Rule, collector: CauseCollector): Check {
  return (value, run, base, text, evaluated) => {
    const { size } = collector;
    const alternatives: typeof collector.alternatives[number] = [];
    collector.alternatives.push(alternatives);
    collector.tentativeLevels++;
    const outcome = check(value, run, base, text, evaluated);
    collector.tentativeLevels--;
    collector.alternatives.pop();
    collector.dropFrom(size);
    if (outcome !== INVALID) return outcome;
    // As in `referenceCheck()`.
    if (evaluated !== undefined) {
      for (const { evaluated: parts } of alternatives) {
        if (parts !== undefined) evaluated.merge(parts);
      }
    }
    const schemas = alternatives.map(({ schema }) => schema);
    const chosen = alternatives.some(({ valid }) => valid)
      ? undefined
      : chooseAlternative(rule.node, schemas, value, run.scope);
    const causes = chosen === undefined ? [] : alternatives[chosen]?.causes ?? [];
    if (causes.length > 0) collector.addAll(causes);
    else collector.add(rule);
    return outcome;
  };
}
