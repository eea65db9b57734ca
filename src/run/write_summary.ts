import { apisBlocks } from "../report/apis/apis_blocks.ts";
import { areNamed } from "../report/apis/apis_overview.ts";
import { type Block, proseText } from "../report/blocks/block.ts";
import {
  accessBlocks,
  answerFacts,
  changeCounts,
  diagnosticBlocks,
  dimensionBlock,
  findingCountBlocks,
  headingBlocks,
  noticedBlocks,
} from "../report/blocks/coverage_blocks.ts";
import { joinSections, textLines } from "../report/blocks/text_blocks.ts";
import type { Report } from "../report/report.ts";
import {
  explainNothingMatched,
  NO_REQUESTS,
  nothingMatchedBlocks,
} from "../report/text/nothing_matched.ts";
import { plainText, withoutCommands } from "../report/text/plain_text.ts";
import { wrapText } from "../report/text/text_width.ts";
import { messageLines, sanitizeMessage } from "./error_sentences.ts";
import type { FailedCondition } from "./fail_on.ts";
import type { Host, TextLayout } from "./host.ts";
import type { Output } from "./outputs.ts";

export interface RunMessages {
  readonly warnings: readonly string[];
  readonly missedThresholds: readonly string[];
  readonly failedConditions: readonly FailedCondition[];
  /** True if {@linkcode warnNothingCounted} printed a warning. */
  readonly isWarned: boolean;
  /** The config file whose thresholds and conditions are left to `covtool merge`. */
  readonly unjudged?: string | undefined;
}

/** The most diagnostics in a summary; the report has all of them. */
const MAX_DIAGNOSTICS = 3;

export interface SummaryApi {
  /** Undefined for an API that is measured alone. */
  readonly name: string | undefined;
  readonly report: Report;
  readonly keywordValue: (schema_path: string) => unknown;
}

/** Warns that no request was recorded or matched; before any report, as readers need to know this first. */
export async function warnNothingCounted(
  apis: readonly SummaryApi[],
  nothingRecorded: string | undefined,
  isShown: boolean,
  { width, colors }: TextLayout,
  { stderr }: Host,
): Promise<boolean> {
  const blocks = nothingCounted(apis, nothingRecorded, isShown);
  const lines = textLines(blocks, { width, wraps: true, colors });
  if (lines.length > 0) await stderr.write(withoutCommands(lines.join("\n") + "\n"));
  return lines.length > 0;
}

function nothingCounted(
  apis: readonly SummaryApi[],
  nothingRecorded: string | undefined,
  isShown: boolean,
): readonly Block[] {
  const warning = (text: string): Block[] => [{
    type: "line",
    text: sanitizeMessage(`Warning: ${text}`),
    tone: "warning",
  }];
  const isEmpty = apis.every(({ report }) => report.traffic.recorded === 0);
  const isCountable = apis.some(({ report }) => report.nothing_counted === undefined);
  // Commands that record have a better explanation.
  if (isEmpty && isCountable && nothingRecorded !== undefined) {
    return warning(nothingRecorded);
  }
  return apis.flatMap(({ name, report }, index) => {
    if (name === undefined) return isShown ? [] : nothingMatchedBlocks(report);
    if (isEmpty && isCountable) return index === 0 ? warning(NO_REQUESTS) : [];
    const problem = report.traffic.recorded === 0 && report.nothing_counted === undefined
      ? "No request of the traffic belongs to it."
      : nothingMatchedText(report);
    return problem === undefined ? [] : warning(`${name}: ${problem}`);
  });
}

function nothingMatchedText(report: Report): string | undefined {
  const explained = explainNothingMatched(report);
  if (explained === undefined) return undefined;
  const { basePath } = explained;
  const problem = proseText(explained.problem);
  return basePath === undefined
    ? problem
    : `${problem} Most of them would match with basePath: ${basePath}`;
}

