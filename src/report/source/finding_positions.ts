import type { Finding, Gap } from "../../map/results.ts";
import type { Report } from "../report.ts";
import type { SourceCoverage, SourcePosition } from "./source_coverage.ts";
import { operationName } from "../../values/operation_name.ts";

/** A rule is where it is written, in a component too; everything else is at the method of its operation. */
export function findingPositions(
  report: Report,
  source: SourceCoverage,
): (finding: Finding) => SourcePosition | undefined {
  const indexes = new Map(
    report.operations.map((operation, index) => [operationName(operation), index]),
  );
  return (finding) => {
    const index = indexes.get(operationName(finding)) ?? -1;
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

/** Nothing else of a report has a place for the rules that responses broke and their parts that no test would miss. */
export function responsePaths({ findings = [], noticed = [] }: Report): string[] {
  return [
    ...findings.flatMap((finding) =>
      finding.kind === "response_violates_schema" ? [finding.schema_path] : []
    ),
    ...noticed.flatMap(({ state, schema_path }) => state === "unnoticed" ? [schema_path] : []),
  ];
}

/** An operation is at its method, a response at its status, a keyword or an example where it is written. */
export function gapPositions(
  report: Report,
  source: SourceCoverage,
): (gap: Gap) => SourcePosition | undefined {
  const indexes = new Map(
    report.operations.map((operation, index) => [operationName(operation), index]),
  );
  return (gap) => {
    const index = indexes.get(operationName(gap)) ?? -1;
    const path = schemaPath(gap, report.operations[index], source.operations[index]);
    return path === undefined ? undefined : source.positions.get(path);
  };
}

function schemaPath(
  gap: Gap,
  operation: Report["operations"][number] | undefined,
  places: SourceCoverage["operations"][number] | undefined,
): string | undefined {
  switch (gap.kind) {
    case "operation_uncovered":
      return places?.schema_path;
    case "parameter_uncovered":
      return operation?.parameters.find(({ location, parameter }) =>
        location === gap.location && parameter === gap.parameter
      )?.schema_path;
    case "response_uncovered": {
      const index = operation?.responses.findIndex(({ status_code }) =>
        status_code === gap.status_code
      );
      return places?.responses[index ?? -1];
    }
    default:
      return gap.schema_path;
  }
}
