import type { SeenCount } from "../../map/results.ts";
import { formatPercent } from "../percent.ts";
import { enforcementCounts } from "../wording/enforcement_text.ts";
import { notMeasuredText } from "../wording/not_measured_text.ts";
import {
  lackResponseBodies,
  NO_RESPONSE_BODIES,
  responseKeywordCounts,
} from "../wording/response_keywords_text.ts";
import type { Report } from "../report.ts";
import { findingCounts, findingGroups } from "../wording/finding_groups.ts";
import { escapeHtml } from "./escape_html.ts";
import { STATIC_NOTICE, staticOperations } from "./static_operations.ts";

function seen(count: SeenCount, word: string): string {
  return `${count.seen} of ${count.total} ${word}`;
}

/**
 * The five dimensions, enforcement, the keywords of responses, findings and all operations, as plain markup: shown until the
 * page's script has run, and all there is where scripts are forbidden, as in the artifact views of some build servers.
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
  const returned = report.summary.response_keywords;
  const counts = responseKeywordCounts(returned);
  if (counts !== undefined) rows.push(["Response keywords", returned?.percent ?? null, counts]);
  else if (lackResponseBodies(report.summary)) {
    rows.push(["Response keywords", null, `not measured: ${NO_RESPONSE_BODIES}`]);
  }
  const findings = findingCounts(findingGroups(report.findings));
  if (findings !== "") rows.push(["Findings", null, findings]);
  const hidden = notMeasuredText(report);
  const body = rows.map(([name, percent, counts]) =>
    `<tr><th scope="row">${name}</th><td>${escapeHtml(formatPercent(percent))}</td>` +
    `<td>${counts}</td></tr>`
  );
  return `<main class="static"><h1>${escapeHtml(report.title)}</h1><table>` +
    `<caption>API coverage of the recorded traffic</caption><tbody>${
      body.join("")
    }</tbody></table>${hidden === undefined ? "" : `<p>${escapeHtml(hidden)}.</p>`}` +
    `${STATIC_NOTICE}${staticOperations(report)}</main>`;
}
