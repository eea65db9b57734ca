import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from "./html/assets.ts";
import type { NamedReport } from "./apis/apis_overview.ts";
import { apisPageData } from "./html/apis_page_data.ts";
import { type Compressor, dataBlock } from "./html/data_block.ts";
import type { DescriptionView } from "./html/description_view.ts";
import { encodePageData } from "./html/encode_page_data.ts";
import { encodePageSource } from "./html/encode_page_source.ts";
import { htmlDocument } from "./html/html_document.ts";
import { staticApisSummary } from "./html/static_apis_summary.ts";
import { staticSummary } from "./html/static_summary.ts";
import type { NextRequests } from "../suggest/suggestion.ts";
import type { Report } from "./report.ts";

/**
 * Writes the report as one HTML page that needs no network: script, style and data are within.
 *
 * The page's security policy allows exactly that script and that style, and the data is a block
 * that browsers do not execute, so nothing in a description or in the traffic can act.
 * The same report gives the same text.
 *
 * @param view The description as the page shows it with the report: its text, the values of keywords, the references
 * between schemas. Without it the page leaves these out.
 * @param compress The platform's compressor, for the data of large reports (default: one in JavaScript).
 * @param next Requests that close gaps; without them, the page says in words what to send.
 *
 * @example
 * ```ts ignore
 * const html = generateHtmlReport(report);
 * assert.ok(html.startsWith("<!doctype html>"));
 * ```
 */
export function generateHtmlReport(
  report: Report,
  view?: DescriptionView,
  compress?: Compressor,
  next?: NextRequests,
): string {
  const source = view?.source;
  return htmlPage({
    title: report.title,
    tool: report.tool,
    summary: staticSummary(report),
    data: dataBlock("report", encodePageData(report, view, next), compress),
    later: source === undefined ? "" : dataBlock("source", encodePageSource(source), compress),
  });
}

/** One of several APIs, with what the page shows of its description. */
export interface HtmlApi extends NamedReport {
  readonly view?: DescriptionView | undefined;
  /** Requests that close gaps. */
  readonly next?: NextRequests | undefined;
}

/**
 * Writes the reports of several APIs as one HTML page: an overview, and behind it the page of each, whose data is read
 * when somebody opens it.
 *
 * @param title The title of the overview; undefined for one that says how many APIs there are.
 * @param compress The platform's compressor, for the data of large reports (default: one in JavaScript).
 */
export function generateApisHtmlReport(
  apis: readonly HtmlApi[],
  title: string | undefined,
  compress?: Compressor,
): string {
  const data = apisPageData(apis, title);
  const blocks = apis.flatMap(({ report, view, next }, index) => [
    dataBlock(`report-${index}`, encodePageData(report, view, next), compress),
    ...(view?.source === undefined
      ? []
      : [dataBlock(`source-${index}`, encodePageSource(view.source), compress)]),
  ]);
  return htmlPage({
    title: data.title,
    tool: data.tool,
    summary: staticApisSummary(data, apis),
    data: dataBlock("apis", [JSON.stringify(data)], compress),
    later: blocks.join("\n"),
  });
}

interface PageParts {
  readonly title: string;
  readonly tool: Report["tool"];
  /** The page as it is without its script. */
  readonly summary: string;
  /** The data that the first view needs. */
  readonly data: string;
  /** Data for later, behind the script. */
  readonly later: string;
}

function htmlPage({ title, tool, summary, data, later }: PageParts): string {
  return htmlDocument({
    title: `${title} · API coverage`,
    tool,
    policy: `script-src '${SCRIPT_HASH}'; style-src '${STYLE_HASH}'`,
    style: STYLE,
    body: `<div id="page">${summary}</div>
${data}
<script>${SCRIPT}</script>
${later}`,
  });
}
