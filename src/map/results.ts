/** The dimensions that covtool measures. */
export type Dimension = "operations" | "parameters" | "keywords" | "examples" | "responses";

/** Where a parameter stands (semantics, section 3). */
export type ParameterLocation = "path" | "query" | "header" | "cookie" | "body" | "form_data";

/** Whether a keyword can pass and fail where it stands (semantics, section 5). */
export type Satisfiability = "Normal" | "Positive" | "Negative";

/** How much of something was seen. */
export interface SeenCount {
  readonly seen: number;
  readonly total: number;
}

/** How many keywords were seen passing or failing (partial), or both (full). */
export interface KeywordCount {
  readonly partial: number;
  readonly full: number;
  readonly total: number;
}

/** What {@linkcode CoverageMap.statistic} gives. */
export interface Statistic {
  readonly operations: SeenCount;
  readonly parameters: SeenCount;
  readonly keywords: KeywordCount;
  readonly examples: SeenCount;
  readonly responses: SeenCount;
}

/** The five dimensions with their percentages: exact, 0 to 100; null where there is nothing to measure. */
export interface Summary {
  readonly operations: SeenCount & { readonly percent: number };
  readonly parameters: SeenCount & { readonly percent: number | null };
  readonly keywords: KeywordCount & { readonly percent: number | null };
  readonly examples: SeenCount & { readonly percent: number | null };
  readonly responses: SeenCount & { readonly percent: number | null; readonly measured: boolean };
}

/** A JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Something that was never sent or never came back. */
export type Gap =
  | { readonly kind: "operation_uncovered"; readonly method: string; readonly path: string }
  | {
    readonly kind: "parameter_uncovered";
    readonly method: string;
    readonly path: string;
    readonly location: ParameterLocation;
    readonly parameter: string;
  }
  | {
    readonly kind: "keyword_uncovered";
    readonly method: string;
    readonly path: string;
    readonly location: ParameterLocation;
    readonly parameter: string;
    readonly schema_path: string;
    readonly state: "valid" | "invalid";
  }
  | {
    readonly kind: "example_uncovered";
    readonly method: string;
    readonly path: string;
    readonly location: ParameterLocation;
    readonly parameter: string;
    readonly schema_path: string;
    readonly value: JsonValue;
  }
  | {
    readonly kind: "response_uncovered";
    readonly method: string;
    readonly path: string;
    readonly status_code: string;
  };

/** One entry of {@linkcode CoverageMap.uncoveredKeywords}. */
export interface UncoveredKeyword {
  readonly method: string;
  readonly path: string;
  readonly location: ParameterLocation;
  readonly parameter: string;
  readonly schema_path: string;
  readonly state: "valid" | "invalid";
  readonly satisfiability: Satisfiability;
}

/** Why a request matches no operation. */
export type UnmatchedReason =
  | "no_matching_path"
  | "method_not_documented"
  | "outside_base_path"
  | "invalid_url";

/** Requests that match no operation, counted by method, host and path. */
export interface UnmatchedRequest {
  readonly method: string;
  /** Host with port; empty where the URL has none. */
  readonly host: string;
  readonly path: string;
  readonly reason: UnmatchedReason;
  readonly count: number;
  /** Seconds since 1970; null where unknown. */
  readonly first_at: number | null;
}
