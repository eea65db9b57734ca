import type { CoveragePlan } from "../../map/coverage_plan.ts";
import type { Exclusions } from "../../map/exclusions.ts";
import type { Hits } from "../../map/hits.ts";
import { enclosingPlaces, type NoticedPartHits, noticedState } from "../../map/noticed_hits.ts";
import type { NoticedSummary } from "../../map/results.ts";
import { percentage } from "../../map/statistic.ts";
import { sortByName } from "../../values/collections.ts";
import { pointerTokens } from "../../values/json_pointer.ts";
import type { ReportNoticed } from "../report.ts";

/** The response parts that covtool mutate changed. Undefined if it changed none. */
export function reportNoticed(
  plan: CoveragePlan,
  { noticed }: Hits,
  exclusions: Exclusions | undefined,
): ReportNoticed[] | undefined {
  if (!noticed.isUsed) return undefined;
  return noticed.list().flatMap((part): ReportNoticed[] => {
    const { place, reached, changes } = part;
    const operation = plan.operations[place.operation];
    const response = operation?.model.responses[place.response];
    if (operation === undefined || response === undefined) return [];
    const excluded = exclusions?.operation(operation);
    if ((excluded?.operation ?? excluded?.responses[place.response]) !== undefined) return [];
    const isInBody = place.part === "body" || place.part === "property" || place.part === "list";
    const isTried = noticedState(part) !== "not_tried";
    const unnoticed = isTried
      ? undefined
      : enclosingPlaces(place).find((around) => noticedState(noticed.find(around)) === "unnoticed");
    const reason = isTried
      ? undefined
      : unnoticed === undefined
      ? untriedReason(part)
      : `No test fails when ${
        unnoticed.part === "body" ? "the whole body is empty" : "what holds it is missing"
      }.`;
    return [{
      method: operation.model.method,
      path: operation.model.path,
      status_code: response.status_code,
      part: place.part,
      ...partName(part),
      schema_path: place.schema_path,
      ...(isInBody && { instance_path: place.path }),
      state: unnoticed === undefined ? noticedState(part) : "unnoticed",
      changes: sortByName(changes).map(([change, { runs, noticed, passed, timedOut }]) => ({
        change,
        runs,
        ...(noticed + passed > 0 && { noticed: noticed > 0 }),
        ...(timedOut > 0 && { timed_out: true as const }),
      })),
      responses: reached,
      reached_by: [...part.reachedBy].sort(),
      ...(part.noticedBy.size > 0 && { noticed_by: [...part.noticedBy].sort() }),
      ...(reason !== undefined && { reason }),
    }];
  });
}

function partName({ place: { part, path } }: NoticedPartHits): Pick<ReportNoticed, "name"> {
  if (part === "header") return { name: path };
  const name = part === "property" || part === "list" ? pointerTokens(path).at(-1) : undefined;
  return name === undefined ? {} : { name };
}

function untriedReason({ reason, changes }: NoticedPartHits): string {
  switch (reason) {
    case "flaky":
      return "The tests failed with the same change in some runs, and passed in others.";
    case "one_run":
      return "Only one of the two runs without changes had it.";
    case undefined:
      return changes.size === 0
        ? "No run was left to try it."
        : "No run was left to make sure of it.";
  }
}

export function summarizeNoticed(parts: readonly ReportNoticed[]): NoticedSummary {
  const count = (state: ReportNoticed["state"]): number =>
    parts.filter((part) => part.state === state).length;
  const noticed = count("noticed");
  const unnoticed = count("unnoticed");
  return {
    noticed,
    unnoticed,
    not_tried: count("not_tried"),
    total: parts.length,
    percent: percentage(noticed, noticed + unnoticed),
    measured: true,
  };
}
