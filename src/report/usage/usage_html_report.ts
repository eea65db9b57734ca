import type { BlockColumn, Figure, TableBlock } from "../blocks/block.ts";
import { trafficText } from "../blocks/coverage_blocks.ts";
import { STYLE, STYLE_HASH } from "../html/assets.ts";
import { htmlDocument } from "../html_report.ts";
import { formatAmount, formatNumber, formatPercent } from "../wording/amounts.ts";
import { escapeHtml, plainText } from "../text/plain_text.ts";
import type { UsageReport } from "./usage_report.ts";
import {
  testedRequestsText,
  unlistedText,
  unseenTexts,
  USAGE_SECTIONS,
  usageFigures,
  type UsageList,
  usageTables,
} from "./usage_wording.ts";

/** The number of visible rows in a list. The others are in a `details` element, which needs no script. */
const OPEN_ROWS = 50;
const SECTIONS: readonly UsageList[] = ["untested", "undocumented", "unused"];

/** Writes a page without scripts. Its policy allows only its own style. */
export function generateUsageHtmlReport(report: UsageReport): string {
  const { tool } = report;
  return htmlDocument({
    title: `${report.title} · used and tested`,
    tool,
    policy: `style-src '${STYLE_HASH}'`,
    style: STYLE,
    body: `<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="top-inner">
<span class="brand"><svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><circle cx="8" cy="8" r="6" class="mark-ring"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/></svg><bdi>${
      text(report.title)
    }</bdi></span>
<nav aria-label="Sections"><ul>${
      SECTIONS.map((name) =>
        `<li><a href="#${name}">${USAGE_SECTIONS[name].title} <span class="nav-count">${
          formatNumber(report[name].length)
        }</span></a></li>`
      ).join("")
    }</ul></nav>
</div></header>
<main id="main" class="usage-page" tabindex="-1">
<div class="heading"><h1>Used in production, and tested</h1>
<p class="muted">${escapeHtml(testedRequestsText(report))}</p></div>
${notices(report)}<dl class="dimensions">${usageFigures(report).rows.map(card).join("")}</dl>
<dl class="sides"><div><dt>Production</dt><dd>${
      escapeHtml(trafficText(report.production))
    }</dd></div><div><dt>Tests</dt><dd>${escapeHtml(trafficText(report.tests))}</dd></div></dl>
${section("untested", report)}
${section("undocumented", report)}
${
      report.unlisted_requests === 0
        ? ""
        : `<p class="muted">${escapeHtml(unlistedText(report))}</p>\n`
    }${section("unused", report)}
</main>
<footer><bdi>${
      text(
        `${report.schema.title} ${report.schema.version} · ${report.schema.specification} · ${report.schema.location}`,
      )
    }</bdi> · covtool ${escapeHtml(tool.version)} · <time datetime="${
      escapeHtml(report.generated_at)
    }">${escapeHtml(report.generated_at.replace("T", " ").replace("Z", " UTC"))}</time></footer>`,
  });
}

/** Escapes text for HTML, including invisible characters. */
function text(plain: string): string {
  return escapeHtml(plainText(plain));
}

function notices(report: UsageReport): string {
  const texts = [
    ...(report.production.matched === 0
      ? ["No request of production matches an operation, so nothing can be said about its use."]
      : []),
    ...(report.tests.matched === 0 ? ["No request of tests matches an operation."] : []),
    ...unseenTexts(report),
  ];
  if (texts.length === 0) return "";
  return `<div class="notices">${
    texts.map((text) => `<p>${escapeHtml(text)}</p>`).join("")
  }</div>\n`;
}

function card({ label, percent, counts }: Figure): string {
  const exact = percent ?? 0;
  // Like percentages, bars are only empty or full at exactly 0 or 100.
  const width = exact > 0 && exact < 100 ? Math.min(99, Math.max(1, exact)) : exact;
  return `<div class="dimension"><dt>${label}</dt><dd><span class="percent">${
    escapeHtml(formatPercent(percent))
  }</span><svg class="${
    percent === null ? "bar bar-void" : "bar"
  }" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-part" width="${width}" height="1"/></svg><span class="counts">${
    escapeHtml(counts)
  }</span></dd></div>`;
}

function operationCell(operation: string): string {
  const space = operation.indexOf(" ");
  const [method, path] = [operation.slice(0, space), operation.slice(space + 1)];
  const name = method.toLowerCase().replace(/[^a-z]/g, "");
  const parts = plainText(path).split(/(\{[^{}]*\})/).map((text, index) =>
    index % 2 === 1 ? `<i>${escapeHtml(text)}</i>` : escapeHtml(text)
  );
  return `<span class="method method-${name}">${text(method)}</span> <bdi class="path">${
    parts.join("")
  }</bdi>`;
}

function partCell(part: string): string {
  if (part === "") return `<span class="muted">the operation</span>`;
  const [first = "", ...rest] = plainText(part).split(" ");
  return `<span class="location">${escapeHtml(first)}</span> <code><bdi>${
    escapeHtml(rest.join(" "))
  }</bdi></code>`;
}

function section(name: UsageList, report: UsageReport): string {
  const { title, definition, none } = USAGE_SECTIONS[name];
  const { columns, rows } = usageTables(report)[name];
  const heading =
    `<section id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title">${title} <span class="nav-count">${
      formatNumber(rows.length)
    }</span></h2>\n<p class="muted">${escapeHtml(rows.length === 0 ? none : definition)}</p>\n`;
  if (rows.length === 0) return `${heading}</section>`;
  const more = rows.slice(OPEN_ROWS);
  const rest = more.length === 0
    ? ""
    : `<details class="more-rows"><summary>${
      formatAmount(more.length, "more", "more")
    }</summary>\n${table(name, `${title}, continued`, columns, more)}</details>\n`;
  return `${heading}${table(name, title, columns, rows.slice(0, OPEN_ROWS))}${rest}</section>`;
}

const CELLS: Readonly<Record<BlockColumn["kind"], (cell: string) => string>> = {
  number: escapeHtml,
  text,
  operation: operationCell,
  part: partCell,
};

function table(
  name: UsageList,
  label: string,
  columns: readonly BlockColumn[],
  rows: TableBlock["rows"],
): string {
  const cell = (tag: "th" | "td", text: string, index: number, more = "") =>
    `<${tag}${more}${columns[index]?.kind === "number" ? ' class="number"' : ""}>${text}</${tag}>`;
  const head = columns.map(({ header }, index) => cell("th", header, index, ' scope="col"'));
  const body = rows.map((cells) =>
    `<tr>${
      cells.map((content, index) => {
        const plain = typeof content === "string" ? content : content.text;
        const html = CELLS[columns[index]?.kind ?? "text"](plain);
        return index === 0 ? cell("th", html, 0, ' scope="row"') : cell("td", html, index);
      }).join("")
    }</tr>`
  );
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="plain usage-${name}"><thead><tr>${
    head.join("")
  }</tr></thead><tbody>\n${body.join("\n")}\n</tbody></table></div>\n`;
}
