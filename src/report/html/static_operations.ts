import { gapCounts, NO_GAPS } from "../gap_counts.ts";
import type { Report, ReportOperation } from "../report.ts";
import { formatNumber } from "../wording/amounts.ts";
import { escapeHtml } from "./escape_html.ts";

const PARTS = ["parameters", "keywords", "examples", "responses"] as const;
/** The operation comes last: without styles a long path would push the numbers out of sight. */
const COLUMNS = ["Hits", "Parameters", "Keywords", "Examples", "Responses", "Gaps", "Operation"];

/**
 * What stands below the percentages of a page whose script may not run: why it doesn't, and what to do. Styles hide it
 * until a script has had the time to run.
 */
export const STATIC_NOTICE =
  `<p class="unscripted">This server or browser doesn't run the script ` +
  `of this page, so it is only a table. To see the whole report, download the page and open it, or ` +
  `allow its script: the documentation of covtool tells how, under “covtool on build servers”.</p>`;

/**
 * All operations with their numbers, as plain markup that is complete without scripts and styles.
 *
 * End tags of cells and rows are left out, as HTML allows: there may be thousands.
 */
export function staticOperations({ operations, traffic }: Report): string {
  if (operations.length === 0) return "";
  const head = COLUMNS.map((column) => `<th scope="col">${column}`).join("");
  return `<div class="unscripted operations-static"><table border="1">` +
    `<caption>Operations: what was covered of each</caption><thead><tr>${head}</thead><tbody>${
      operations.map((operation) => row(operation, traffic)).join("")
    }</tbody></table></div>`;
}

function row(operation: ReportOperation, traffic: Report["traffic"]): string {
  const { method, path, hits, summary, excluded } = operation;
  const cells = excluded === undefined
    ? PARTS.map((part) => cellOf(operation, part))
    : PARTS.map(() => "–");
  const { total } = excluded === undefined ? gapCounts(summary, traffic) : NO_GAPS;
  const name = escapeHtml(`${method} ${path}`) + (excluded === undefined ? "" : " (excluded)");
  return `<tr><td>${[numberText(hits), ...cells, numberText(total), name].join("<td>")}`;
}

/** Most numbers are small, and there are many. */
function numberText(value: number): string {
  return value < 1000 ? String(value) : formatNumber(value);
}

function cellOf({ summary }: ReportOperation, part: typeof PARTS[number]): string {
  const count = summary[part];
  if (count.total === 0 || part === "responses" && !summary.responses.measured) return "–";
  const seen = "seen" in count ? count.seen : count.partial + count.full;
  return `${numberText(seen)}/${numberText(count.total)}`;
}
