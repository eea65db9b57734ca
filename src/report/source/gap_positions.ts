import type { Gap } from "../../map/results.ts";
import type { Report } from "../report.ts";
import type { SourceCoverage, SourcePosition } from "./source_coverage.ts";

/**
 * The positions of a report's gaps in the description: an operation at its method, a response at its status, a keyword
 * or an example where it is written, in a component too.
 *
 * @returns undefined for what has no place of its own.
 */
export function gapPositions(
  report: Report,
  source: SourceCoverage,
): (gap: Gap) => SourcePosition | undefined {
  const indexes = new Map(
    report.operations.map(({ method, path }, index) => [`${method} ${path}`, index]),
  );
  return (gap) => {
    const index = indexes.get(`${gap.method} ${gap.path}`) ?? -1;
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
