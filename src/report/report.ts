import type { Diagnostic } from "../diagnostic.ts";
import type {
  Gap,
  JsonValue,
  ParameterLocation,
  Satisfiability,
  Summary,
  UnmatchedRequest,
} from "../map/results.ts";

/** One keyword of a parameter that was hit. */
export interface ReportKeyword {
  readonly keyword: string;
  readonly schema_path: string;
  readonly valid: number;
  readonly invalid: number;
  readonly state: "none" | "partial" | "full";
  readonly satisfiability: Satisfiability;
}

/** One documented example of a parameter that was hit. */
export interface ReportExample {
  readonly schema_path: string;
  readonly value: JsonValue;
  readonly hits: number;
}

/** One parameter of an operation. */
export interface ReportParameter {
  readonly location: ParameterLocation;
  readonly parameter: string;
  readonly required: boolean;
  readonly hits: number;
  /** Keywords that count (Normal ones), whether or not the parameter was hit. */
  readonly keyword_total: number;
  readonly schema_path: string;
  /** Empty where the parameter was never hit. */
  readonly keywords: readonly ReportKeyword[];
  /** Empty where the parameter was never hit. */
  readonly examples: readonly ReportExample[];
  /** Hits whose text did not parse. */
  readonly malformed: number;
  /** Hits whose body is missing or cut in the recording. */
  readonly not_recorded: number;
  /** True where covtool does not decode this media type. */
  readonly unsupported: boolean;
}

/** One documented response of an operation. */
export interface ReportResponse {
  readonly status_code: string;
  readonly hits: number;
  /** Seconds; null where no duration is known. */
  readonly elapsed: { readonly mean: number; readonly max: number } | null;
}

/** One operation of the description. */
export interface ReportOperation {
  readonly method: string;
  readonly path: string;
  readonly operation_id: string | null;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly hits: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
  readonly summary: Summary;
  readonly parameters: readonly ReportParameter[];
  readonly responses: readonly ReportResponse[];
  readonly undocumented_responses: readonly {
    readonly status_code: string;
    readonly hits: number;
  }[];
}

/** The report model: what every reporter reads, and what `--format json` prints (format version 1). */
export interface Report {
  readonly format_version: 1;
  readonly tool: { readonly name: "covtool"; readonly version: string };
  readonly title: string;
  readonly generated_at: string;
  readonly schema: {
    readonly location: string;
    readonly title: string;
    readonly version: string;
    readonly specification: string;
    readonly base_path: string | null;
  };
  readonly traffic: {
    readonly recorded: number;
    readonly matched: number;
    readonly unmatched: number;
    readonly first_at: number | null;
    readonly last_at: number | null;
  };
  readonly summary: Summary;
  readonly operations: readonly ReportOperation[];
  readonly gaps: readonly Gap[];
  readonly unmatched: readonly UnmatchedRequest[];
  readonly unmatched_total: number;
  readonly suggested_base_path: string | null;
  readonly diagnostics: readonly Diagnostic[];
}
