import type { Dimension, Finding, Summary } from "../map/results.ts";
import {
  checkThresholds,
  type Measure,
  type Shortfall,
  type Thresholds,
} from "../map/thresholds.ts";
import { type DimensionRow, dimensionRows } from "./dimension_rows.ts";
import { formatPercent } from "./percent.ts";
import type { Report, ReportExclusion } from "./report.ts";
import { MEASURE_NAMES, thresholdLines } from "./threshold_lines.ts";
import { gapSentences } from "./text/change_lines.ts";
import { baselineText } from "./wording/baseline_text.ts";
import { findingGroups } from "./wording/finding_groups.ts";
import { FINDING_KINDS, findingWording } from "./wording/finding_wording.ts";
import { formatAmount, formatNumber } from "./wording/amounts.ts";
import { excludedAmounts, exclusionOrigin } from "./wording/exclusion_wording.ts";
import { notMeasuredText } from "./wording/not_measured_text.ts";
import { xmlText } from "./xml/xml_text.ts";

/** The number of gaps that a failure names. */
const MOST_GAPS = 50;
/** The number of findings that a failure lists. */
const MOST_FINDINGS = 50;

/** The options of a JUnit report. */
export interface JunitReportOptions {
  /** The percentages that have to be reached; without any every dimension passes. */
  readonly thresholds?: Thresholds | undefined;
  /** The kinds of findings that fail; without any none does. */
  readonly failOnFindings?: readonly Finding["kind"][] | undefined;
  /** The value of a keyword in the description, by its schema path: new gaps then say which value to send. */
  readonly keywordValue?: ((schema_path: string) => unknown) | undefined;
}

/**
 * Writes the thresholds as tests in JUnit XML, as build servers read it: each dimension is a test case, which fails where
 * it is below its threshold and is skipped where there is nothing to measure. Exclusions are skipped tests. So
 * are kinds of findings that were seen, unless they are asked to fail. The names stay the same from run to run;
 * the numbers are in the output of each test.
 *
 * @throws {RangeError} if a threshold is not from 0 to 100.
 *
 * @example
 * ```ts ignore
 * const xml = generateJunitReport(report, { thresholds: { base: 80 } });
 * assert.ok(xml.includes("keywords: 61.3% is below 80%"));
 * ```
 */
export function generateJunitReport(report: Report, options: JunitReportOptions = {}): string {
  return junitXml([suiteOf(report, options)]);
}

/** One of several APIs, with its thresholds. */
export interface JunitApi extends JunitReportOptions {
  readonly report: Report;
}

/**
 * Writes the thresholds of several APIs as JUnit XML, with a test suite for each.
 *
 * @throws {RangeError} if a threshold is not from 0 to 100.
 */
export function generateApisJunitReport(apis: readonly JunitApi[]): string {
  return junitXml(apis.map((api) => suiteOf(api.report, api)));
}

interface TestSuite {
  readonly text: string;
  readonly tests: number;
  readonly failures: number;
}

function junitXml(suites: readonly TestSuite[]): string {
  const tests = suites.reduce((sum, suite) => sum + suite.tests, 0);
  const failures = suites.reduce((sum, suite) => sum + suite.failures, 0);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="API coverage" tests="${tests}" failures="${failures}" errors="0" time="0">
${suites.map(({ text }) => text).join("")}</testsuites>
`;
}

function suiteOf(report: Report, options: JunitReportOptions): TestSuite {
  const thresholds = options.thresholds ?? {};
  const shortfalls = checkThresholds(report.summary, thresholds);
  const suite = `API coverage of ${report.title}`;
  const cases = dimensionRows(report.summary, report.exclusions !== undefined).map((row) =>
    testCase(
      row,
      suite,
      thresholds,
      shortfalls.find((shortfall) => shortfall.dimension === row.dimension),
    )
  );
  for (
    const [measure, minimum] of [
      ["keywords_full", thresholds.keywordsFull],
      ["succeeded", thresholds.succeeded],
      ["enforcement", thresholds.enforcement],
      ["response_keywords", thresholds.responseKeywords],
      ["tcl", thresholds.tcl],
    ] as const
  ) {
    if (minimum === undefined) continue;
    cases.push(
      ownCase(
        measure,
        ownNumber(measure, report.summary),
        minimum,
        suite,
        shortfalls.find(({ dimension }) => dimension === measure),
      ),
    );
  }
  cases.push(...(report.exclusions ?? []).map((exclusion) => exclusionCase(exclusion, suite)));
  const fresh = newGapsCase(report, suite, options.keywordValue);
  if (fresh !== undefined) cases.push(fresh);
  const found = findingCases(report, options.failOnFindings ?? [], suite);
  cases.push(...found);
  const failures = shortfalls.length +
    [...found, ...(fresh === undefined ? [] : [fresh])].filter(({ isFailed }) => isFailed).length;
  const skipped = cases.filter(({ isSkipped }) => isSkipped).length;
  const text = `  <testsuite name="${
    xmlText(suite)
  }" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="0" timestamp="${
    xmlText(report.generated_at.replace(/Z$/, ""))
  }">
