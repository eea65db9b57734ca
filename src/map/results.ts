import type { ParameterLocation, Satisfiability } from "../values/position.ts";
import type { Json } from "../values/json.ts";
import type { ValueClassName } from "../values/value_class_name.ts";

/** The dimensions that covtool measures. */
export type Dimension = "operations" | "parameters" | "keywords" | "examples" | "responses";

/** A kind of gap by its name in options: a dimension, or `values` for classes of values. */
export type GapKindName = Dimension | "values";

/** All dimensions, in display order. */
export const DIMENSIONS: readonly Dimension[] = [
  "operations",
  "parameters",
  "keywords",
  "examples",
  "responses",
];

export const GAP_KIND_NAMES: readonly GapKindName[] = [...DIMENSIONS, "values"];

/** A count of items that none of the traffic could have shown. */
export interface Unmeasured {
  /** These items are not part of any other number; absent if there are none. */
  readonly not_measured?: number;
}

/** Counts of items seen and of all items. */
export interface SeenCount extends Unmeasured {
  /** The number seen. */
  readonly seen: number;
  /** The total number. */
  readonly total: number;
}

/** Counts of keywords that were seen passing or failing (partial), or both (full). */
export interface KeywordCount extends Unmeasured {
  /** Seen either passing or failing. */
  readonly partial: number;
  /** Seen passing and failing. */
  readonly full: number;
  /** The number of keywords that can both pass and fail. */
  readonly total: number;
}

/** Returns the number of covered items; keywords count once they have met a value. */
export function coveredCount(count: SeenCount | KeywordCount): number {
  return "seen" in count ? count.seen : count.partial + count.full;
}

/** The result of {@linkcode CoverageMap.statistic}. */
export interface Statistic {
  /** Operations that were called. */
  readonly operations: SeenCount;
  /** Parameters that were sent. */
  readonly parameters: SeenCount;
  /** Keywords that a value met. */
  readonly keywords: KeywordCount;
  /** Documented examples that were sent. */
  readonly examples: SeenCount;
  /** Documented responses that were returned. */
  readonly responses: SeenCount;
}

/** The five dimensions with exact percentages from 0 to 100; null if there is nothing to measure. */
export interface Summary {
  /** Operations that were called. */
  readonly operations: SeenCount & {
    /** 100 for a description without paths; null if there are paths but none of their operations can be counted. */
    readonly percent: number | null;
    /** Operations with a response of 2xx or 3xx; null if no response was recorded, absent in older reports. */
    readonly succeeded?: number | null;
  };
  /** Parameters that were sent. */
  readonly parameters: SeenCount & { readonly percent: number | null };
  /** Keywords that a value met. The percentage includes partially covered keywords. */
  readonly keywords: KeywordCount & { readonly percent: number | null };
  /** Documented examples that were sent. */
  readonly examples: SeenCount & { readonly percent: number | null };
  /** Documented responses that were returned; `measured` is false if no response was recorded. */
  readonly responses: SeenCount & { readonly percent: number | null; readonly measured: boolean };
  /** The test coverage level; absent in older reports. */
  readonly tcl?: TestCoverageLevel;
  /** Rules that the API provably enforces; absent in older reports. */
  readonly enforcement?: EnforcementSummary;
  /**
   * Keywords of response bodies and headers; absent in older reports and for operations for which they are not
   * measured.
   */
  readonly response_keywords?: ResponseKeywordSummary;
  /** Parts of responses whose changes tests notice; absent unless `covtool mutate` has changed responses. */
  readonly noticed?: NoticedSummary;
  /** Classes of values that were sent; absent if they were not counted. */
  readonly values?: ValuesSummary;
  /** Access of identities that was tried; absent unless identities are known. */
  readonly access?: AccessSummary;
}

/** Expectations in the access matrix of operations and identities (semantics, section 15). */
export interface AccessSummary extends Unmeasured {
  /** Expectations tested by at least one request that was allowed or refused. */
  readonly tried: number;
  /** All expectations. A cell counts twice if access to objects of others should be refused. */
  readonly total: number;
  /** The percentage of tried expectations; null if there are none. */
  readonly percent: number | null;
  /** False if the traffic doesn't identify any sender. */
  readonly measured: boolean;
}

