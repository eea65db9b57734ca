import type { ParameterLocation } from "../../values/position.ts";
import type { Dimension, Finding, Gap } from "../../map/results.ts";

/** An operation, a parameter or a response that only one of two descriptions has. */
export type ComparedPart =
  & { readonly method: string; readonly path: string; readonly covered: boolean }
  & (
    | { readonly kind: "operation" }
    | {
      readonly kind: "parameter";
      readonly location: ParameterLocation;
      readonly parameter: string;
    }
    | { readonly kind: "response"; readonly status_code: string }
  );

/** The percentage of one dimension in the baseline, and its change since then. */
export interface ComparedDimension {
  /** The percentage in the baseline: exact, 0 to 100; null if nothing was measured. */
  readonly percent: number | null;
  /** The change in percentage points; null if one of the percentages is null. */
  readonly change: number | null;
}

/**
 * The changes since an earlier report, the baseline. Things are paired by identity: operations by method and path,
 * parameters by location and name, responses by status, keywords by name and value, examples by value.
 *
 * Each gap of the report is in `new_gaps`, in `uncovered_additions`, or in neither if it was a gap in the baseline.
 */
export interface Comparison {
  /** The report that this one is compared with, and its description. */
  readonly baseline: {
    readonly title: string;
    /** The time of the report; for a hits file, the time of its last request. Empty if unknown. */
    readonly generated_at: string;
    readonly schema: {
      readonly location: string;
      readonly title: string;
      readonly version: string;
    };
  };
  /** The change of each of the five dimensions. */
  readonly summary: Readonly<Record<Dimension, ComparedDimension>>;
  /** Gaps that were closed in the baseline. */
  readonly new_gaps: readonly Gap[];
  /** Findings that the baseline lacks. Absent if the baseline is from a version that reported no findings. */
  readonly new_findings?: readonly Finding[];
  /** Gaps of parts that the baseline's description doesn't have. */
  readonly uncovered_additions: readonly Gap[];
  /** Gaps of the baseline that are closed now, with the names and pointers of the current description. */
  readonly closed_gaps: readonly Gap[];
  /**
   * Operations, parameters and responses that the baseline's description doesn't have, in document order. Leaves out
   * those that the traffic could not have shown.
   */
  readonly added: readonly ComparedPart[];
  /** Operations, parameters and responses that only the baseline's description has. */
  readonly removed: readonly ComparedPart[];
}

/** The fields that distinguish findings or gaps of one kind at one operation. */
const NAMES = [
  "status_code",
  "media_type",
  "header",
  "location",
  "parameter",
  "schema_path",
  "state",
  "identity",
  "foreign_object",
] as const;

/**
 * Returns a text that identifies a finding or a gap of a dimension, independent of counts and equal in all reports of
 * the description.
 */
export function resultIdentity(result: Finding | Gap): string {
  const { kind, method, path } = result;
  const details = result as Partial<Record<typeof NAMES[number], string>>;
  return JSON.stringify([kind, method, path, ...NAMES.flatMap((name) => details[name] ?? [])]);
}