${cases.map(({ text }) => text).join("")}${notMeasured(report)}  </testsuite>
`;
  return { text, tests: cases.length, failures };
}

interface TestCase {
  readonly text: string;
  readonly isSkipped: boolean;
}

/** An exclusion is a test that is skipped, with its reason. */
function exclusionCase(exclusion: ReportExclusion, suite: string): TestCase {
  const { pattern, reason, schema_path, stale } = exclusion;
  const name = schema_path === undefined ? pattern : `${pattern} ${schema_path}`;
  const output = `${exclusionOrigin(exclusion)}: ${excludedAmounts(exclusion)}`;
  const text = `    <testcase name="${xmlText(`excluded: ${name}`)}" classname="${
    xmlText(suite)
  }" time="0">
      <skipped message="${xmlText(reason ?? "no reason given")}"/>
      <system-out>${xmlText(stale === null ? output : `${output}. Stale: ${stale}`)}</system-out>
    </testcase>
`;
  return { text, isSkipped: true };
}

/** The test that no gap is new since the baseline; undefined without one. */
function newGapsCase(
  { comparison }: Report,
  suite: string,
  valueOf: ((schema_path: string) => unknown) | undefined,
): { readonly text: string; readonly isSkipped: false; readonly isFailed: boolean } | undefined {
  if (comparison === undefined) return undefined;
  const { new_gaps } = comparison;
  const number = formatAmount(new_gaps.length, "new gap");
  const list = gapSentences(new_gaps, MOST_GAPS, valueOf).join("; ");
  const isFailed = new_gaps.length > 0;
  const failure = isFailed
    ? `      <failure message="${xmlText(`${number} since the baseline`)}" type="baseline">${
      xmlText(list)
    }</failure>\n`
    : "";
  const text = `    <testcase name="new gaps" classname="${xmlText(suite)}" time="0">
${failure}      <system-out>${
    xmlText(`${number} since the ${baselineText(comparison.baseline)}`)
  }</system-out>
    </testcase>
`;
  return { text, isSkipped: false, isFailed };
}

/**
 * A test for each kind of findings that is asked to fail, and for each other that was seen: that one is skipped, since a
 * report that nobody asked to judge shouldn't fail a build.
 */
function findingCases(
  { findings }: Report,
  failing: readonly Finding["kind"][],
  suite: string,
): (TestCase & { readonly isFailed: boolean })[] {
  const groups = findingGroups(findings);
  return FINDING_KINDS.flatMap(({ kind, noun }) => {
    const isAsked = failing.includes(kind);
    const own = groups.find((group) => group.kind.kind === kind)?.findings ?? [];
    if (own.length === 0 && !isAsked) return [];
    const number = formatAmount(own.length, ...noun);
    const sentences = own.slice(0, MOST_FINDINGS).map((finding) =>
      `${finding.method} ${finding.path}: ${findingWording(finding)}`
    );
    const rest = own.length - sentences.length;
    const list = [...sentences, ...(rest === 0 ? [] : [`And ${formatNumber(rest)} more.`])]
      .map(xmlText).join("\n");
    const isFailed = own.length > 0 && isAsked;
    const isSkipped = own.length > 0 && !isAsked;
    const outcome = isFailed
      ? `      <failure message="${xmlText(number)}" type="finding">${list}</failure>\n`
      : isSkipped
      ? `      <skipped message="${xmlText(number)}"/>\n`
      : "";
    const output = isSkipped ? `${xmlText(number)}:\n${list}` : xmlText(number);
    const text = `    <testcase name="${kind}" classname="${xmlText(suite)}" time="0">