/** A cell of the access matrix: one identity at one operation. */
export interface AccessCell {
  /** The name of the identity. */
  readonly identity: string;
  /** The expected response; null if no rule applies. */
  readonly expected: "allowed" | "refused" | null;
  /** The expected response for objects of other identities, if it differs; otherwise absent. */
  readonly expected_foreign?: "refused";
  /** False if a response is expected but the cell was never tried; otherwise absent. */
  readonly tried?: false;
  /** Responses with 2xx or 3xx. */
  readonly allowed: number;
  /** Responses with 401, 403 or another status configured as a refusal. */
  readonly refused: number;
  /** All other responses; they neither allow nor refuse. */
  readonly other: number;
  /** Allowed requests for objects that another identity created. */
  readonly foreign_allowed: number;
  /** Refused requests for objects that another identity created. */
  readonly foreign_refused: number;
}

/** Coverage of classes of valid values (semantics, section 16). */
export interface ValuesSummary {
  /** Classes with a value that was sent. */
  readonly seen: number;
  /** All classes with values that requests can carry. */
  readonly total: number;
  /** Classes of parameters that no traffic could show, not included in the total; absent if there are none. */
  readonly not_measured?: number;
  /** The percentage of classes seen; null if there are none or none were counted. */
  readonly percent: number | null;
  /** False if some hits were counted without classes. */
  readonly measured: boolean;
}

/** Parts of responses that `covtool mutate` changed before tests saw them (semantics, section 14). */
export interface NoticedSummary {
  /** Parts whose change made a test fail. */
  readonly noticed: number;
  /** Parts whose changes made no test fail. */
  readonly unnoticed: number;
  /** Parts without a verdict; the percentage ignores them. */
  readonly not_tried: number;
  /** All parts that responses contained. */
  readonly total: number;
  /** The percentage of noticed parts among those with a verdict; null if there are none. */
  readonly percent: number | null;
  /** True if responses were changed. */
  readonly measured: boolean;
}

/** A criterion of the test coverage level (semantics, section 9). */
export type TclCriterion =
  | "paths"
  | "operations"
  | "request_content_types"
  | "response_content_types"
  | "parameters"
  | "status_code_classes"
  | "parameter_values"
  | "status_codes"
  | "response_properties"
  | "operation_flows";

/** The test coverage level of an operation or an API (Martin-Lopez, Segura, Ruiz-Cortés 2019), and what the next requires. */
export interface TestCoverageLevel {
  /** 0 to 7. */
  readonly level: number;
  /** Criteria of the next level with uncovered items. */
  readonly missing: readonly TclCriterion[];
  /** Criteria of the next level that the traffic can't show. */
  readonly not_measured: readonly TclCriterion[];
}

/** One criterion of the test coverage level, for a whole API. */
export interface TclCount {
  /** The criterion. */
  readonly criterion: TclCriterion;
  /** The level that requires it. */
  readonly level: number;
  /** The number of covered items; null if they are not counted. */
  readonly covered: number | null;
  /** The total number of items; null if they are not counted. */
  readonly total: number | null;
  /** False if the traffic doesn't show for every item whether it is covered. */
  readonly measured: boolean;
}

/** Rules for requests, and the evidence from responses about them (semantics, section 10). */
export interface EnforcementCount {
  /** Rules with a refused request that broke only this rule. */
  readonly enforced: number;
  /** Rules with an accepted request that broke only this rule; a rule can be in both counts. */
  readonly not_enforced: number;
  /** Normal keywords that can cause a failure, and required parameters except those in the path. */
  readonly total: number;
  /** Rules of parameters that no traffic could show, not included in the total; absent if there are none. */
  readonly not_measured?: number;
}

/** An {@linkcode EnforcementCount} with its percentage. */
export interface EnforcementSummary extends EnforcementCount {
  /** The percentage of enforced rules; null if there are none or no response was recorded. */
  readonly percent: number | null;
  /** False if no recorded interaction has a response. */
  readonly measured: boolean;
}

/** Keywords in the schemas of documented responses (semantics, section 12). */
export interface ResponseKeywordCount {
  /** Keywords that some response's value met. */
  readonly seen: number;
  /** Keywords that made a response invalid. */
  readonly violated: number;
  /** The number of keywords that can both pass and fail. */
  readonly total: number;
}

/** A {@linkcode ResponseKeywordCount} with its percentage. */
export interface ResponseKeywordSummary extends Omit<ResponseKeywordCount, "total"> {
  /** The number of keywords that can both pass and fail; null if not measured. */
  readonly total: number | null;
  /** The percentage of keywords seen; null if there are none or they are not measured. */
  readonly percent: number | null;
  /** False if no recorded interaction has a response body. */
  readonly measured: boolean;
}

