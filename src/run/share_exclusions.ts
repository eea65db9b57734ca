import type { Report, ReportExclusion } from "../report/report.ts";

/**
 * The report of one of several APIs, in which an exclusion for all of them is not stale if it matches nothing here and
 * something in another.
 *
 * @param reports Gives the reports of all; called only where there is such an exclusion.
 */
export function shareExclusions(report: Report, reports: () => readonly Report[]): Report {
  const { exclusions } = report;
  if (exclusions?.some((one) => one.stale !== null && isEmpty(one)) !== true) return report;
  const all = reports().flatMap(({ exclusions = [] }) => exclusions);
  return {
    ...report,
    exclusions: exclusions.map((exclusion) =>
      exclusion.stale !== null && isEmpty(exclusion) &&
        all.some((other) =>
          other.pattern === exclusion.pattern && other.source === exclusion.source &&
          !isEmpty(other)
        )
        ? { ...exclusion, stale: null }
        : exclusion
    ),
  };
}

function isEmpty({ excluded }: ReportExclusion): boolean {
  return Object.values(excluded).every(({ total }) => total === 0);
}
