import type { Finding } from "../map/results.ts";
import { type JudgedThreshold, judgeThresholds, OPTIONAL_MEASURES } from "../map/thresholds.ts";
import { gapSentences } from "./blocks/coverage_blocks.ts";
import { type DimensionFacts, dimensionFigures } from "./figures.ts";
import { formatAmount, formatNumber, formatPercent } from "./wording/amounts.ts";
import type { Report, ReportExclusion } from "./report.ts";
import type { ReportedApi } from "./reported_api.ts";
import { operationName } from "../values/operation_name.ts";
import { xmlText } from "./text/plain_text.ts";
import { FINDING_KINDS, findingGroups, findingText } from "./wording/finding_wording.ts";
import { accessGaps, accessGapText, accessNotes } from "./wording/access_wording.ts";
import { unnoticedParts, unnoticedText } from "./wording/noticed_wording.ts";
import { excludedAmounts, exclusionOrigin, notMeasuredText } from "./wording/summary_wording.ts";
import { baselineText, MEASURE_NAMES, thresholdLines } from "./wording/verdict_text.ts";

const MAX_GAPS = 50;
const MAX_FINDINGS = 50;

type JunitApi = ReportedApi<"view" | "thresholds" | "failOnFindings">;

/** Writes thresholds, exclusions and kinds of findings as test cases in JUnit XML, with a suite for each API. */
export function generateJunitReport(apis: readonly JunitApi[]): string {
  const suites = apis.map(makeSuite);
  const tests = suites.reduce((sum, suite) => sum + suite.tests, 0);
  const failures = suites.reduce((sum, suite) => sum + suite.failures, 0);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="API coverage" tests="${tests}" failures="${failures}" errors="0" time="0">
${suites.map(({ text }) => text).join("")}</testsuites>
`;
}

interface TestSuite {
  readonly text: string;
  readonly tests: number;
  readonly failures: number;
}

function makeSuite({ name, report, input }: JunitApi): TestSuite {
  const { thresholds = {}, failOnFindings = [], view } = input;
  const judged = judgeThresholds(report.summary, thresholds);
  const suite = xmlText(`API coverage of ${name ?? report.title}`);
  const cases = [
    ...dimensionFigures(report.summary, report.exclusions !== undefined).map((figure) =>
      dimensionCase(figure, thresholds[figure.name] ?? thresholds.base, judged)
    ),
    ...judged.filter(({ dimension }) =>
      OPTIONAL_MEASURES.some(({ measure }) => measure === dimension)
    )
      .map((one) => optionalCase(one, report.summary.tcl?.level)),
    ...(report.exclusions ?? []).map(exclusionCase),
    ...newGapsCase(report, report.comparison && view?.().keywordValue),
    ...unnoticedCase(report),
    ...accessCase(report),
    ...findingCases(report, failOnFindings),
    ...conditionCases(report),
  ];
  const outcomes = cases.flatMap(({ outcome }) => outcome ?? []);
  const failures = outcomes.filter((outcome) => "failed" in outcome).length;
  const skipped = outcomes.length - failures;
  const text =
    `  <testsuite name="${suite}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="0" timestamp="${
      xmlText(report.generated_at.replace(/Z$/, ""))
    }">
${cases.map((one) => caseText(one, suite)).join("")}${notMeasured(report)}  </testsuite>
`;
  return { text, tests: cases.length, failures };
}

/** One or several lines. Line breaks within each are escaped, so that no text can begin a new line. */
type Lines = string | readonly string[];

type Outcome =
  | { readonly skipped: string }
  | { readonly failed: string; readonly type: string; readonly details: Lines };

interface TestCase {
  readonly name: string;
  readonly output: Lines;
  /** Undefined if the test case passed. */
  readonly outcome?: Outcome | undefined;
}

function xmlLines(lines: Lines): string {
  return [lines].flat().map(xmlText).join("\n");
}

function caseText({ name, output, outcome }: TestCase, suite: string): string {
  const element = outcome === undefined
    ? ""
    : "skipped" in outcome
    ? `      <skipped message="${xmlText(outcome.skipped)}"/>\n`
    : `      <failure message="${xmlText(outcome.failed)}" type="${outcome.type}">${
      xmlLines(outcome.details)
    }</failure>\n`;
  return `    <testcase name="${xmlText(name)}" classname="${suite}" time="0">
${element}      <system-out>${xmlLines(output)}</system-out>
    </testcase>
`;
}

function exclusionCase(exclusion: ReportExclusion): TestCase {
  const { pattern, reason, schema_path, stale } = exclusion;
  const name = schema_path === undefined ? pattern : `${pattern} ${schema_path}`;
  const output = `${exclusionOrigin(exclusion)}: ${excludedAmounts(exclusion)}`;
  return {
    name: `excluded: ${name}`,
    output: stale === null ? output : `${output}. Stale: ${stale}`,
    outcome: { skipped: reason ?? "no reason given" },
  };
}

function newGapsCase(
  { comparison }: Report,
  keywordValue: ((schema_path: string) => unknown) | undefined,
): TestCase[] {
  if (comparison === undefined) return [];
  const { new_gaps, baseline } = comparison;
  const number = formatAmount(new_gaps.length, "new gap");
  const details = gapSentences(new_gaps, MAX_GAPS, keywordValue).join("; ");
  const outcome = { failed: `${number} since the baseline`, type: "baseline", details };
  return [{
    name: "new gaps",
    output: `${number} since the ${baselineText(baseline)}`,
    outcome: new_gaps.length > 0 ? outcome : undefined,
  }];
}

function unnoticedCase(report: Report): TestCase[] {
  if (report.noticed === undefined) return [];
  const parts = unnoticedParts(report);
  const lines = parts.map((part) =>
    `${operationName(part)} ${part.status_code}: ${unnoticedText(part)}`
  );
  return [openCase("unnoticed", formatAmount(parts.length, "unnoticed part"), lines)];
}

function accessCase(report: Report): TestCase[] {
  if (report.access === undefined) return [];
  const lines = accessGaps(report).map((gap) => `${operationName(gap)}: ${accessGapText(gap)}`);
  const number = formatAmount(lines.length, "gap in who may do what", "gaps in who may do what");
  return [openCase("access", number, [...lines, ...accessNotes(report)])];
}

/** A test case without a requirement: skipped if there is anything to list, as only requirements can fail. */
function openCase(name: string, number: string, all: readonly string[]): TestCase {
  if (all.length === 0) return { name, output: number };
  return { name, output: [`${number}:`, ...firstLines(all)], outcome: { skipped: number } };
}

function firstLines(all: readonly string[]): readonly string[] {
  const rest = all.length - MAX_FINDINGS;
  return rest <= 0 ? all : [...all.slice(0, MAX_FINDINGS), `And ${formatNumber(rest)} more.`];
}

/** A test case for each kind of finding. A kind that no condition names is skipped, so that it doesn't fail a build. */
function findingCases(
  { findings }: Report,
  failing: readonly Finding["kind"][],
): TestCase[] {
  const groups = findingGroups(findings);
  return FINDING_KINDS.flatMap(({ kind, noun }) => {
    const ofKind = groups.find((group) => group.kind.kind === kind)?.findings ?? [];
    const number = formatAmount(ofKind.length, ...noun);
    const lines = ofKind.map((finding) => `${operationName(finding)}: ${findingText(finding)}`);
    if (!failing.includes(kind)) return lines.length === 0 ? [] : [openCase(kind, number, lines)];
    const failure = { failed: number, type: "finding", details: firstLines(lines) };
    return [{ name: kind, output: number, outcome: lines.length === 0 ? undefined : failure }];
  });
}

/** Conditions that have other test cases: those about findings, and the one about new gaps. */
const OTHERWISE_TESTED = new Set(["all", "new-gaps", ...FINDING_KINDS.map(({ kind }) => kind)]);

function conditionCases({ verdict }: Report): TestCase[] {
  return (verdict?.gates ?? []).flatMap(({ kind, name, passed, sentence, found }) => {
    if (kind !== "fail_on" || OTHERWISE_TESTED.has(name)) return [];
    const failure = { failed: sentence, type: "condition", details: found };
    return [{ name, output: sentence, outcome: passed ? undefined : failure }];
  });
}

function notMeasured(report: Report): string {
  const hidden = notMeasuredText(report);
  const text = report.nothing_counted ?? (hidden && `${hidden}.`);
  return text === undefined ? "" : `    <system-out>${xmlText(text)}</system-out>\n`;
}

function dimensionCase(
  { name: dimension, label, percent, counts }: DimensionFacts,
  minimum: number | undefined,
  judged: readonly JudgedThreshold[],
): TestCase {
  const shortfall = judged.find((one) => one.dimension === dimension && !one.isMet);
  const number = percent === null ? counts : `${formatPercent(percent)} (${counts})`;
  const output = minimum === undefined ? number : `${number}, threshold ${minimum}%`;
  const outcome = shortfall === undefined
    ? percent === null ? { skipped: counts } : undefined
    : shortOutcome(shortfall, ` ${label}: ${number}.`);
  return { name: dimension, output: `${dimension}: ${output}`, outcome };
}

function shortOutcome(shortfall: JudgedThreshold, more: string): Outcome {
  const [failed = ""] = thresholdLines([shortfall]);
  return { failed, type: "threshold", details: `${failed}.${more}` };
}

/** The test case of a figure that isn't a dimension. Only figures with a threshold have one. */
function optionalCase(judged: JudgedThreshold, level: number | undefined): TestCase {
  const { dimension, minimum, counts, isMet } = judged;
  const [shown, limit] = dimension === "tcl"
    ? [String(level ?? "not measured"), minimum]
    : [counts?.map(formatNumber).join(" of ") ?? "not measured", `${minimum}%`];
  return {
    name: dimension,
    output: `${MEASURE_NAMES[dimension]}: ${shown}, threshold ${limit}`,
    outcome: isMet ? undefined : shortOutcome(judged, ""),
  };
}