/** Requests of an operation that requires credentials (semantics, section 10). */
export interface CredentialCounts {
  /** Requests with all credentials of one alternative and a response of 2xx or 3xx. */
  readonly with_credentials_succeeded: number;
  /** Requests without credentials and with a response of 401 or 403. */
  readonly without_credentials_refused: number;
  /** Requests without credentials and with a response of 2xx. */
  readonly without_credentials_succeeded: number;
  /** Requests like the last two, from recordings that never show credentials; they prove nothing. */
  readonly without_credentials_unknown: number;
}

/** The growth of coverage: for certain moments, the number of items covered by then. */
export interface Timeline extends Readonly<Record<Dimension, readonly number[]>> {
  /** Moments in seconds since 1970, ascending from the first request to the last; at most 200. */
  readonly at: readonly number[];
  /** Items covered only by requests without a known time; not included in any count. */
  readonly undated: Readonly<Record<Dimension, number>>;
}

/** Something that was never sent or never returned. */
export type Gap =
  & {
    /** A stable id that depends only on the subject of the gap; absent in older reports. */
    readonly id?: string;
    readonly method: string;
    readonly path: string;
  }
  & (
    | { readonly kind: "operation_uncovered" }
    | { readonly kind: "response_uncovered"; readonly status_code: string }
    | { readonly location: ParameterLocation; readonly parameter: string }
      & (
        | { readonly kind: "parameter_uncovered" }
        | {
          readonly kind: "keyword_uncovered";
          readonly schema_path: string;
          readonly state: "valid" | "invalid";
        }
        | {
          readonly kind: "example_uncovered";
          readonly schema_path: string;
          readonly value: Json;
        }
        | {
          /** A class of valid values that was never sent (semantics, section 16). */
          readonly kind: "value_uncovered";
          readonly schema_path: string;
          readonly instance_path: string;
          readonly class: ValueClassName;
          /** The value itself, or the boundary, if the class has one. */
          readonly value?: Json;
        }
      )
  );

/** A gap of one of the five dimensions. Classes of values are not a dimension. */
export type DimensionGap = Exclude<Gap, { readonly kind: "value_uncovered" }>;

const KINDS_BY_NAME: Readonly<Record<GapKindName, Gap["kind"]>> = {
  operations: "operation_uncovered",
  parameters: "parameter_uncovered",
  keywords: "keyword_uncovered",
  examples: "example_uncovered",
  responses: "response_uncovered",
  values: "value_uncovered",
};

export function gapKind(name: GapKindName): Gap["kind"] {
  return KINDS_BY_NAME[name];
}

export const DIMENSION_KINDS: readonly Gap["kind"][] = DIMENSIONS.map(gapKind);

export function isDimensionGap(gap: Gap): gap is DimensionGap {
  return gap.kind !== "value_uncovered";
}

/** The request of a finding, for reproduction: with secrets masked and without headers. */
export interface FindingRequest {
  /** The method. */
  readonly method: string;
  /** The path and query. */
  readonly url: string;
  /** The body; absent if there is none. */
  readonly body?: {
    /** Empty if the request has no Content-Type. */
    readonly media_type: string;
    /**
     * JSON with each value replaced by its type, such as `string (integer)` for "5" if the schema requires an integer.
     * `*` replaces undeclared property names. Absent for other bodies.
     */
    readonly shape?: Json;
  };
}

/** The smallest interaction that proves a finding. Only the URL of its request contains values from the traffic. */
export interface FindingExample {
  /** The response status. */
  readonly status_code: number;
  /** The media type of a response body: the documented one, otherwise the response's own. */
  readonly media_type?: string;
  /** RFC 6901 pointer to the value that violates the keyword, with `*` in place of undeclared property names. */
  readonly instance?: string;
  /** The earliest request among equally small examples; absent in hits files of older versions. */
  readonly request?: FindingRequest;
}

/** Members of all findings. */
export interface FindingBase {
  /** The operation's method, in capitals. */
  readonly method: string;
  /** The operation's path, as in the description. */
  readonly path: string;
  /** The number of interactions that prove the finding. */
  readonly count: number;
  /** The time of the first such interaction, in seconds since 1970; null if unknown. */
  readonly first_at: number | null;
  /** The smallest such interaction; null if none is stored. */
  readonly example: FindingExample | null;
}

