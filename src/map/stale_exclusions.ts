import { keywordTable } from "../values/keyword_table.ts";
import { nearestName } from "../values/nearest_name.ts";
import { type Exclusion, type Exclusions, INDISTINGUISHABLE } from "./exclusions.ts";
import type { Statistic } from "./results.ts";
import type { ScopeRule } from "./scope_pattern.ts";

export interface StaleContext {
  readonly exclusions: Exclusions;
  /** The statistic of what the exclusion leaves out. */
  readonly excluded: Statistic;
  readonly measured: boolean;
  /** The date of the report, such as `2027-01-31`. */
  readonly today: string;
}

/** Returns a sentence about why to change or remove an exclusion; null if it is up to date. */
export function staleSentence(index: number, context: StaleContext): string | null {
  const { exclusions, today } = context;
  const exclusion = exclusions.list[index];
  if (exclusion === undefined || exclusion.pattern === INDISTINGUISHABLE) return null;
  const problem = exclusions.problem(index);
  if (problem !== undefined) return `${title(exclusion)} leaves nothing out. ${problem}`;
  const rule = exclusions.rules.exclude[index];
  const isNotIncluded = rule === undefined && exclusion.schema_path === undefined;
  if (isNotIncluded) return staleIncludesSentence(exclusions, today);
  if (!exclusions.isMatched(index)) return unmatchedSentence(title(exclusion), rule, exclusions);
  if (exclusion.until !== null && exclusion.until < today) {
    return `${title(exclusion)} ${expiryText(exclusion.until)}`;
  }
  if (isCovered(context)) {
    return `Everything that ${lower(title(exclusion))} leaves out is covered. Remove it.`;
  }
  return null;
}

function staleIncludesSentence(exclusions: Exclusions, today: string): string | null {
  const sentences = exclusions.rules.include.flatMap((rule) => {
    const name = `The include pattern "${rule.pattern}" (${rule.source})`;
    if (!exclusions.isMatched(rule)) return [unmatchedSentence(name, rule, exclusions)];
    return rule.until !== null && rule.until < today ? [`${name} ${expiryText(rule.until)}`] : [];
  });
  return sentences.length === 0 ? null : sentences.join(" ");
}

function unmatchedSentence(
  name: string,
  rule: ScopeRule | undefined,
  exclusions: Exclusions,
): string {
  if (rule === undefined) return `${name} leaves nothing out that covtool counts. Remove it.`;
  const nearest = nearestPart(rule, exclusions);
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return `${name} matches nothing.${hint}`;
}

function expiryText(until: string): string {
  return `was meant until ${until}. Remove it or set a later date.`;
}

function title({ pattern, source }: Exclusion): string {
  return `The exclusion "${pattern}" (${source})`;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** True if nothing that is left out would be a gap. */
function isCovered({ excluded, measured }: StaleContext): boolean {
  const { operations, parameters, keywords, examples, responses } = excluded;
  const sum = operations.total + parameters.total + keywords.total + examples.total +
    responses.total;
  // `not_measured` of parameters covers their keywords and examples.
  return sum > 0 && parameters.not_measured === undefined && operations.seen === operations.total &&
    parameters.seen === parameters.total &&
    keywords.full === keywords.total && examples.seen === examples.total &&
    (responses.total === 0 || (measured && responses.seen === responses.total));
}

function nearestPart({ pattern, matcher }: ScopeRule, { plan }: Exclusions): string | undefined {
  const names = new Set<string>();
  for (const { model, parameters } of plan.operations) {
    switch (matcher.kind) {
      case "path":
        names.add(/^\S+\s/.test(pattern) ? `${model.method} ${model.path}` : model.path);
        break;
      case "tag":
        for (const tag of model.tags) names.add(`tag:${tag}`);
        break;
      case "operation":
        if (model.operationId !== null) names.add(`operation:${model.operationId}`);
        break;
      case "response":
        for (const { status_code } of model.responses) names.add(`response:${status_code}`);
        break;
      case "parameter":
        for (const { model: { location, name } } of parameters) {
          names.add(`parameter:${matcher.location === undefined ? "" : `${location}:`}${name}`);
        }
        break;
    }
  }
  if (matcher.kind === "keyword") {
    for (const name of keywordTable.keys()) names.add(`keyword:${name}`);
  }
  names.delete(pattern);
  if (matcher.kind !== "path") {
    // The common prefix is not part of the comparison.
    const kind = pattern.slice(0, pattern.indexOf(":") + 1);
    const name = nearestName(
      pattern.slice(kind.length),
      [...names].map((other) => other.slice(kind.length)),
    );
    return name === undefined ? undefined : kind + name;
  }
  // Names of path parameters don't matter for similarity.
  const withoutNames = (text: string) => text.replaceAll(/\{[^{}]*\}/g, "{}");
  const sameTemplate = [...names].find((name) => withoutNames(name) === withoutNames(pattern));
  return sameTemplate ?? nearestName(pattern, names);
}
