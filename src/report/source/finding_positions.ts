import type { Finding, Gap } from "../../map/results.ts";
import type { Report } from "../report.ts";
import type { SourceCoverage, SourcePosition } from "./source_coverage.ts";
import { operationName } from "../../values/operation_name.ts";

/** Gaps and rules are placed where they are written, even in components; other findings at their operation's method. */
export function findPositions(
  report: Report,
  source: SourceCoverage,
): (result: Finding | Gap) => SourcePosition | undefined {
  const indexes = new Map(
    report.operations.map((operation, index) => [operationName(operation), index]),
  );
  return (result) => {
    const index = indexes.get(operationName(result)) ?? -1;
    const [operation, paths] = [report.operations[index], source.operations[index]];
    const at = (path: string | undefined) => source.positions.get(path ?? "");
    const atParameter = () =>
      "parameter" in result
        ? at(
          operation?.parameters.find(({ location, parameter }) =>
            location === result.location && parameter === result.parameter
          )?.schema_path,
        )
        : undefined;
    switch (result.kind) {
      case "keyword_uncovered":
      case "example_uncovered":
      case "value_uncovered":
        return at(result.schema_path);
      case "parameter_uncovered":
        return atParameter();
      case "response_uncovered": {
        const { responses = [] } = operation ?? {};
        const found = responses.findIndex(({ status_code }) => status_code === result.status_code);
        return at(paths?.responses[found]);
      }
      case "keyword_not_enforced":
        return at(result.schema_path) ?? atParameter() ?? at(paths?.schema_path);
      case "response_violates_schema":
        return at(result.schema_path) ?? at(paths?.schema_path);
      default:
        return at(paths?.schema_path);
    }
  };
}

/** The paths of violated rules and unnoticed parts of responses, which occur nowhere else in a report. */
export function responsePaths({ findings = [], noticed = [] }: Report): string[] {
  return [
    ...findings.flatMap((finding) =>
      finding.kind === "response_violates_schema" ? [finding.schema_path] : []
    ),
    ...noticed.flatMap(({ state, schema_path }) => state === "unnoticed" ? [schema_path] : []),
  ];
}
