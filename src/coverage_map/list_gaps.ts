import { coveredOperations } from "../map/coverage.ts";
import type { Gap } from "../map/results.ts";
import { locatePaths } from "../openapi/locate.ts";
import { keywordValues } from "../report/build/build_description_view.ts";
import type { GapList, ListedGap } from "../report/gap_list.ts";
import { sourcePath } from "../report/source/source_path.ts";
import { gapText } from "../report/text/gap_text.ts";
import { findGaps, normalizeId } from "../suggest/find_gaps.ts";
import { GapWatch } from "../suggest/gap_watch.ts";
import { GAP_KINDS } from "../suggest/goals.ts";
import type { SuggestError } from "../suggest/suggestion.ts";
import { selectKinds } from "../suggest/suggest_requests.ts";
import { selectOperations } from "../suggest/select_operations.ts";
import { operationName } from "../values/operation_name.ts";
import type { ApiMaps } from "./api_maps.ts";
import type { MeasuredApi } from "./measured_api.ts";
import { suggestFor } from "./suggest_for.ts";

export interface ListGapsOptions {
  /** The ids of the gaps to list (default: all). */
  readonly gaps?: readonly string[] | undefined;
  /** The operations whose gaps are listed, by operationId or as `GET /path` (default: all). */
  readonly operations?: readonly string[] | undefined;
  readonly kinds?: readonly Gap["kind"][] | undefined;
  /** The maximum number of gaps; those worth closing first are kept. */
  readonly limit: number;
  /** The URL before the paths of requests. */
  readonly server?: string | undefined;
  /** Production traffic: gaps that it would close often come first. */
  readonly production?: MeasuredApi | undefined;
  readonly workingDirectory?: string | undefined;
}

/**
 * Returns the gaps worth closing first, each with the request that closes it.
 *
 * They are sorted by how often production has what is missing, if known; then operations, parameters and other gaps, in
 * descending order of what closing them gains; then in document order.
 *
 * @throws {SuggestError} if an operation or a gap is unknown, or the server isn't a URL.
 */
export function listGaps(api: MeasuredApi, options: ListGapsOptions): GapList {
  const { plan } = api;
  const operations = new Set(
    Array.from(selectOperations(plan, options.operations), ({ model }) => operationName(model)),
  );
  const kinds = selectKinds(options.kinds);
  if (options.gaps !== undefined) findGaps(plan, options.gaps, api.hits); // throws for an invalid id
  const ids = options.gaps && new Set(options.gaps.map(normalizeId));
  const gaps = api.gaps().filter((gap) =>
    kinds.has(gap.kind) && operations.has(operationName(gap)) && ids?.has(gap.id ?? "") !== false
  );
  const uses = options.production && countUses(options.production, gaps);
  const gain = expectGains(api, gaps);
  // Operations come first, then parameters, then the rest.
  const rank = ({ kind }: Gap): number => Math.min(GAP_KINDS.indexOf(kind), 2);
  const ranked = gaps
    .map((gap, order) => ({ gap, order, used: uses?.[order], rank: rank(gap), gain: gain(gap) }))
    .sort((one, other) =>
      (other.used ?? 0) - (one.used ?? 0) || one.rank - other.rank || other.gain - one.gain ||
      one.order - other.order
    )
    .slice(0, options.limit);
  const { requests, unreachable } = suggestFor(api, {
    gaps: ranked.flatMap(({ gap }) => gap.id ?? []),
    server: options.server,
    serverPlaceholder: true,
  });
  const closing = new Map(
    requests.flatMap((request) => request.closes.map(({ id }) => [id, request] as const)),
  );
  const reasons = new Map(unreachable.map(({ gap, reason }) => [gap.id, reason]));
  const position = locateGaps(api, ranked.map(({ gap }) => gap), options.workingDirectory);
  const keywordValue = keywordValues(plan);
  return {
    schema: plan.documents.location,
    total: gaps.length,
    gaps: ranked.map(({ gap, used }): ListedGap => {
      const suggestion = closing.get(gap.id);
      return {
        gap,
        sentence: `${operationName(gap)}: ${gapText(gap, keywordValue)}`,
        at: position(gap),
        suggestion,
        why_not: suggestion === undefined ? reasons.get(gap.id) : undefined,
        used,
      };
    }),
  };
}

