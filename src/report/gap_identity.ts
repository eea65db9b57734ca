import type { Gap } from "../map/results.ts";

/** The identity of a gap: different for every gap of a report, and the same in each report of the description. */
export function gapIdentity(gap: Gap): string {
  const { kind, method, path } = gap;
  const rest = kind === "operation_uncovered"
    ? []
    : kind === "response_uncovered"
    ? [gap.status_code]
    : kind === "parameter_uncovered"
    ? [gap.location, gap.parameter]
    : kind === "example_uncovered"
    ? [gap.location, gap.parameter, gap.schema_path]
    : [gap.location, gap.parameter, gap.schema_path, gap.state];
  return JSON.stringify([kind, method, path, ...rest]);
}
