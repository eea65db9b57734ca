import type { Diagnostic } from "../diagnostic.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Hits } from "./hits.ts";

/** What of the traffic could not be evaluated, in document order, once for each parameter, whoever recorded it. */
export function trafficDiagnostics(plan: CoveragePlan, hits: Hits): Diagnostic[] {
  const paths = new Set<string>();
  hits.operations.forEach((operation, index) =>
    operation?.parameters.forEach((parameter, place) => {
      if (parameter?.nestedTooDeep !== true) return;
      const path = plan.operations[index]?.parameters[place]?.schema_path;
      if (path !== undefined) paths.add(path);
    })
  );
  return Array.from(paths, (schema_path) => ({
    severity: "warning",
    code: "nested_too_deep",
    message: "A recorded value nests too deep: its innermost parts were not evaluated.",
    schema_path,
    line: null,
    column: null,
  }));
}
