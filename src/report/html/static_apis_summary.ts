import type { Dimension } from "../../map/results.ts";
import { formatPercent } from "../percent.ts";
import type { NamedReport } from "../apis/apis_overview.ts";
import type { ApisPageData } from "./apis_page_data.ts";
import { escapeHtml } from "./escape_html.ts";
import { STATIC_NOTICE, staticOperations } from "./static_operations.ts";

const COLUMNS: readonly (readonly [Dimension, string])[] = [
  ["operations", "Operations"],
  ["parameters", "Parameters"],
  ["keywords", "Keywords"],
  ["examples", "Examples"],
  ["responses", "Responses"],
];

/** The five dimensions of several APIs and their operations as plain markup, for pages whose script has not run or may not. */
export function staticApisSummary(
  { title, apis }: ApisPageData,
  reports: readonly NamedReport[],
): string {
  const head = COLUMNS.map(([, label]) => `<th scope="col">${label}</th>`).join("");
  const rows = apis.map(({ name, summary }) => {
    const cells = COLUMNS.map(([dimension]) =>
      `<td>${escapeHtml(formatPercent(summary[dimension].percent))}</td>`
    );
    return `<tr><th scope="row">${escapeHtml(name)}</th>${cells.join("")}</tr>`;
  });
  const operations = reports.map(({ name, report }) =>
    `<h2 class="unscripted">${escapeHtml(name)}</h2>${staticOperations(report)}`
  );
  return `<main class="static"><h1>${escapeHtml(title)}</h1><table>` +
    `<caption>API coverage of the recorded traffic</caption>` +
    `<thead><tr><th scope="col">API</th>${head}</tr></thead><tbody>${
      rows.join("")
    }</tbody></table>${STATIC_NOTICE}${operations.join("")}</main>`;
}
