import { buildModel, type Model } from "../../src/report/html/app/model/model.ts";
import { encodePageData } from "../../src/report/html/encode_page_data.ts";
import type { DescriptionView } from "../../src/report/html/page_data.ts";
import type { Report } from "../../src/report/report.ts";

/** The page's model of a report. */
export function pageModel(report: Report, view?: DescriptionView): Model {
  return buildModel(JSON.parse([...encodePageData(report, view)].join("")));
}
