import { operationName } from "../values/operation_name.ts";
import { apisBlocks } from "./apis/apis_blocks.ts";
import { areNamed } from "./apis/apis_overview.ts";
import type { Block } from "./blocks/block.ts";
import { reportBlocks, schemaText } from "./blocks/coverage_blocks.ts";
import { markdownBlocks, markdownText } from "./blocks/markdown_blocks.ts";
import { operationColumns, operationRow } from "./blocks/operation_blocks.ts";
import { operationsWithGaps } from "./gap_counts.ts";
import type { Report } from "./report.ts";
import type { ReportedApi } from "./reported_api.ts";
import { formatNumber } from "./wording/amounts.ts";

const MAX_OPERATIONS = 10;
const MAX_FINDINGS = 5;
const MAX_VALUES = 20;
const SUBJECT = "API coverage";
const MARK = "<!-- covtool report -->\n";

type MarkdownApi = ReportedApi<"view" | "next" | "tcl">;

/** Writes a pull request comment. Its first line is always the same, so that a bot finds its previous comment. */
export function generateMarkdownReport(apis: readonly MarkdownApi[], title?: string): string {
  if (!areNamed(apis)) return apis.map((api) => MARK + reportText(api)).join("");
  return MARK + [
    // No block of figures, because the last row of the table has them.
    markdownBlocks(
      apisBlocks(apis, title, SUBJECT).flat().filter(({ type }) => type !== "figures"),
    ),
    ...apis.map((api) => `#${reportText(api)}`),
  ].join("\n");
}

function reportText({ name, report, input: { view, next, tcl } }: MarkdownApi): string {
  const { comparison, tool, generated_at } = report;
  const blocks = reportBlocks(report, {
    subject: SUBJECT,
    operations: [worstOperations(report)],
    next: name === undefined ? next?.() : undefined,
    tcl,
    keywordValue: comparison && view?.().keywordValue,
    most: { findings: MAX_FINDINGS, values: MAX_VALUES },
  });
  const { warnings, heading, verdict, figures, changes, notes, details, diagnostics } = blocks;
  const [title, , traffic] = heading;
  const facts = [markdownText(schemaText(report)), `${tool.name} ${tool.version}`, generated_at];
  // Changes come early: reviewers look for the effects of their pull request.
  const groups = [[title], warnings, verdict, changes, figures, [traffic], notes, ...details];
  return markdownBlocks([...groups, diagnostics, blocks.next].flat()) +
    `\n<sub>${facts.join(" · ")}</sub>\n`;
}

function worstOperations(report: Report): Block[] {
  const lacking = operationsWithGaps(report);
  if (lacking.length === 0) return [];
  const shown = lacking.slice(0, MAX_OPERATIONS);
  return [{
    type: "section",
    title: `Operations with the most gaps: ${formatNumber(shown.length)} of ${
      formatNumber(lacking.length)
    }`,
    blocks: [{
      type: "table",
      columns: operationColumns(),
      rows: shown.map(({ operation }) => operationRow(operationName(operation), operation)),
      most: MAX_OPERATIONS,
    }],
  }];
}
