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
  const seen = new Map<string, ReadonlySet<string>>();
  /** The keywords of a parameter with an outcome. A report has none of a parameter that was never sent. */
  const seenOf = (owner: string): ReadonlySet<string> => {
    let paths = seen.get(owner);
    if (paths === undefined) {
      const keywords = parameters.get(owner)?.keywords ?? [];
      paths = new Set(
        keywords.filter(({ valid, invalid }) => valid + invalid > 0)
          .map(({ schema_path }) => schema_path),
      );
      seen.set(owner, paths);
    }
    return paths;
  };
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
      missing.set(key, seenOf(owner).has(schema_path) ? 1 : 2);
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
