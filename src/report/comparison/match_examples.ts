import type { ReportExample, ReportParameter } from "../report.ts";
import { pairUpInTurn } from "./pair_up.ts";

/**
 * Finds the examples of a parameter in an earlier report: by value, in the same place if there are several.
 *
 * @returns pairs of examples: of the later report, and of the earlier one.
 */
export function matchExamples(
  later: ReportParameter,
  earlier: ReportParameter,
): ReadonlyMap<ReportExample, ReportExample> {
  const value = ({ value }: ReportExample) => JSON.stringify(value, sortMembers);
  const exact = (example: ReportExample) => `${example.schema_path} ${value(example)}`;
  return pairUpInTurn(later.examples, earlier.examples, [[exact, exact], [value, value]]);
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([left], [right]) => left < right ? -1 : 1),
  );
}
