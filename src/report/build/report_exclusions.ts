import type { Exclusions } from "../../map/exclusions.ts";
import { staleSentence } from "../../map/stale_exclusions.ts";
import type { ExclusionTallies } from "../../map/statistic.ts";
import type { ReportExclusion } from "../report.ts";

/**
 * The exclusions of a report.
 *
 * @param tallies What each of them leaves out.
 * @param measured Whether responses were recorded.
 * @param generatedAt The moment whose day is compared with dates, in UTC: `2026-01-31T12:00:00Z`.
 */
export function reportExclusions(
  exclusions: Exclusions,
  tallies: ExclusionTallies,
  measured: boolean,
  generatedAt: string,
): ReportExclusion[] {
  const today = generatedAt.slice(0, "2026-01-31".length);
  return exclusions.list.map((exclusion, index) => {
    const excluded = tallies.of(index);
    const stale = staleSentence(index, { exclusions, excluded, measured, today });
    return { ...exclusion, excluded, stale };
  });
}
