import { operationName } from "../../values/operation_name.ts";
import type { Report, ReportVerdict } from "../report.ts";
import { capitalized, formatAmount, formatNumber, formatPeriod } from "../wording/amounts.ts";
import { missingClasses } from "../wording/values_wording.ts";
import {
  type Block,
  entryText,
  type FiguresBlock,
  firstEntries,
  type ListBlock,
  type ListEntry,
  type SectionBlock,
  type Tone,
} from "./block.ts";
import type { Finding, Gap, Summary } from "../../map/results.ts";
import type { Comparison } from "../comparison/comparison.ts";
import { dimensionFigures, type FigureName, otherFigures } from "../figures.ts";
import type { NextRequests } from "../../suggest/suggestion.ts";
import { basePathHint, nothingMatchedBlocks } from "../text/nothing_matched.ts";
import { nextBlocks } from "../wording/shown_requests.ts";
import { listGaps, namedGap } from "../text/gap_text.ts";
import { plainText } from "../text/plain_text.ts";
import {
  findingCounts,
  findingGroups,
  findingRequest,
  findingWording,
  undeclaredWording,
  UNMATCHED_REASONS,
} from "../wording/finding_wording.ts";
import { accessGaps, accessGapText, accessNotes } from "../wording/access_wording.ts";
import {
  assertionCode,
  testToExtend,
  unnoticedParts,
  unnoticedText,
} from "../wording/noticed_wording.ts";
import { diagnosticPlace } from "../wording/place_name.ts";
import {
  credentialsText,
  excludedAmounts,
  exclusionOrigin,
  notMeasuredText,
  tclText,
} from "../wording/summary_wording.ts";
import { baselineText, type ChangeFact, changeFacts } from "../wording/verdict_text.ts";

type KeywordValue = (schema_path: string) => unknown;

const MAX_GAPS = 10;
const MAX_UNDECLARED = 20;
const MAX_EXCLUSIONS = 20;
const MAX_UNMATCHED = 10;
const MAX_DIAGNOSTICS = 10;

interface ReportBlocksOptions {
  /** What is reported about the title: `API coverage`. */
  readonly subject?: string;
  readonly operations: readonly (readonly Block[])[];
  readonly next: NextRequests | undefined;
  readonly tcl: boolean | undefined;
  readonly keywordValue: KeywordValue | undefined;
  /** Limits of the lists. If `others` is missing, each other list has its own default. */
  readonly most: { readonly findings: number; readonly values: number; readonly others?: number };
}

/** The content of a report for people, grouped, in the order of most formats. */
interface ReportBlocks {
  /** The reason why nothing is counted, if nothing is. */
  readonly warnings: readonly Block[];
  readonly heading: Heading;
  readonly verdict: readonly Block[];
  readonly figures: readonly Block[];
  readonly changes: readonly Block[];
  readonly details: readonly (readonly Block[])[];
  /** Notes on what the figures leave out. */
  readonly notes: readonly Block[];
  readonly diagnostics: readonly Block[];
  readonly next: readonly Block[];
}

export function reportBlocks(
  report: Report,
  { subject, operations, next, tcl, keywordValue, most }: ReportBlocksOptions,
): ReportBlocks {
  const { summary, comparison, exclusions, verdict } = report;
  return {
    warnings: nothingMatchedBlocks(report),
    heading: headingBlocks(report, subject),
    verdict: verdictBlocks(verdict),
    figures: [
      dimensionBlock(summary, exclusions !== undefined, comparison),
      ...answerFacts(report),
      ...fact("Credentials", "Credentials", credentialsText(report.operations)),
      ...(tcl === true && summary.tcl !== undefined
        ? fact("TCL", "Test coverage level", tclText(summary.tcl, report.tcl_criteria))
        : []),
    ],
    changes: changeBlocks(comparison, keywordValue),
    details: [
      ...operations,
      noticedBlocks(report, most.others),
      accessBlocks(report, most.others),
      findingBlocks(report, most.findings),
      undeclaredBlocks(report, most.others),
      valueBlocks(report, most.values),
      exclusionBlocks(report),
      unmatchedBlocks(report),
    ],
    notes: noteBlocks(report),
    diagnostics: diagnosticBlocks(report),
    next: nextBlocks(report, next),
  };
}

export function verdictBlocks(verdict: ReportVerdict | undefined): Block[] {
  return verdict === undefined ? [] : [{ type: "verdict", verdict }];
}

