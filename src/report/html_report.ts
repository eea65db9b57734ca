import { DIMENSIONS } from "../map/results.ts";
import { apisOverview, areNamed, type NamedReport } from "./apis/apis_overview.ts";
import { COUNTED_PARTS, countText, figureGroups } from "./figures.ts";
import { gapCounts } from "./gap_counts.ts";
import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from "./html/assets.ts";
import { dataBlock } from "./html/data_block.ts";
import { encodePageData, encodePageSource } from "./html/encode_page_data.ts";
import type { ApisPageData } from "./html/page_data.ts";
import { capitalized, formatNumber, formatPercent } from "./wording/amounts.ts";
import type { Report, ReportOperation, ReportVerdict } from "./report.ts";
import type { ReportedApi } from "./reported_api.ts";
import { escapeHtml, plainText, xmlText } from "./text/plain_text.ts";
import { findingCounts, findingGroups } from "./wording/finding_wording.ts";
import { notMeasuredText } from "./wording/summary_wording.ts";
import { gateText, verdictText } from "./wording/verdict_text.ts";

/** Writes reports as one page that needs no network. Its policy allows exactly its own script and style. */
export function generateHtmlReport(
  apis: readonly ReportedApi<"view" | "next" | "compress">[],
  title?: string,
): string {
  const named = areNamed(apis) ? apis : undefined;
  const [first] = apis;
  if (first === undefined) throw new TypeError("There are no APIs to report.");
  const { compress } = first.input;
  const { tool, generated_at } = first.report;
  const all = named && { ...apisOverview(named, title), tool, generated_at };
  const blocks = apis.flatMap(({ report, input }, index) => {
    const view = input.view?.();
    const end = named === undefined ? "" : `-${index}`;
    return [
      dataBlock(`report${end}`, encodePageData(report, view, input.next?.()), compress),
      ...(view?.source === undefined
        ? []
        : [dataBlock(`source${end}`, encodePageSource(view.source), compress)]),
    ];
  });
  if (all !== undefined) blocks.unshift(dataBlock("apis", [JSON.stringify(all)], compress));
  // The script starts with the first block. It reads the others later, so they come after it.
  const [data, ...later] = blocks;
  return htmlDocument({
    title: `${all?.title ?? first.report.title} · API coverage`,
    tool: first.report.tool,
    policy: `script-src '${SCRIPT_HASH}'; style-src '${STYLE_HASH}'`,
    style: STYLE,
    body: `<div id="page">${
      named && all ? staticApisSummary(all, named) : staticSummary(first.report)
    }</div>
${data}
<script>${SCRIPT}</script>
${later.join("\n")}`,
  });
}

function staticVerdict(verdict: ReportVerdict | undefined): string {
  if (verdict === undefined) return "";
  const { gates, changes } = verdict;
  const items = gates.toSorted((left, right) => Number(left.passed) - Number(right.passed))
    .map((gate) =>
      `<li class="gate-${gate.passed ? "passed" : "failed"}">${xmlText(gateText(gate))}</li>`
    );
  const since = changes === undefined ? "" : `<p>Since the baseline: ${xmlText(changes)}</p>`;
  return `<p><strong>${xmlText(verdictText(verdict))}</strong></p><ul class="gates">${
    items.join("")
  }</ul>${since}`;
}

/** The figures as plain markup, shown until the script has run, or always where scripts are blocked. */
function staticSummary(report: Report): string {
  const figures = figureGroups(report.summary, report.exclusions !== undefined)
    .flatMap((group) => group.figures);
  const findings = findingCounts(findingGroups(report.findings));
  const rows = [
    ...figures,
    ...(findings === "" ? [] : [{ label: "Findings", percent: null, text: findings }]),
  ];
  const hidden = notMeasuredText(report);
  const body = rows.map(({ label, percent, text }) =>
    `<tr><th scope="row">${label}</th><td>${xmlText(formatPercent(percent))}</td>` +
    `<td>${text}</td></tr>`
  );
  const warning = report.nothing_counted === undefined
    ? ""
    : `<p><strong>${xmlText(report.nothing_counted)}</strong></p>`;
  return `<main class="static"><h1>${xmlText(report.title)}</h1>${warning}${
    staticVerdict(report.verdict)
  }<table>` +
    `<caption>API coverage of the recorded traffic</caption><tbody>${
      body.join("")
    }</tbody></table>${hidden === undefined ? "" : `<p>${xmlText(hidden)}.</p>`}` +
    `${STATIC_NOTICE}${staticOperations(report)}</main>`;
}

