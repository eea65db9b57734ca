import type { Gap, Report } from "../../mod.ts";
import type { Summary } from "../../src/entries/report.ts";
import { schemaProblems } from "../report/report_schema.ts";
import { impossibleCounts } from "./impossible_counts.ts";

const DIMENSIONS = ["operations", "parameters", "keywords", "examples", "responses"] as const;

/** Covered and total numbers. */
function coveredCounts(
  summary: Summary,
  dimension: (typeof DIMENSIONS)[number],
): { readonly covered: number; readonly total: number; readonly percent: number | null } {
  const { total, percent } = summary[dimension];
  if (dimension !== "keywords") return { covered: summary[dimension].seen, total, percent };
  return { covered: summary.keywords.partial + summary.keywords.full, total, percent };
}

/** Violations of the JSON Schema and contradictory numbers in a report, as sentences. */
export function reportProblems(report: Report): string[] {
  const problems = [...impossibleCounts(report), ...schemaProblems(report)];
  const expect = (what: string, actual: unknown, expected: unknown): void => {
    if (actual !== expected) problems.push(`${what} is ${actual}, expected ${expected}`);
  };
  for (const dimension of DIMENSIONS) {
    const { covered, total, percent } = coveredCounts(report.summary, dimension);
    let [coveredSum, totalSum] = [0, 0];
    for (const operation of report.operations) {
      const counts = coveredCounts(operation.summary, dimension);
      coveredSum += counts.covered;
      totalSum += counts.total;
    }
    expect(`${dimension}: covered`, covered, coveredSum);
    expect(`${dimension}: total`, total, totalSum);
    const measured = dimension !== "responses" || report.summary.responses.measured;
    const exact = !measured ? null : total === 0 ? null : covered * 100 / total;
    // If nothing in a description can be counted, all percentages are null.
    const none = report.nothing_counted === undefined && dimension === "operations" ? 100 : null;
    expect(`${dimension}: percent`, percent, exact ?? none);
  }
  problems.push(...responseProblems(report));
  expect("recorded", report.traffic.recorded, report.traffic.matched + report.unmatched_total);
  const gaps = countGaps(report.gaps);
  const { summary } = report;
  for (const dimension of ["operations", "parameters", "responses"] as const) {
    const { seen, total } = summary[dimension];
    const isHidden = dimension === "responses" && !summary.responses.measured &&
      report.traffic.recorded > 0;
    expect(`gaps: ${dimension}`, gaps.get(dimension) ?? 0, isHidden ? 0 : total - seen);
  }
  let [partial, full, none, unused, used] = [0, 0, 0, 0, 0];
  let [hits, examples] = [0, 0];
  for (const operation of report.operations) {
    hits += operation.hits;
    for (const parameter of operation.parameters) {
      let normal = 0;
      for (const { satisfiability, state } of parameter.keywords) {
        if (satisfiability !== "Normal") continue;
        normal++;
        if (state === "full") full++;
        else if (state === "partial") partial++;
        else none++;
      }
      examples += parameter.example_total ?? NaN;
      if (parameter.hits > 0) {
        expect("keyword_total", parameter.keyword_total, normal);
        expect("example_total", parameter.example_total, parameter.examples.length);
      } else expect("keywords of a parameter never hit", parameter.keywords.length, 0);
      for (const example of parameter.examples) example.hits > 0 ? used++ : unused++;
    }
  }
  expect("hits of operations", hits, report.traffic.matched);
  expect("partial keywords", summary.keywords.partial, partial);
  expect("full keywords", summary.keywords.full, full);
  expect("used examples", summary.examples.seen, used);
  expect("all examples", summary.examples.total, examples);
  expect("gaps: keywords", gaps.get("keywords") ?? 0, partial + 2 * none);
  expect("gaps: examples", gaps.get("examples") ?? 0, unused);
  return problems;
}

function countGaps(gaps: readonly Gap[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of gaps) {
    const dimension = kind.replace("_uncovered", "s");
    counts.set(dimension, (counts.get(dimension) ?? 0) + 1);
  }
  return counts;
}

/** Contradictions between the keywords of responses and their totals. */
function responseProblems({ operations, summary }: Report): string[] {
  const { response_keywords: all } = summary;
  const problems: string[] = [];
  let [seen, violated, total] = [0, 0, 0];
  for (const { method, path, responses } of operations) {
    for (const { status_code, media_types = [], headers = [] } of responses) {
      for (const { schema_path, keywords, keyword_total } of [...media_types, ...headers]) {
        seen += keywords.length;
        violated += keywords.filter((keyword) => keyword.violated !== undefined).length;
        total += keyword_total;
        if (keywords.length <= keyword_total) continue;
        problems.push(
          `${method} ${path} ${status_code}: more keywords than ${keyword_total} at ${schema_path}`,
        );
      }
    }
  }
  const sums = JSON.stringify([seen, violated, all?.measured === true ? total : null]);
  const said = JSON.stringify([all?.seen, all?.violated, all?.total]);
  if (said !== sums) problems.push(`response keywords are ${said}, expected ${sums}`);
  return problems;
}
