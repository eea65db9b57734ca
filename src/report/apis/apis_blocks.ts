import { DIMENSIONS, type Summary } from "../../map/results.ts";
import type { Comparison } from "../comparison/comparison.ts";
import {
  type Block,
  type BlockCell,
  type BlockColumn,
  percentTone,
  type TableBlock,
} from "../blocks/block.ts";
import { dimensionBlock, verdictBlocks } from "../blocks/coverage_blocks.ts";
import { gapCounts } from "../gap_counts.ts";
import { changeText, formatAmount, formatNumber, formatPercent } from "../wording/amounts.ts";
import type { ReportVerdict } from "../report.ts";
import { findingCounts, findingGroups } from "../wording/finding_wording.ts";
import { joinVerdicts } from "../wording/verdict_text.ts";
import { type ApisOverview, apisOverview, type NamedReport } from "./apis_overview.ts";

const MAX_STRAYS = 10;

export function apisBlocks(
  apis: readonly NamedReport[],
  title: string | undefined,
  subject?: string,
): Block[][] {
  const overview = apisOverview(apis, title);
  const verdict = joinVerdicts(apis);
  const isScoped = apis.some(({ report }) => report.exclusions !== undefined);
  return [
    [{ type: "heading", title: overview.title, subject }],
    verdictBlocks(verdict),
    [dimensionBlock(overview.summary, isScoped)],
    [apiTable(apis, overview, verdict)],
    foundBlocks(apis),
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
  apis: readonly NamedReport[],
  overview: ApisOverview,
  verdict: ReportVerdict | undefined,
): TableBlock {
  const row = ({ name, report }: NamedReport): BlockCell[] => [
    name,
    ...percentCells(report.summary, report.comparison),
    formatNumber(gapCounts(report.summary, report.traffic).total),
    formatNumber(report.findings?.length ?? 0),
    ...(verdict !== undefined ? [failedCell(report.verdict)] : []),
    formatNumber(report.traffic.matched),
    formatNumber(report.traffic.unmatched),
  ];
  const totals: BlockCell[] = [
    "All",
    ...percentCells(overview.summary),
    formatNumber(overview.gaps),
    formatNumber(overview.findings),
    ...(verdict === undefined ? [] : [failedCell(verdict)]),
    formatNumber(overview.matched),
    "",
  ];
  const columns = COLUMNS.filter(({ header }) => verdict !== undefined || header !== FAILED);
  return { type: "table", columns, rows: apis.map(row), totals, most: Infinity };
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

function failedCell(verdict: ReportVerdict | undefined): BlockCell {
  const failed = verdict?.gates.filter(({ passed }) => !passed).length;
  if (failed === undefined) return "–";
  return { text: formatNumber(failed), tone: failed > 0 ? "bad" : undefined };
}

function foundBlocks(apis: readonly NamedReport[]): Block[] {
  const entries = apis.flatMap(({ name, report }) => {
    const groups = findingGroups(report.findings);
    return groups.length === 0 ? [] : [{ text: `${name}: ${findingCounts(groups)}` }];
  });
  if (entries.length === 0) return [];
  return [{ type: "section", title: "Findings", blocks: [{ type: "list", entries, rest: 0 }] }];
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