function staticApisSummary(
  { title, apis, verdict }: ApisPageData,
  reports: readonly NamedReport[],
): string {
  const head = DIMENSIONS.map((name) => `<th scope="col">${capitalized(name)}</th>`).join("");
  const rows = apis.map(({ name, summary }) => {
    const cells = DIMENSIONS.map((dimension) =>
      `<td>${xmlText(formatPercent(summary[dimension].percent))}</td>`
    );
    return `<tr><th scope="row">${xmlText(name)}</th>${cells.join("")}</tr>`;
  });
  const operations = reports.map(({ name, report }) =>
    `<h2 class="unscripted">${xmlText(name)}</h2>${staticOperations(report)}`
  );
  return `<main class="static"><h1>${xmlText(title)}</h1>${staticVerdict(verdict)}<table>` +
    `<caption>API coverage of the recorded traffic</caption>` +
    `<thead><tr><th scope="col">API</th>${head}</tr></thead><tbody>${
      rows.join("")
    }</tbody></table>${STATIC_NOTICE}${operations.join("")}</main>`;
}

/** The operation comes last: without styles a long path would push the numbers out of sight. */
const COLUMNS = ["Hits", "Parameters", "Keywords", "Examples", "Responses", "Gaps", "Operation"];

/** Hidden by the style until the script has had time to run. */
const STATIC_NOTICE = `<p class="unscripted">This server or browser doesn't run the script ` +
  `of this page, so it is only a table. To see the whole report, download the page and open it, or ` +
  `allow its script: the documentation of covtool tells how, under “covtool on build servers”.</p>`;

/** The operations. End tags of cells and rows are left out, as HTML allows: there may be thousands. */
function staticOperations({ operations, traffic }: Report): string {
  if (operations.length === 0) return "";
  const head = COLUMNS.map((column) => `<th scope="col">${column}`).join("");
  return `<div class="unscripted operations-static"><table border="1">` +
    `<caption>Operations: what was covered of each</caption><thead><tr>${head}</thead><tbody>${
      operations.map((operation) => row(operation, traffic)).join("")
    }</tbody></table></div>`;
}

function row(operation: ReportOperation, traffic: Report["traffic"]): string {
  const { method, path, hits, summary, excluded } = operation;
  const cells = COUNTED_PARTS.map((part) => countText(summary, part));
  const { total } = gapCounts(summary, traffic);
  const name = xmlText(`${method} ${path}`) + (excluded === undefined ? "" : " (excluded)");
  return `<tr><td>${[formatNumber(hits), ...cells, formatNumber(total), name].join("<td>")}`;
}

const PAGE_ICON = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">` +
    `<circle cx="8" cy="8" r="6.5" fill="none" stroke="#0f766e" stroke-width="2"/>` +
    `<path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="#0f766e"/></svg>`,
);

interface HtmlDocument {
  readonly title: string;
  readonly tool: Report["tool"];
  /** The directives of the Content-Security-Policy that allow the page's own style and script. */
  readonly policy: string;
  readonly style: string;
  readonly body: string;
}

/** A page that loads nothing: its style is inline, and its security policy allows only `policy` and data: images. */
export function htmlDocument({ title, tool, policy, style, body }: HtmlDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(`${tool.name} ${tool.version}`)}">
<title>${escapeHtml(plainText(title))}</title>
<link rel="icon" href="${PAGE_ICON}">
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
