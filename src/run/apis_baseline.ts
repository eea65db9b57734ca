import { basename } from "node:path";
import { type BaseReport, readBaseReport } from "../report/base_report.ts";
import type { Summary } from "../map/results.ts";
import type { Baseline } from "./hits_baseline.ts";

/** An API, as a baseline of several APIs is searched for it. */
export interface BaselineSubject {
  /** The title of its reports; undefined for that of the description. */
  readonly title?: string | undefined;
  /** The path or URL of its description. */
  readonly schema: string;
}

/**
 * The reports of a JSON report of several APIs.
 *
 * @returns undefined for any other JSON.
 * @throws {TypeError} if one of them cannot be used.
 */
export function apisBaseline(value: unknown): readonly BaseReport[] | undefined {
  const apis = typeof value === "object" && value !== null && "apis" in value
    ? value.apis
    : undefined;
  return Array.isArray(apis) ? apis.map(readBaseReport) : undefined;
}

/** The report of an API among several: by its title, or by its description where it has none of its own. */
export function baselineOf(
  reports: readonly BaseReport[],
  { title, schema }: BaselineSubject,
): BaseReport | undefined {
  if (title !== undefined) return reports.find((report) => report.title === title);
  const same = reports.find((report) => report.schema.location === schema);
  if (same !== undefined) return same;
  const alike = reports.filter(({ schema: { location } }) =>
    basename(location) === basename(schema)
  );
  return alike.length === 1 ? alike[0] : undefined;
}

/** The baseline of an API that the earlier run did not have: everything in it counts as added. */
export function emptyBaseline({ title = "", schema }: BaselineSubject): Baseline {
  const none = { seen: 0, total: 0, percent: null };
  const summary: Summary = {
    // Nothing was covered, so that no percentage can be lower now.
    operations: { ...none, percent: 0 },
    parameters: none,
    keywords: { partial: 0, full: 0, total: 0, percent: null },
    examples: none,
    responses: { ...none, measured: false },
  };
  const report: BaseReport = {
    format_version: 1,
    title,
    generated_at: "",
    schema: { location: schema, title, version: "", specification: "", base_path: null },
    summary,
    operations: [],
    gaps: [],
  };
  return { report, tellsAdditions: true, warnings: [] };
}