/** Writes the numbers (unless standard output has them), warnings, files and unmet requirements to standard error. */
export async function writeSummary(
  apis: readonly SummaryApi[],
  title: string | undefined,
  outputs: readonly Output[],
  messages: RunMessages,
  layout: TextLayout,
  { stderr }: Host,
): Promise<void> {
  const { width } = layout;
  const isShown = outputs.some(({ path }) => path === undefined);
  const { unjudged } = messages;
  const sections = [
    ...(isShown ? [] : numberSections(apis, title, layout)),
    warningLines([...messages.warnings, ...apis.flatMap(trafficWarnings)], layout),
    ...fileSections(outputs, width),
    unjudged === undefined
      ? []
      : messageLines(`covtool merge checks the thresholds and conditions of ${unjudged}.`, width),
    ...requirementLines(messages, layout),
  ];
  const text = joinSections(sections);
  await stderr.write(withoutCommands(messages.isWarned && text !== "" ? `\n${text}` : text));
}

function numberSections(
  apis: readonly SummaryApi[],
  title: string | undefined,
  { width, colors }: TextLayout,
): string[][] {
  const lines = (blocks: readonly Block[]) => textLines(blocks, { width, wraps: true, colors });
  if (areNamed(apis)) {
    return [
      ...apisBlocks(apis, title).filter(([first]) => first?.type !== "verdict").map(lines),
      ...apis.map(({ name, report }) => {
        const changes = lines(changeLines(report));
        return changes.length === 0 ? [] : [colors.bold(plainText(name)), ...changes];
      }),
    ];
  }
  return apis.flatMap(({ report }) =>
    [
      headingBlocks(report),
      [dimensionBlock(report.summary, report.exclusions !== undefined), ...answerFacts(report)],
      changeLines(report),
      noticedBlocks(report),
      accessBlocks(report),
      findingCountBlocks(report),
      diagnosticBlocks(report, MAX_DIAGNOSTICS),
    ].map(lines)
  );
}

function changeLines({ comparison }: Report): Block[] {
  return comparison === undefined ? [] : changeCounts(comparison);
}

export async function writeWatchRound(
  apis: readonly SummaryApi[],
  since: readonly Report[],
  messages: RunMessages,
  layout: TextLayout,
  { stderr }: Host,
): Promise<void> {
  const { width, colors } = layout;
  const { watchDiff } = await import("../report/text/watch_diff.ts");
  const lines = [
    ...apis.flatMap(({ name, report, keywordValue }) => {
      const last = name === undefined
        ? since[0]
        : since.find(({ title }) => title === report.title);
      // An API that is new in the config file has nothing to be compared with.
      return last === undefined ? [] : [
        ...(name === undefined ? [] : [colors.bold(plainText(name))]),
        ...watchDiff(report, last, width, colors, keywordValue),
      ];
    }),
    ...warningLines(messages.warnings, layout),
    ...requirementLines(messages, layout).flat(),
  ];
  await stderr.write(withoutCommands(`\n${lines.join("\n")}\n`));
}

export function fileSections(outputs: readonly Pick<Output, "path">[], width: number): string[][] {
  return [
    outputs.flatMap(({ path }) => path === undefined ? [] : messageLines(`Report: ${path}`, width)),
  ];
}

export function warningLines(warnings: readonly string[], { width, colors }: TextLayout): string[] {
  return warnings.flatMap((warning) =>
    messageLines(`Warning: ${warning}`, width).map((line) => colors.yellow(line))
  );
}

export function requirementLines(
  { missedThresholds, failedConditions }: Pick<
    RunMessages,
    "missedThresholds" | "failedConditions"
  >,
  { width, colors }: TextLayout,
): string[][] {
  return [
    missedThresholds.length === 0 ? [] : [
      colors.red.bold(missedThresholds.length === 1 ? "Threshold not met:" : "Thresholds not met:"),
      ...missedThresholds.map((line) => colors.red(`  ${sanitizeMessage(line)}`)),
    ],
    ...failedConditions.map(({ condition, reasons }) => [
      colors.red.bold(`Failed on ${condition}:`),
      ...reasons.flatMap((reason) =>
        wrapText(sanitizeMessage(reason), width - 2).map((line) => colors.red(`  ${line}`))
      ),
    ]),
  ];
}

/** Traffic that mostly misses the description points to a wrong call of covtool, not to bad tests. */
function trafficWarnings({ name, report }: SummaryApi): string[] {
  const { traffic, suggested_base_path: basePath } = report;
  if (name !== undefined || traffic.matched === 0 || basePath === null) return [];
  return [
    `Much of the traffic matches no operation. Most of it would with --base-path ${basePath}`,
  ];
}
