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

/** The percentage of one dimension in the baseline, and how far it moved. */
export interface ComparedDimension {
  /** Of the baseline: exact, 0 to 100; null where nothing was measured. */
  readonly percent: number | null;
  /** In percentage points; null where one of the two percentages is. */
  readonly change: number | null;
}

/**
 * The changes since an earlier report, the baseline. Things are paired by identity: operations by method and path,
 * parameters by location and name, responses by status, keywords by name and value, examples by value.
 *
 * Each gap of the report is in `new_gaps`, in `uncovered_additions` or in neither, as it was a gap before.
 */
export interface Comparison {
  /** The report that this one is compared with, and its description. */
  readonly baseline: {
    readonly title: string;
    /** The time of the report, or for a hits file that of its last request; empty if unknown. */
    readonly generated_at: string;
    readonly schema: {
      readonly location: string;
      readonly title: string;
      readonly version: string;
    };
  };
  /** The five dimensions. */
  readonly summary: Readonly<Record<Dimension, ComparedDimension>>;
  /** Gaps that the baseline had closed. */
  readonly new_gaps: readonly Gap[];
  /** Findings that the baseline lacks; absent if it is a report of a version that had none. */
  readonly new_findings?: readonly Finding[];
  /** Gaps of things that the description of the baseline does not have. */
  readonly uncovered_additions: readonly Gap[];
  /** Gaps of the baseline that are closed now, with the names and pointers of the present description. */
  readonly closed_gaps: readonly Gap[];
  /**
   * Operations, parameters and responses that the description of the baseline does not have, in the order of the
   * document; without those that the traffic could not have shown.
   */
  readonly added: readonly ComparedPart[];
  /** Likewise the things that only the baseline has. */
  readonly removed: readonly ComparedPart[];
}
