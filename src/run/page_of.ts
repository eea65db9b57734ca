import { ApiMaps } from "../coverage_map/api_maps.ts";
import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import { gzipBytes } from "../files/gzip_bytes.ts";
import { generateApisHtmlReport, generateHtmlReport } from "../report/html_report.ts";
import type { MeasuredMap } from "./load_apis.ts";

/** Options of a live page. */
export interface PageOptions {
  /** Its title (default: that of the description). */
  readonly title?: string | undefined;
  /** Shows requests to send next (default: true). */
  readonly suggestions?: boolean | undefined;
}

/** The page of a map as it is now, for live reports: without a baseline. */
export function pageOf(map: MeasuredMap, { title, suggestions = true }: PageOptions): string {
  const partsOf = (map: CoverageMap, title: string | undefined) => {
    const report = map.report({ title });
    const view = map.descriptionView(report);
    return { report, view, next: suggestions ? map.nextRequests(report) : undefined };
  };
  if (!(map instanceof ApiMaps)) {
    const { report, view, next } = partsOf(map, title);
    return generateHtmlReport(report, view, gzipBytes, next);
  }
  const apis = map.apis.map(({ name, map }) => ({ name, ...partsOf(map, name) }));
  return generateApisHtmlReport(apis, title, gzipBytes);
}
