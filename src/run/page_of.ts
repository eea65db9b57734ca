import { ApiMaps } from "../coverage_map/api_maps.ts";
import { gzipBytes } from "../files/gzip_bytes.ts";
import { generateApisHtmlReport } from "../report/html_report.ts";
import type { MeasuredMap } from "./load_apis.ts";

/**
 * The page of a map as it is now, for live reports: without a baseline.
 *
 * @param title The title given; undefined for that of the description.
 */
export function pageOf(map: MeasuredMap, title: string | undefined): string {
  if (!(map instanceof ApiMaps)) return map.generateReport({ title });
  const apis = map.apis.map(({ name, map }) => {
    const report = map.report({ title: name });
    return { name, report, view: map.descriptionView(report), next: map.nextRequests(report) };
  });
  return generateApisHtmlReport(apis, title, gzipBytes);
}