type Heading = readonly [title: Block, schema: Block, traffic: Block];

export function headingBlocks(report: Report, subject?: string): Heading {
  return [
    { type: "heading", title: report.title, subject },
    { type: "line", text: schemaText(report), tone: "quiet" },
    { type: "line", text: trafficText(report.traffic), tone: "quiet" },
  ];
}

export function schemaText({ title, schema }: Report): string {
  const facts = schemaFacts(schema);
  if (schema.title !== title && schema.title !== "") facts.unshift(schema.title);
  if (schema.base_path !== null) facts.push(`base path ${schema.base_path}`);
  return facts.join(" · ");
}

export function schemaFacts(
  { specification, version, location }: Omit<Report["schema"], "base_path">,
): string[] {
  return [specification, ...(version === "" ? [] : [`version ${version}`]), location];
}

export function trafficText(
  { recorded, matched, unmatched, first_at, last_at }: Report["traffic"],
): string {
  return `${formatAmount(recorded, "request")}: ${formatNumber(matched)} matched, ${
    formatNumber(unmatched)
  } unmatched${formatPeriod(first_at, last_at)}`;
}

export function dimensionBlock(
  summary: Summary,
  isScoped: boolean,
  comparison?: Comparison,
): FiguresBlock {
  const rows = dimensionFigures(summary, isScoped).map((row) => ({
    ...row,
    before: comparison?.summary[row.name].percent,
  }));
  return { type: "figures", header: "Covered", rows };
}

/** Names of figures that differ from their labels: a short name, and one that fits into a sentence. */
const FACT_NAMES: Partial<Readonly<Record<FigureName, readonly [label: string, name: string]>>> = {
  enforcement: ["Enforced", "Enforcement"],
  response_keywords: ["Returned", "Responses"],
};

export function answerFacts({ summary }: Report): Block[] {
  return otherFigures(summary).flatMap(({ name, label, percent, fact: text }) => {
    const [short, long] = FACT_NAMES[name] ?? [label, label];
    return fact(short, percent === null && name === "response_keywords" ? "" : long, text);
  });
}

const MAX_ACCESS_GAPS = 10;

/** Expectations about access that no test tried. Empty if no identities are configured. */
export function accessBlocks(report: Report, most: number = MAX_ACCESS_GAPS): Block[] {
  const gaps = accessGaps(report);
  const notes = accessNotes(report).map((text): Block => ({ type: "line", text, tone: "warning" }));
  if (gaps.length === 0) return notes;
  const title = `Access to try: ${formatNumber(gaps.length)}`;
  return listSection(title, gaps, most, operationEntry(accessGapText), notes);
}

function listSection<Item>(
  title: string,
  items: readonly Item[],
  most: number,
  write: (item: Item) => ListEntry,
  before: readonly Block[] = [],
): SectionBlock[] {
  const list: ListBlock = { type: "list", ...firstEntries(items, most, write) };
  return [{ type: "section", title, blocks: [...before, list] }];
}

function operationEntry<Item extends { readonly method: string; readonly path: string }>(
  write: (item: Item) => string,
): (item: Item) => ListEntry {
  return (item) => ({ operation: operationName(item), text: write(item) });
}

const MAX_UNNOTICED = 20;

/** Parts of responses whose changes no test noticed. Empty if no changes were tried. */
export function noticedBlocks(report: Report, most: number = MAX_UNNOTICED): Block[] {
  const unnoticed = unnoticedParts(report);
  if (unnoticed.length === 0) return [];
  const title = `Assertions worth adding: ${formatNumber(unnoticed.length)}`;
  return listSection(title, unnoticed, most, (part) => {
    const test = testToExtend(part);
    const others = part.reached_by.length - 1;
    const more = others === 0 ? "" : `, or in ${formatAmount(others, "other test")}`;
    return {
      operation: operationName(part),
      text: [`${part.status_code}: ${unnoticedText(part)}: `, {
        code: assertionCode(part, report.tests),
      }],
      notes: test === undefined ? [] : [{ text: `in ${test}${more}`, tone: "quiet" }],
    };
  });
}

function fact(label: string, name: string, text: string | undefined): Block[] {
  return text === undefined ? [] : [{ type: "fact", label, name, text }];
}

