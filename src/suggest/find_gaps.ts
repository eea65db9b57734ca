import { coveredOperation } from "../map/coverage.ts";
import type { CoveragePlan, OperationPlan } from "../map/coverage_plan.ts";
import { isGapId, isSamePlace } from "../map/gap_ids.ts";
import { uncoveredResponses } from "../map/gaps.ts";
import { Hits } from "../map/hits.ts";
import type { Gap } from "../map/results.ts";
import { areValuesCounted } from "../map/value_coverage.ts";
import { operationName } from "../values/operation_name.ts";
import { GAP_KINDS, type Goal, OperationGoals } from "./goals.ts";
import { SuggestError, VALUES_NOT_COUNTED } from "./suggestion.ts";

/** A possible gap of a description, whether or not traffic has closed it. */
export interface PossibleGap {
  readonly gap: Gap;
  readonly operation: OperationPlan;
  /** The goal of a request that closes the gap; undefined for responses. */
  readonly goal: Goal | undefined;
}

/**
 * Finds gaps by their ids, open or closed, in the order of the ids.
 *
 * @throws {SuggestError} if an id is of no gap of the description, or of a class of values and these weren't counted.
 */
export function findGaps(
  plan: CoveragePlan,
  ids: readonly string[],
  hits = new Hits(),
): readonly PossibleGap[] {
  const requested = new Set(ids.map(normalizeId));
  const gapsById = new Map(Array.from(requested, (id): [string, PossibleGap[]] => [id, []]));
  for (const operation of plan.operations) {
    const candidates = [...requested].filter((id) => plan.gapIds.mayBelongTo(id, operation.model));
    if (candidates.length === 0) continue;
    for (const possible of possibleGaps(plan, operation, new Set(candidates))) {
      gapsById.get(possible.gap.id ?? "")?.push(possible);
    }
  }
  for (const [id, gaps] of gapsById) {
    if (gaps.length === 0) throw new SuggestError("unknown_gap", unknownGap(plan, id));
    if (gaps.some(({ gap }) => gap.kind === "value_uncovered") && !areValuesCounted(plan, hits)) {
      throw new SuggestError("values_not_counted", VALUES_NOT_COUNTED);
    }
  }
  return [...gapsById.values()].flat();
}

export function normalizeId(id: string): string {
  return id.trim().toLowerCase();
}

function possibleGaps(
  plan: CoveragePlan,
  operation: OperationPlan,
  ids?: ReadonlySet<string>,
): PossibleGap[] {
  const none = new Hits();
  const uncovered = coveredOperation(operation, none);
  const { all } = new OperationGoals(uncovered, new Set(GAP_KINDS), plan.gapIds, ids);
  const responses = uncoveredResponses(uncovered, none).map((gap) => ({
    id: plan.gapIds.id(gap),
    ...gap,
  }));
  return [
    ...all.map((goal) => ({ gap: goal.gap, operation, goal })),
    ...responses.filter(({ id }) => ids?.has(id) !== false)
      .map((gap) => ({ gap, operation, goal: undefined })),
  ];
}

function unknownGap(plan: CoveragePlan, id: string): string {
  if (!isGapId(id)) {
    return `${
      JSON.stringify(id)
    } is not the id of a gap, such as g-7f3k2p0c. List gaps with their ids: covtool gaps`;
  }
  const operation = plan.operations.find(({ model }) => plan.gapIds.mayBelongTo(id, model));
  const ids = (operation === undefined ? plan.operations : [operation])
    .flatMap((one) => possibleGaps(plan, one).map(({ gap }) => gap.id ?? ""));
  const nearest = ids.find((one) => isSamePlace(one, id)) ?? ids.find((one) => isTypo(one, id));
  const hint = nearest === undefined ? "" : ` The nearest is ${nearest}.`;
  if (operation === undefined) {
    return `No operation of the description has the gap ${id}: it was removed or renamed, or the id is of another description.${hint}`;
  }
  const name = operationName(operation.model);
  return `The description still has ${name}, but not what the gap ${id} is about.${hint} List its gaps: covtool gaps --operation ${
    JSON.stringify(name)
  }`;
}

/** True if two ids differ in one character, or in two that were swapped. */
function isTypo(one: string, other: string): boolean {
  const different = Array.from(one, (_, index) => index)
    .filter((index) => one[index] !== other[index]);
  const [first = 0, second = 0] = different;
  return one.length === other.length && (different.length === 1 ||
    (different.length === 2 && one[first] === other[second] && one[second] === other[first]));
}
