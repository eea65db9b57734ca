import assert from "node:assert/strict";
import type { Report } from "../../mod.ts";

/** Sentences about keywords with outcomes that are impossible for them (semantics, section 5). */
export function impossibleCounts(report: Pick<Report, "operations">): string[] {
  return report.operations.flatMap(({ method, path, parameters }) =>
    parameters.flatMap(({ location, parameter, keywords }) =>
      keywords.filter(({ satisfiability, valid, invalid }) =>
        satisfiability === "Positive" && invalid > 0 || satisfiability === "Negative" && valid > 0
      ).map(({ schema_path, satisfiability, valid, invalid }) =>
        `${method} ${path}, ${location} ${parameter}: ${schema_path} is ${satisfiability}, ` +
        `and counts ${valid} valid, ${invalid} invalid`
      )
    )
  );
}

/** Fails if a report has impossible counts. */
export function assertPossibleCounts(report: Pick<Report, "operations">): void {
  assert.deepEqual(impossibleCounts(report), []);
}
