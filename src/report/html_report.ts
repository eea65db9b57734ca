import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from "./html/assets.ts";
import { type Compressor, dataBlock } from "./html/data_block.ts";
import type { DescriptionView } from "./html/description_view.ts";
import { encodePageData } from "./html/encode_page_data.ts";
import { encodePageSource } from "./html/encode_page_source.ts";
import { escapeHtml } from "./html/escape_html.ts";
import { staticSummary } from "./html/static_summary.ts";
import type { Report } from "./report.ts";

/** Nothing but the page's own script and style runs, and nothing is ever loaded. */
const POLICY = "default-src 'none'; " +
  `script-src '${SCRIPT_HASH}'; style-src '${STYLE_HASH}'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'";

const ICON = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">` +
    `<circle cx="8" cy="8" r="6.5" fill="none" stroke="#0f766e" stroke-width="2"/>` +
    `<path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="#0f766e"/></svg>`,
);

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
): string {
  const source = view?.source;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(`${report.tool.name} ${report.tool.version}`)}">
<title>${escapeHtml(report.title)} · API coverage</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<div id="page">${staticSummary(report)}</div>
${dataBlock("report", encodePageData(report, view), compress)}
<script>${SCRIPT}</script>
${source === undefined ? "" : dataBlock("source", encodePageSource(source), compress)}
</body>
</html>
`;
}
