import { DIMENSIONS, type Summary } from "../../map/results.ts";
import { accessFigure } from "../figures.ts";
import type { Report } from "../report.ts";
import type { Comparison } from "../comparison/comparison.ts";
import {
  type Block,
  type BlockCell,
  type BlockColumn,
  percentTone,
  type TableBlock,
} from "../blocks/block.ts";
import { dimensionBlock, verdictBlocks } from "../blocks/coverage_blocks.ts";
import { changeText, formatAmount, formatNumber, formatPercent } from "../wording/amounts.ts";
import { findingCounts, findingGroups } from "../wording/finding_wording.ts";
import { type ApisOverview, apisOverview, type NamedReport } from "./apis_overview.ts";

const MAX_STRAYS = 10;

export function apisBlocks(
  apis: readonly NamedReport[],
  title: string | undefined,
  subject?: string,
): Block[][] {
  const overview = apisOverview(apis, title);
  const isScoped = overview.apis.some((api) => api.isScoped);
  return [
    [{ type: "heading", title: overview.title, subject }],
    verdictBlocks(overview.verdict),
    [dimensionBlock(overview.summary, isScoped)],
    [apiTable(apis, overview)],
    namedList("Access", apis, ({ summary }) => accessFigure(summary)[0]?.fact ?? ""),
    namedList("Findings", apis, ({ findings }) => findingCounts(findingGroups(findings))),
    strayBlocks(overview),
  ];
}

const FAILED = "Failed requirements";
const COLUMNS: readonly BlockColumn[] = [
  { header: "API", kind: "text" },
  { header: "Operations", short: "Ops", kind: "number" },
  { header: "Parameters", short: "Params", kind: "number" },
  { header: "Keywords", short: "Keyw", kind: "number" },
  { header: "Examples", short: "Exmpl", kind: "number" },
  { header: "Responses", short: "Resp", kind: "number" },
  { header: "Gaps", kind: "number" },
  { header: "Findings", short: "Find", kind: "number" },
  { header: FAILED, short: "Failed", kind: "number" },
  { header: "Matched", short: "Match", kind: "number" },
  { header: "Unmatched", short: "Unm", kind: "number" },
];

function apiTable(
  reports: readonly NamedReport[],
  { apis, summary, gaps, findings, matched, verdict }: ApisOverview,
): TableBlock {
  const rows = apis.map((api, index): BlockCell[] => [
    api.name,
    ...percentCells(api.summary, reports[index]?.report.comparison),
    formatNumber(api.gaps),
    formatNumber(api.findings),
    ...(verdict === undefined ? [] : [api.gates === 0 ? "–" : failedCell(api.failed_gates)]),
    formatNumber(api.matched),
    formatNumber(api.unmatched),
  ]);
  const failed = verdict?.gates.filter(({ passed }) => !passed).length;
  const totals: BlockCell[] = [
    "All",
    ...percentCells(summary),
    formatNumber(gaps),
    formatNumber(findings),
    ...(failed === undefined ? [] : [failedCell(failed)]),
    formatNumber(matched),
    "",
  ];
  const columns = COLUMNS.filter(({ header }) => verdict !== undefined || header !== FAILED);
  return { type: "table", columns, rows, totals, most: Infinity };
}

function percentCells(summary: Summary, comparison?: Comparison): BlockCell[] {
  return DIMENSIONS.map((dimension) => {
    const { percent } = summary[dimension];
    const before = comparison?.summary[dimension].percent;
    const change = before === undefined ? "" : changeText(percent, before);
    const note = /[1-9]/.test(change) ? ` (${change})` : "";
    return { text: formatPercent(percent), tone: percentTone(percent), note };
  });
}

function failedCell(failed: number): BlockCell {
  return { text: formatNumber(failed), tone: failed > 0 ? "bad" : undefined };
}

function namedList(
  title: string,
  apis: readonly NamedReport[],
  write: (report: Report) => string,
): Block[] {
  const entries = apis.map(({ name, report }) => ({ name, text: write(report) }))
    .filter(({ text }) => text !== "")
    .map(({ name, text }) => ({ text: `${name}: ${text}` }));
  if (entries.length === 0) return [];
  return [{ type: "section", title, blocks: [{ type: "list", entries, rest: 0 }] }];
}

function strayBlocks({ strays }: ApisOverview): Block[] {
  if (strays.length === 0) return [];
  const requests = strays.reduce((sum, { count }) => sum + count, 0);
  return [{
    type: "section",
    title: `${formatAmount(requests, "request")} matched none of the APIs`,
    blocks: [{
      type: "table",
      columns: [{ header: "Count", kind: "number" }, { header: "Request", kind: "operation" }],
      rows: strays.toSorted((left, right) => right.count - left.count)
        .map(({ method, host, path, count }) => [
          formatNumber(count),
          `${method} ${host}${path}`,
        ]),
      most: MAX_STRAYS,
    }],
  }];
}
