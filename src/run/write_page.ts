import type { ApiMaps } from "../coverage_map/api_maps.ts";
import { nextRequestsFor } from "../coverage_map/suggest_for.ts";
import { gzipBytes } from "../values/builtin.ts";
import { buildDescriptionView } from "../report/build/build_description_view.ts";
import { generateHtmlReport } from "../report/html_report.ts";

export interface PageOptions {
  readonly title?: string | undefined;
  readonly suggestions?: boolean | undefined;
}

/** Writes the page of a measurement in progress, for live reports; without a baseline. */
export function writePage({ apis }: ApiMaps, { title, suggestions = true }: PageOptions): string {
  const reported = apis.map(({ name, map }) => {
    const report = map.report({ title: name ?? title });
    const view = () => buildDescriptionView(map, report);
    const next = suggestions ? () => nextRequestsFor(map, report) : undefined;
    return { name, report, input: { view, next, compress: gzipBytes } };
  });
  return generateHtmlReport(reported, title);
}
