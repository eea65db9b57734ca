import type { Dimension, Gap } from "../map/results.ts";
import type { Report } from "./report.ts";

/** What a report is compared with: of an earlier one what the comparison needs. */
export type BaseReport = Pick<Report, "format_version" | "summary" | "gaps">;

const DIMENSIONS: readonly Dimension[] = [
  "operations",
  "parameters",
  "keywords",
  "examples",
  "responses",
];

/**
 * Takes a value for a JSON report of covtool, to compare another one with.
 *
 * @throws {TypeError} if it is none, or one of another format version.
 *
 * @example
 * ```ts
 * import { readBaseReport } from "./base_report.ts";
 * import assert from "node:assert/strict";
 *
 * assert.throws(() => readBaseReport({ format_version: 2 }), TypeError);
 * ```
 */
export function readBaseReport(value: unknown): BaseReport {
  const report = value as Partial<BaseReport> | null;
  if (typeof report !== "object" || report === null || report.format_version !== 1) {
    throw new TypeError(
      "This isn't a covtool JSON report in format version 1. Write one with --format json.",
    );
  }
  const { summary, gaps } = report;
  for (const dimension of DIMENSIONS) {
    const percent: unknown = summary?.[dimension]?.percent;
    if (percent !== null && typeof percent !== "number") {
      throw new TypeError(
        `The report to compare with has no percentage of ${dimension} in its summary. Write it again with --format json.`,
      );
    }
  }
  if (!Array.isArray(gaps) || !gaps.every(isGap)) {
    throw new TypeError(
      "The report to compare with has no list of gaps. Write it again with --format json.",
    );
  }
  return report as BaseReport;
}

function isGap(value: unknown): value is Gap {
  const { kind, method, path } = (value ?? {}) as Partial<Gap>;
  return typeof kind === "string" && typeof method === "string" && typeof path === "string";
}