/** Changes since the baseline: new gaps and findings as lists, other changes as counts. */
function changeBlocks(
  comparison: Comparison | undefined,
  keywordValue?: KeywordValue,
): Block[] {
  if (comparison === undefined) return [];
  const { new_gaps, new_findings = [], uncovered_additions } = comparison;
  const factLists = ({ about, text }: ChangeFact): ListBlock[] => {
    switch (about) {
      case "new_gaps":
        return gapList(text, new_gaps, "bad", MAX_GAPS, keywordValue);
      case "new_findings":
        return newFindingList(new_findings, MAX_GAPS);
      case "uncovered_additions":
        return gapList(text, uncovered_additions, "warning", MAX_GAPS, keywordValue);
      default:
        return [];
    }
  };
  const facts = changeFacts(comparison);
  const lists = facts.map(factLists);
  return [
    ...changeCounts(comparison, facts.filter((_, index) => lists[index]?.length === 0)),
    ...lists.flat().map(({ title = "", tone, ...list }): Block => ({
      type: "section",
      title,
      tone,
      blocks: [list],
    })),
  ];
}

const CHANGE_TONES: Partial<Readonly<Record<ChangeFact["about"], Tone>>> = {
  new_gaps: "bad",
  new_findings: "bad",
  closed_gaps: "good",
};

export function changeCounts(
  comparison: Comparison,
  facts: readonly ChangeFact[] = changeFacts(comparison),
): Block[] {
  const text = `Since the ${baselineText(comparison.baseline)}`;
  const entries = facts.map(({ about, text, isNone }) => ({
    text: capitalized(text),
    tone: isNone === true ? undefined : CHANGE_TONES[about],
  }));
  return [
    { type: "line", text, tone: "strong" },
    ...(entries.length === 0 ? [] : [{ type: "list", entries, rest: 0 } as const]),
  ];
}

export function gapList(
  title: string,
  gaps: readonly Gap[],
  tone: Tone,
  most: number,
  keywordValue?: KeywordValue,
): ListBlock[] {
  if (gaps.length === 0) return [];
  const { shown, rest } = listGaps(gaps, most);
  const entries = shown.map(({ gap, others }) => {
    const more = others === 0 ? "" : ` (${formatAmount(others, "more gap")})`;
    return { operation: operationName(gap), text: namedGap(gap, keywordValue) + more };
  });
  return [{ type: "list", title, tone, entries, rest }];
}

/** Describes the first gaps of a list, each as a sentence without a full stop, and how many more there are. */
export function gapSentences(
  gaps: readonly Gap[],
  most: number,
  keywordValue?: KeywordValue,
): string[] {
  return gapList("", gaps, "bad", most, keywordValue).flatMap(({ entries, rest }) => [
    ...entries.map((entry) => plainText(entryText(entry))),
    ...(rest === 0 ? [] : [`and ${formatNumber(rest)} more`]),
  ]);
}

export function newFindingList(findings: readonly Finding[], most: number): ListBlock[] {
  if (findings.length === 0) return [];
  return [{
    type: "list",
    title: formatAmount(findings.length, "new finding"),
    tone: "bad",
    ...firstEntries(findings, most, operationEntry(findingWording)),
  }];
}

function findingBlocks({ findings = [] }: Report, most: number): Block[] {
  const groups = findingGroups(findings);
  if (groups.length === 0) return [];
  return [{
    type: "section",
    title: `Findings: ${formatNumber(findings.length)}`,
    digest: `Findings: ${findingCounts(groups)}`,
    blocks: groups.map(({ kind, findings }) => ({
      type: "list",
      title: `${kind.title}: ${formatNumber(findings.length)}`,
      tone: kind.isWarning ? "warning" : "bad",
      ...firstEntries(findings, most, findingEntry),
    })),
  }];
}

function findingEntry(finding: Finding): ListEntry {
  const request = findingRequest(finding);
  const example = request === "" ? [] : [" For example: ", { code: request }, "."];
  return { operation: operationName(finding), text: [findingWording(finding), ...example] };
}

export function findingCountBlocks({ findings }: Report): Block[] {
  const groups = findingGroups(findings);
  const tone = groups.every(({ kind }) => kind.isWarning) ? "warning" : "bad";
  if (groups.length === 0) return [];
  return [{ type: "line", text: `Findings: ${findingCounts(groups)}`, tone }];
}

function undeclaredBlocks(
  { undocumented_properties: list }: Report,
  most: number = MAX_UNDECLARED,
): SectionBlock[] {
  if (list === undefined) return [];
  const title = `Undocumented properties: ${formatNumber(list.length)}`;
  return listSection(title, list, most, operationEntry(undeclaredWording));
}

