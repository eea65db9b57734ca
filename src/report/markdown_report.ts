import { operationName } from "../values/operation_name.ts";
import { apisBlocks } from "./apis/apis_blocks.ts";
import { areNamed } from "./apis/apis_overview.ts";
import type { Block } from "./blocks/block.ts";
import {
  accessBlocks,
  answerFacts,
  credentialFact,
  dimensionBlock,
  exclusionBlocks,
  findingBlocks,
  MAX_GAPS,
  newGapLists,
  noticedBlocks,
  tclFact,
  trafficText,
  undeclaredBlocks,
  unmatchedBlocks,
  valueBlocks,
  verdictBlocks,
} from "./blocks/coverage_blocks.ts";
import { operationColumns, operationRow } from "./blocks/operation_blocks.ts";
import { markdownBlocks, markdownText } from "./blocks/markdown_blocks.ts";
import type { Comparison } from "./comparison/comparison.ts";
import { operationsWithGaps } from "./gap_counts.ts";
import type { Report } from "./report.ts";
import type { ReportedApi } from "./reported_api.ts";
import { explainNothingMatched } from "./text/nothing_matched.ts";
import { formatAmount, formatNumber } from "./wording/amounts.ts";
import { nextBlocks } from "./wording/shown_requests.ts";
import { notMeasuredText } from "./wording/summary_wording.ts";
import { countedChanges } from "./wording/verdict_text.ts";

const MAX_OPERATIONS = 10;
const MAX_FINDINGS = 5;
const SUBJECT = "API coverage";
const MARK = "<!-- covtool report -->\n";

type MarkdownApi = ReportedApi<"view" | "next" | "tcl">;

/** Writes a comment for a pull request. Its first line is the same in every one, for a bot to find its last one by. */
export function generateMarkdownReport(apis: readonly MarkdownApi[], title?: string): string {
  if (!areNamed(apis)) return apis.map((api) => MARK + reportText(api)).join("");
  return MARK + [
    // The last row of the table has the figures of all.
    markdownBlocks(
      apisBlocks(apis, title, SUBJECT).flat().filter(({ type }) => type !== "figures"),
    ),
    ...apis.map((api) => `#${reportText(api)}`),
  ].join("\n");
}

function reportText({ name, report, input: { view, next, tcl } }: MarkdownApi): string {
  const { comparison, summary } = report;
  const hidden = notMeasuredText(report);
  return [
    markdownBlocks([
      { type: "heading", title: report.title, subject: SUBJECT },
      ...nothingMatchedBlocks(report),
      ...verdictBlocks(report.verdict),
      ...changeBlocks(comparison, comparison && view?.().valueOf),
      dimensionBlock(summary, report.exclusions !== undefined, comparison),
      ...(tcl === true ? tclFact(report) : []),
      ...answerFacts(report),
      ...credentialFact(report),
      trafficLine(report),
      ...(hidden === undefined ? [] : [{ type: "line", text: `${hidden}.` } as const]),
      ...noticedSection(report),
      ...accessBlocks(report),
      ...findingBlocks(report, MAX_FINDINGS),
      ...undeclaredBlocks(report),
      ...valueBlocks(report),
      ...worstOperations(report),
      ...nextBlocks(report, name === undefined ? next?.() : undefined),
      ...unmatchedBlocks(report),
      ...exclusionBlocks(report),
    ]),
    footer(report),
  ].join("\n");
}

function noticedSection(report: Report): Block[] {
  return noticedBlocks(report).flatMap((block): Block[] =>
    block.type === "list"
      ? [{
        type: "section",
        title: `${block.title}: ${block.count}`,
        blocks: [{ ...block, title: undefined, count: undefined }],
      }]
      : []
  );
}

function nothingMatchedBlocks(report: Report): Block[] {
  const explained = explainNothingMatched(report);
  if (explained === undefined) return [];
  const { problem, basePath, causes } = explained;
  const advice: Block = {
    type: "line",
    text: ["Most of the traffic would match with the base path ", { code: basePath ?? "" }, "."],
  };
  const entries = causes.map((text) => ({ text }));
  return [
    { type: "line", text: problem, tone: "bad" },
    ...(basePath === null ? [] : [advice]),
    ...(causes.length === 0 ? [] : [
      { type: "line", text: "Likely causes:" } as const,
      { type: "list", entries, rest: 0 } as const,
    ]),
  ];
}

function changeBlocks(
  comparison: Comparison | undefined,
  keywordValue: ((schema_path: string) => unknown) | undefined,
): Block[] {
  if (comparison === undefined) return [];
  return [
    { type: "line", text: `Since the baseline: ${countedChanges(comparison, "no").join("; ")}.` },
    ...newGapLists(comparison, MAX_GAPS, keywordValue).flat().map(({ title = "", ...list }) =>
      ({ type: "section", title, blocks: [list] }) as const
    ),
  ];
}

function trafficLine({ traffic, suggested_base_path }: Report): Block {
  const sentence = `${trafficText({ ...traffic, first_at: null })}.`;
  const hint = suggested_base_path === null || traffic.matched === 0
    ? []
    : [" Most of them would match with the base path ", { code: suggested_base_path }, "."];
  return { type: "line", text: [sentence, ...hint] };
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

function footer({ tool, schema, generated_at, diagnostics }: Report): string {
  const grave = diagnostics.filter(({ severity }) => severity !== "info").length;
  const facts = [
    markdownText(schema.specification),
    markdownText(schema.location),
    ...(grave > 0 ? [`${formatAmount(grave, "problem")} in the description`] : []),
    `${tool.name} ${tool.version}`,
    generated_at,
  ];
  return `<sub>${facts.join(" · ")}</sub>\n`;
}
