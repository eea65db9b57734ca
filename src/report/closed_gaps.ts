import type { Gap } from "../map/results.ts";
import type { Report, ReportParameter } from "./report.ts";

/** What a request closes, in the unit of the number of gaps: a keyword is one, however many outcomes it lacks. */
export interface ClosedGaps {
  /** The number of gaps that the request closes. */
  readonly closed: number;
  /** The keywords that lacked both outcomes, of which it shows one. */
  readonly halved: number;
}

/** What requests close in a report, in the unit of its number of gaps ({@linkcode gapCounts}). */
export function closedGapsIn(
  { operations }: Pick<Report, "operations">,
): (closes: readonly Gap[]) => ClosedGaps {
  const parameters = new Map<string, ReportParameter>();
  for (const { method, path, parameters: all } of operations) {
    for (const parameter of all) {
      parameters.set(keyOf(method, path, parameter.location, parameter.parameter), parameter);
    }
  }
  return (closes) => {
    let closed = 0;
    const shown = new Map<string, number>();
    const missing = new Map<string, number>();
    for (const gap of closes) {
      if (gap.kind !== "keyword_uncovered") {
        closed++;
        continue;
      }
      const { method, path, location, parameter, schema_path } = gap;
      const owner = keyOf(method, path, location, parameter);
      const key = `${owner} ${schema_path}`;
      shown.set(key, (shown.get(key) ?? 0) + 1);
      // Of a parameter that was never sent, the report has no keywords: they lack both outcomes.
      const known = parameters.get(owner)?.keywords.find((one) => one.schema_path === schema_path);
      missing.set(key, known === undefined || known.valid + known.invalid === 0 ? 2 : 1);
    }
    let halved = 0;
    for (const [key, count] of shown) {
      if (count >= (missing.get(key) ?? 2)) closed++;
      else halved++;
    }
    return { closed, halved };
  };
}

function keyOf(method: string, path: string, location: string, parameter: string): string {
  return `${method} ${path} ${location} ${parameter}`;
}