${outcome}      <system-out>${output}</system-out>
    </testcase>
`;
    return [{ text, isSkipped, isFailed }];
  });
}

/** What the traffic can't show, as output of the suite. */
function notMeasured(report: Report): string {
  const text = notMeasuredText(report);
  return text === undefined ? "" : `    <system-out>${xmlText(text)}.</system-out>\n`;
}

function testCase(
  row: DimensionRow,
  suite: string,
  thresholds: Thresholds,
  shortfall: Shortfall | undefined,
): TestCase {
  const minimum = minimumOf(row.dimension, thresholds);
  const number = row.percent === null
    ? row.counts
    : `${formatPercent(row.percent)} (${row.counts})`;
  const output = minimum === undefined ? number : `${number}, threshold ${minimum}%`;
  const isSkipped = shortfall === undefined && row.percent === null;
  let outcome = "";
  if (shortfall !== undefined) {
    const [sentence = ""] = thresholdLines([shortfall]);
    outcome = `      <failure message="${xmlText(sentence)}" type="threshold">${
      xmlText(`${sentence}. ${row.label}: ${number}.`)
    }</failure>\n`;
  } else if (isSkipped) {
    outcome = `      <skipped message="${xmlText(row.counts)}"/>\n`;
  }
  const text = `    <testcase name="${row.dimension}" classname="${xmlText(suite)}" time="0">
${outcome}      <system-out>${xmlText(`${row.dimension}: ${output}`)}</system-out>
    </testcase>
`;
  return { text, isSkipped };
}

type OwnMeasure = Exclude<Measure, Dimension>;

function ownNumber(
  measure: OwnMeasure,
  { keywords, operations, enforcement, response_keywords: returned, tcl }: Summary,
): string {
  switch (measure) {
    case "keywords_full":
      return `${formatNumber(keywords.full)} of ${formatNumber(keywords.total)}`;
    case "succeeded":
      return typeof operations.succeeded !== "number"
        ? "not measured"
        : `${formatNumber(operations.succeeded)} of ${formatNumber(operations.total)}`;
    case "enforcement":
      return enforcement?.measured
        ? `${formatNumber(enforcement.enforced)} of ${formatNumber(enforcement.total)}`
        : "not measured";
    case "response_keywords":
      return returned?.measured && returned.total !== null
        ? `${formatNumber(returned.seen)} of ${formatNumber(returned.total)}`
        : "not measured";
    case "tcl":
      return String(tcl?.level ?? "not measured");
  }
}

/** A figure that isn't a dimension; it has a test case only if it has a threshold. */
function ownCase(
  measure: OwnMeasure,
  number: string,
  minimum: number,
  suite: string,
  shortfall: Shortfall | undefined,
): { readonly text: string; readonly isSkipped: boolean } {
  const [sentence = ""] = shortfall === undefined ? [] : thresholdLines([shortfall]);
  const failure = sentence === ""
    ? ""
    : `      <failure message="${xmlText(sentence)}" type="threshold">${
      xmlText(`${sentence}.`)
    }</failure>\n`;
  const output = `${MEASURE_NAMES[measure]}: ${number}, threshold ${minimum}${
    measure === "tcl" ? "" : "%"
  }`;
  const text = `    <testcase name="${measure}" classname="${xmlText(suite)}" time="0">
${failure}      <system-out>${xmlText(output)}</system-out>
    </testcase>
`;
  return { text, isSkipped: false };
}

function minimumOf(dimension: Dimension, thresholds: Thresholds): number | undefined {
  return thresholds[dimension] ?? thresholds.base;
}
