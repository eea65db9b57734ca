import type { Finding, Gap } from "../../map/results.ts";
import type { Report } from "../report.ts";
import type { SourceCoverage, SourcePosition } from "./source_coverage.ts";
import { operationName } from "../../values/operation_name.ts";

/** Gaps and rules are placed where they are written, even in components; other findings at their operation's method. */
export function findPositions(
  report: Report,
  source: SourceCoverage,
): (thing: Finding | Gap) => SourcePosition | undefined {
  const indexes = new Map(
    report.operations.map((operation, index) => [operationName(operation), index]),
  );
  return (thing) => {
    const index = indexes.get(operationName(thing)) ?? -1;
    const [operation, places] = [report.operations[index], source.operations[index]];
    const at = (path: string | undefined) =>
      path === undefined ? undefined : source.positions.get(path);
    const own = places?.schema_path;
    const bearer = "parameter" in thing
      ? operation?.parameters.find(({ location, parameter }) =>
        location === thing.location && parameter === thing.parameter
      )?.schema_path
      : undefined;
    switch (thing.kind) {
      case "keyword_uncovered":
      case "example_uncovered":
      case "value_uncovered":
        return at(thing.schema_path);
      case "parameter_uncovered":
        return at(bearer);
      case "response_uncovered": {
        const { responses = [] } = operation ?? {};
        const found = responses.findIndex(({ status_code }) => status_code === thing.status_code);
        return at(places?.responses[found]);
      }
      case "keyword_not_enforced":
        return at(thing.schema_path) ?? at(bearer) ?? at(own);
      case "response_violates_schema":
        return at(thing.schema_path) ?? at(own);
      default:
        return at(own);
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