/** A contradiction between the API and its description, or a response that suggests one. */
export type Finding =
  & FindingBase
  & (
    | {
      /** A value was accepted that is invalid only because of this keyword. */
      readonly kind: "keyword_not_enforced";
      readonly location: ParameterLocation;
      readonly parameter: string;
      readonly schema_path: string;
      /** True if the rule is that the parameter or body is required and it was missing; otherwise absent. */
      readonly missing?: true;
      /** True if the rule is `type` and an accepted string can be converted to it, such as "5" to 5; otherwise absent. */
      readonly coercible?: true;
    }
    | {
      /** A valid request was refused with 400 or 422, or a response has an undocumented status. */
      readonly kind: "valid_request_refused" | "undocumented_status";
      readonly status_code: string;
    }
    | {
      /** A response body or header violates a keyword. */
      readonly kind: "response_violates_schema";
      /** The documented response: `200`, `2XX` or `default`. */
      readonly status_code: string;
      readonly media_type?: string;
      readonly header?: string;
      /** The keyword; if the value can't be parsed, the media type or header. */
      readonly schema_path: string;
      /** True if a required header is missing; otherwise absent. */
      readonly missing?: true;
      /** True if the value can't be parsed; otherwise absent. */
      readonly malformed?: true;
    }
    | {
      /** A response body has a media type that isn't documented for its status. */
      readonly kind: "undocumented_media_type";
      readonly status_code: string;
      /** Empty if the response has no Content-Type. */
      readonly media_type: string;
    }
    | {
      /**
       * A request body has an undocumented media type, or a response has a body although none is documented for its
       * status.
       */
      readonly kind: "undocumented_body";
      readonly media_type: string;
      /** The status of the responses; absent for requests. */
      readonly status_code?: string;
    }
    | {
      /** An operation that requires credentials returned 2xx without them, or an operation never returned 2xx or 3xx. */
      readonly kind: "credentials_not_required" | "never_succeeded";
    }
    | {
      /** An identity was allowed or refused against expectations. */
      readonly kind: "allowed_unexpectedly" | "refused_unexpectedly";
      readonly identity: string;
      /** Set if the identity had access to an object that another identity created. */
      readonly foreign_object?: "read" | "changed";
      /** The identity that created the object. */
      readonly owner?: string;
    }
    | {
      readonly kind: "server_error";
      readonly status_code: string;
      readonly valid: number;
    }
  );

/** One entry of {@linkcode CoverageMap.uncoveredKeywords}. */
export interface UncoveredKeyword {
  /** The operation's method, in capitals. */
  readonly method: string;
  /** The operation's path, as in the description. */
  readonly path: string;
  /** The location of the parameter. */
  readonly location: ParameterLocation;
  /** The parameter's name; for a body, its media type. */
  readonly parameter: string;
  /** RFC 6901 pointer to the keyword. */
  readonly schema_path: string;
  /** The outcome that was not seen. */
  readonly state: "valid" | "invalid";
  /** The keyword's ability to pass and to fail. */
  readonly satisfiability: Satisfiability;
}

/** The reason why a request matches no operation. */
export type UnmatchedReason =
  | "no_matching_path"
  | "method_not_documented"
  | "condition_not_met"
  | "outside_base_path"
  | "invalid_url";

/** Requests that match no operation, grouped by method, host and path. */
export interface UnmatchedRequest {
  /** The method, in capitals. */
  readonly method: string;
  /** Host and port, but without the port for this machine (`localhost`, `127.0.0.1`); empty if the URL has none. */
  readonly host: string;
  /** The path without the query; if only the method doesn't match, the path template. */
  readonly path: string;
  /** The reason why no operation matches. */
  readonly reason: UnmatchedReason;
  /** The number of such requests. */
  readonly count: number;
  /** The time of the first such request in seconds since 1970; null if unknown. */
  readonly first_at: number | null;
}

/** Hits that couldn't be carried over to another description. */
export interface DroppedHits {
  /** The kind of counted item. */
  readonly kind:
    | "operation"
    | "parameter"
    | "keyword"
    | "example"
    | "value"
    | "response"
    | "unmatched";
  /** Method and path. */
  readonly operation: string;
  /** Location and name of the parameter; undefined for operations and responses. */
  readonly parameter?: string;
  /** The pointer of a keyword or example in the earlier description; `schema/…` is relative to the parameter. */
  readonly schema_path?: string;
  /** The status of a response. */
  readonly status_code?: string;
  /** A value that the parameter's schema lists. */
  readonly value?: Json;
  /** The number of hits. */
  readonly hits: number;
  /** The name of the API; undefined if only one was measured. */
  readonly api?: string;
}
