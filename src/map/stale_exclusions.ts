import { keywordTable } from "../values/keyword_table.ts";
import { nearestName } from "../values/nearest_name.ts";
import { type Exclusion, type Exclusions, INDISTINGUISHABLE } from "./exclusions.ts";
import type { Statistic } from "./results.ts";
import type { ScopeRule } from "./scope_pattern.ts";
import type { ExclusionTallies } from "./statistic.ts";

/** The exclusions of an API, after all of its operations were counted. */
export interface UsedExclusions {
  readonly exclusions: Exclusions;
  /** The statistics of what each exclusion leaves out. */
  readonly excluded: ExclusionTallies;
  readonly measured: boolean;
}

/**
 * Returns a sentence about why to change or remove an exclusion; null if it is up to date.
 *
 * @param today The date of the report, such as `2027-01-31`.
 * @param elsewhere The exclusions of other APIs. One that several share is needed if one of them needs it.
 */
export function staleSentence(
  index: number,
  today: string,
  own: UsedExclusions,
  elsewhere: () => readonly UsedExclusions[],
): string | null {
  const { exclusions } = own;
  const exclusion = exclusions.list[index];
  if (exclusion === undefined || exclusion.pattern === INDISTINGUISHABLE) return null;
  const problem = exclusions.problem(index);
  if (problem !== undefined) return `${title(exclusion)} leaves nothing out. ${problem}`;
  const rule = exclusions.rules.exclude[index];
  const isNotIncluded = rule === undefined && exclusion.schema_path === undefined;
  if (isNotIncluded) return staleIncludesSentence(exclusions, today, elsewhere);
  const isElsewhere = (test: (index: number, used: UsedExclusions) => boolean): boolean =>
    elsewhere().some((used) =>
      used.exclusions.list.some((one, at) =>
        isSame(one, exclusion) && one.schema_path === exclusion.schema_path && test(at, used)
      )
    );
  if (!exclusions.isMatched(index)) {
    const isMatched = isElsewhere((at, used) => used.exclusions.isMatched(at));
    return isMatched ? null : unmatchedSentence(title(exclusion), rule, exclusions);
  }
  if (exclusion.until !== null && exclusion.until < today) {
    return `${title(exclusion)} ${expiryText(exclusion.until)}`;
  }
  if (
    leavesOut(own.excluded.tally(index)) && !hasGap(index, own) && !isElsewhere(hasGap) &&
    !exclusions.isInResponses(index)
  ) {
    return `Everything that ${lower(title(exclusion))} leaves out is covered. Remove it.`;
  }
  return null;
}

type RuleName = Pick<ScopeRule, "pattern" | "source">;

function isSame(one: RuleName, other: RuleName): boolean {
  return one.pattern === other.pattern && one.source === other.source;
}

function staleIncludesSentence(
  exclusions: Exclusions,
  today: string,
  elsewhere: () => readonly UsedExclusions[],
): string | null {
  const sentences = exclusions.rules.include.flatMap((rule) => {
    const name = `The include pattern "${rule.pattern}" (${rule.source})`;
    if (!exclusions.isMatched(rule)) {
      const isMatchedElsewhere = elsewhere().some(({ exclusions }) =>
        exclusions.rules.include.some((one) => isSame(one, rule) && exclusions.isMatched(one))
      );
      return isMatchedElsewhere ? [] : [unmatchedSentence(name, rule, exclusions)];
    }
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

function leavesOut(excluded: Statistic): boolean {
  return Object.values(excluded).some(({ total }) => total > 0);
}

/** True if something that an exclusion leaves out would be a gap. */
function hasGap(index: number, { excluded, measured }: UsedExclusions): boolean {
  const { operations, parameters, keywords, examples, responses } = excluded.tally(index);
  // `not_measured` of parameters covers their keywords and examples.
  return parameters.not_measured !== undefined || operations.seen < operations.total ||
    parameters.seen < parameters.total || keywords.full < keywords.total ||
    examples.seen < examples.total || responses.seen < responses.total ||
    (responses.total > 0 && !measured);
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
