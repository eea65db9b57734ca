import type { Finding } from "../../map/results.ts";
import type { Report } from "../report.ts";
import type { SourceCoverage, SourcePosition } from "./source_coverage.ts";

/**
 * The positions of findings in the description: a rule where it is written, in a component too (the one that
 * a parameter is required at the parameter), everything else at the method of its operation.
 *
 * @returns undefined for what has no place of its own.
 */
export function findingPositions(
  report: Report,
  source: SourceCoverage,
): (finding: Finding) => SourcePosition | undefined {
  const indexes = new Map(
    report.operations.map(({ method, path }, index) => [`${method} ${path}`, index]),
  );
  return (finding) => {
    const index = indexes.get(`${finding.method} ${finding.path}`) ?? -1;
    const at = (path: string | undefined) =>
      path === undefined ? undefined : source.positions.get(path);
    const ofOperation = at(source.operations[index]?.schema_path);
    if (finding.kind === "response_violates_schema") return at(finding.schema_path) ?? ofOperation;
    if (finding.kind !== "keyword_not_enforced") return ofOperation;
    const { location, parameter, schema_path } = finding;
    const bearer = report.operations[index]?.parameters.find((one) =>
      one.location === location && one.parameter === parameter
    );
    return at(schema_path) ?? at(bearer?.schema_path) ?? ofOperation;
  };
}

/** The schema paths of the rules that responses broke, which nothing else of a report has a place for. */
export function violatedPaths({ findings = [] }: Report): string[] {
  return findings.flatMap((finding) =>
    finding.kind === "response_violates_schema" ? [finding.schema_path] : []
  );
}
