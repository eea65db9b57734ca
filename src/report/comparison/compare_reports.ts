import type { Gap } from "../../map/results.ts";
import type { BaseReport } from "../base_report.ts";
import type { Report } from "../report.ts";
import type { ComparedDimension, ComparedPart, Comparison } from "./comparison.ts";
import { Crossing } from "./crossing.ts";
import { newFindings } from "./new_findings.ts";

/**
 * Compares a report with an earlier one, its baseline, which may be of another version of the description.
 *
 * A gap is new only if the baseline had closed it, and closed only if what it is about is still documented. Reports do
 * not have the keywords and examples of parameters that were never sent; those are taken to be documented as they are
 * in the other report.
 *
 * @example
 * ```ts ignore
 * const { new_gaps } = compareReports(report, readBaseReport(JSON.parse(text)));
 * ```
 */
export function compareReports(report: Report, base: BaseReport): Comparison {
  const hasValues = tellsValues(report) && tellsValues(base);
  const back = new Crossing(report.operations, base.operations, hasValues);
  const forth = new Crossing(base.operations, report.operations, hasValues);
  const new_gaps: Gap[] = [];
  const uncovered_additions: Gap[] = [];
  for (const gap of report.gaps) {
    const before = back.counterpart(gap);
    if (before === undefined) uncovered_additions.push(gap);
    else if (before.covered) new_gaps.push(gap);
  }
  const { title, generated_at, schema } = base;
  return {
    baseline: {
      title,
      generated_at,
      schema: { location: schema.location, title: schema.title, version: schema.version },
    },
    summary: {
      operations: compareDimension(report, base, "operations"),
      parameters: compareDimension(report, base, "parameters"),
      keywords: compareDimension(report, base, "keywords"),
      examples: compareDimension(report, base, "examples"),
      responses: compareDimension(report, base, "responses"),
    },
    new_gaps,
    ...(base.findings !== undefined && {
      new_findings: newFindings(report.findings ?? [], base.findings, back),
    }),
    uncovered_additions,
    closed_gaps: base.gaps.flatMap((gap) => {
      const now = forth.counterpart(gap);
      return now?.covered === true ? [now.gap] : [];
    }),
    added: partsLacking(report, back),
    removed: partsLacking(base, forth),
  };
}

/** True if a report has hashes of keyword values, which older ones lack. */
function tellsValues({ operations }: BaseReport): boolean {
  let isAny = false;
  for (const { parameters } of operations) {
    for (const { keywords } of parameters) {
      for (const { value_hash } of keywords) {
        if (value_hash !== undefined) return true;
        isAny = true;
      }
    }
  }
  return !isAny;
}

function compareDimension(
  report: Report,
  base: BaseReport,
  dimension: keyof Comparison["summary"],
): ComparedDimension {
  const { percent } = base.summary[dimension];
  const now = report.summary[dimension].percent;
  return { percent, change: percent === null || now === null ? null : now - percent };
}

/** The parts of a report's operations that count, and that the other report does not have. */
function partsLacking({ operations, summary }: BaseReport, crossing: Crossing): ComparedPart[] {
  const hasResponses = summary.responses.percent !== null;
  return operations.flatMap((operation): ComparedPart[] => {
    const { method, path } = operation;
    if (operation.excluded !== undefined) return [];
    const parts: ComparedPart[] = crossing.operation(operation) === undefined
      ? [{ kind: "operation", method, path, covered: operation.hits > 0 }]
      : [];
    for (const parameter of operation.parameters) {
      if (parameter.excluded !== undefined || parameter.measured === false) continue;
      if (crossing.parameter(operation, parameter) !== undefined) continue;
      const { location, parameter: name, hits } = parameter;
      parts.push({ kind: "parameter", method, path, location, parameter: name, covered: hits > 0 });
    }
    for (const { status_code, hits, excluded } of hasResponses ? operation.responses : []) {
      if (excluded !== undefined) continue;
      if (crossing.response(operation, status_code) !== undefined) continue;
      parts.push({ kind: "response", method, path, status_code, covered: hits > 0 });
    }
    return parts;
  });
}