function countUses(production: MeasuredApi, gaps: readonly Gap[]): readonly number[] {
  const watched = findGaps(production.plan, gaps.flatMap(({ id }) => id ?? []));
  const counts = new Map(
    new GapWatch(watched, () => production.hits).result().map(({ gap, count }) => [gap.id, count]),
  );
  return gaps.map(({ id }) => counts.get(id) ?? 0);
}

/** Estimates how many gaps a request for a gap closes: a part that was never sent has keywords and examples. */
function expectGains(api: MeasuredApi, gaps: readonly Gap[]): (gap: Gap) => number {
  const isNeverSent = ({ kind }: Gap): boolean =>
    kind === "operation_uncovered" || kind === "parameter_uncovered";
  const withGaps = new Set(gaps.filter(isNeverSent).map(operationName));
  const gains = new Map<string, number>();
  for (const { plan, parameters } of coveredOperations(api.plan, api.hits, api.exclusions)) {
    const operation = operationName(plan.model);
    if (!withGaps.has(operation)) continue;
    let gain = 1 + plan.model.responses.length;
    for (const { plan: { model }, excluded, totals } of parameters) {
      if (excluded !== undefined) continue;
      const { keywords, examples } = totals().counted;
      gains.set(`${operation} ${model.location} ${model.name}`, 1 + keywords + examples);
      gain += 1 + keywords + examples;
    }
    gains.set(operation, gain);
  }
  return (gap) => {
    if (!isNeverSent(gap)) return 1;
    const part = "parameter" in gap ? ` ${gap.location} ${gap.parameter}` : "";
    return gains.get(operationName(gap) + part) ?? 1;
  };
}

/** Returns a function for the positions of gaps in files; undefined if the description was given as an object. */
function locateGaps(
  { plan }: MeasuredApi,
  gaps: readonly Gap[],
  workingDirectory: string | undefined,
): (gap: Gap) => ListedGap["at"] {
  const operations = new Map(plan.operations.map((one) => [operationName(one.model), one]));
  const gapPointer = (gap: Gap): string => {
    if ("schema_path" in gap) return gap.schema_path;
    const operation = operations.get(operationName(gap));
    if (gap.kind === "parameter_uncovered") {
      const parameter = operation?.parameters.find(({ model }) =>
        model.location === gap.location && model.name === gap.parameter
      );
      return parameter?.schema_path ?? "";
    }
    const response = gap.kind === "response_uncovered"
      ? operation?.model.responses.find(({ status_code }) => status_code === gap.status_code)
      : operation?.model;
    return response?.pointer ?? "";
  };
  const locations = locatePaths(plan.documents, gaps.map(gapPointer));
  return (gap) => {
    const found = locations.get(gapPointer(gap));
    if (found === undefined) return undefined;
    const file = sourcePath(plan.documents.location, found.label, workingDirectory);
    return { file, line: found.line, column: found.column };
  };
}

/** Checks that each id is of a counted gap, open or closed, in one of the descriptions; throws a SuggestError. */
export function checkGaps({ apis }: ApiMaps, ids: readonly string[]): void {
  for (const id of ids) {
    const errors = apis.flatMap(({ map }) => {
      try {
        findGaps(map.plan, [id], map.hits);
        return [];
      } catch (error) {
        return [error];
      }
    });
    if (errors.length < apis.length) continue;
    throw errors.find((error) => (error as SuggestError).code === "values_not_counted") ??
      errors[0];
  }
}