function exclusionBlocks({ exclusions = [] }: Report): Block[] {
  if (exclusions.length === 0) return [];
  const stale = exclusions.filter((exclusion) => exclusion.stale !== null).length;
  const title = `Excluded: ${formatAmount(exclusions.length, "exclusion")}`;
  const end = stale === 0 ? "" : `, ${formatNumber(stale)} stale`;
  return listSection(title + end, exclusions, MAX_EXCLUSIONS, (exclusion) => {
    const { pattern, reason, schema_path, stale } = exclusion;
    return {
      text: [
        { code: pattern },
        ...(schema_path === undefined ? [] : [" at ", { code: schema_path }]),
        ` (${exclusionOrigin(exclusion)})${reason === null ? "" : `: ${reason}`}`,
      ],
      notes: [
        { text: `leaves out ${excludedAmounts(exclusion)}`, tone: "quiet" },
        ...(stale === null ? [] : [{ text: `stale: ${stale}`, tone: "warning" } as const]),
      ],
    };
  });
}

function unmatchedBlocks(
  { unmatched, unmatched_total, traffic, suggested_base_path: basePath }: Report,
): Block[] {
  if (unmatched_total === 0) return [];
  // If no request matched at all, the hint is at the beginning of the report.
  const hint = basePath === null || traffic.matched === 0 ? [] : [basePathHint(basePath)];
  const rows = unmatched.toSorted((left, right) => right.count - left.count).map((request) => [
    formatNumber(request.count),
    UNMATCHED_REASONS[request.reason],
    `${request.method} ${request.host}${request.path}`,
  ]);
  return [{
    type: "section",
    title: `Unmatched requests: ${formatNumber(unmatched_total)}`,
    blocks: [{
      type: "table",
      columns: [
        { header: "Count", kind: "number" },
        { header: "Why", kind: "text" },
        { header: "Request", kind: "operation" },
      ],
      rows,
      most: MAX_UNMATCHED,
    }],
  }, ...hint];
}

function noteBlocks(report: Report): Block[] {
  let malformed = 0;
  let notRecorded = 0;
  const unsupported = new Set<string>();
  for (const { parameters } of report.operations) {
    for (const parameter of parameters) {
      if (parameter.excluded !== undefined) continue;
      malformed += parameter.malformed;
      if (parameter.measured !== false && parameter.location !== "path") {
        notRecorded += parameter.not_recorded;
      }
      if (parameter.unsupported && parameter.hits > 0) unsupported.add(parameter.parameter);
    }
  }
  const { responses } = report.summary;
  const notes: string[] = [];
  const hidden = notMeasuredText(report);
  if (hidden !== undefined) notes.push(`${hidden}.`);
  if (!responses.measured && responses.total > 0) {
    notes.push("Responses are not measured: the traffic has no responses.");
  }
  if (malformed > 0) notes.push(`${formatAmount(malformed, "body", "bodies")} couldn't be parsed.`);
  if (notRecorded > 0) {
    notes.push(
      `${formatAmount(notRecorded, "body is", "bodies are")} missing or cut in the recording.`,
    );
  }
  if (unsupported.size > 0) {
    notes.push(`Not decoded, so their keywords are not measured: ${[...unsupported].join(", ")}.`);
  }
  return notes.map((text) => ({ type: "line", text }));
}

const SEVERITIES = [["error", "error"], ["warning", "warning"], ["info", "note"]] as const;

export function diagnosticBlocks(
  { diagnostics, schema }: Report,
  most: number = MAX_DIAGNOSTICS,
): Block[] {
  if (diagnostics.length === 0) return [];
  const groups = SEVERITIES.map(([severity, noun]) => {
    const list = diagnostics.filter((diagnostic) => diagnostic.severity === severity);
    return { list, count: list.length === 0 ? [] : [formatAmount(list.length, noun)] };
  });
  const title = `Description: ${groups.flatMap(({ count }) => count).join(", ")}`;
  return listSection(title, groups.flatMap(({ list }) => list), most, (one) => {
    const place = diagnosticPlace(one, schema.location) ?? one.schema_path;
    return { text: `${one.severity}: ${one.message} (${place})` };
  });
}

function valueBlocks(report: Report, most: number): Block[] {
  const missing = missingClasses(report);
  if (missing.length === 0) return [];
  const count = missing.reduce((sum, place) => sum + place.count, 0);
  const title = `Values to send: ${formatNumber(count)}`;
  return listSection(title, missing, most, operationEntry(({ text }) => text));
}
