import type { SeenCount } from "../../map/results.ts";
import { formatPercent } from "../percent.ts";
import { enforcementCounts } from "../wording/enforcement_text.ts";
import type { Report } from "../report.ts";
import { escapeHtml } from "./escape_html.ts";

function seen(count: SeenCount, word: string): string {
  return `${count.seen} of ${count.total} ${word}`;
}

/**
 * The five dimensions, and enforcement if it is measured, as plain markup: shown until the page's script has run, and all there is where scripts are
 * forbidden, as in the artifact views of some build servers.
 */
export function staticSummary(report: Report): string {
  const { operations, parameters, keywords, examples, responses } = report.summary;
  const rows: (readonly [string, number | null, string])[] = [
    ["Operations", operations.percent, seen(operations, "called")],
    ["Parameters", parameters.percent, seen(parameters, "sent")],
    [
      "Keywords",
      keywords.percent,
      `${keywords.partial + keywords.full} of ${keywords.total}: ${keywords.full} full, ` +
      `${keywords.partial} partial`,
    ],
    ["Examples", examples.percent, seen(examples, "used")],
    [
      "Responses",
      responses.percent,
      responses.measured ? seen(responses, "seen") : "not measured: the traffic has no responses",
    ],
  ];
  const enforcement = enforcementCounts(report.summary.enforcement);
  if (enforcement !== undefined) {
    rows.push(["Enforcement", report.summary.enforcement?.percent ?? null, enforcement]);
  }
  const body = rows.map(([name, percent, counts]) =>
    `<tr><th scope="row">${name}</th><td>${escapeHtml(formatPercent(percent))}</td>` +
    `<td>${counts}</td></tr>`
  );
  return `<main class="static"><h1>${escapeHtml(report.title)}</h1><table>` +
    `<caption>API coverage of the recorded traffic</caption><tbody>${
      body.join("")
    }</tbody></table>` +
    `<noscript><p>The rest of this page needs JavaScript. Open it in a browser with JavaScript, ` +
    `or use the JSON or text report.</p></noscript></main>`;
}
