import type { ParameterLocation, Satisfiability } from "../values/position.ts";
import type { Json } from "../values/json.ts";
import type { ValueClassName } from "../values/value_class_name.ts";

/** The dimensions that covtool measures. */
export type Dimension = "operations" | "parameters" | "keywords" | "examples" | "responses";

/** A kind of gaps as options name it: of a dimension, or classes of values. */
export type GapKindName = Dimension | "values";

/** All of them, in the order in which they are shown. */
export const DIMENSIONS: readonly Dimension[] = [
  "operations",
  "parameters",
  "keywords",
  "examples",
  "responses",
];

export const GAP_KIND_NAMES: readonly GapKindName[] = [...DIMENSIONS, "values"];

/** The number of things that none of the traffic could have shown. */
export interface Unmeasured {
  /** They are in no other number; absent if there are none. */
  readonly not_measured?: number;
}

/** Counts of things seen and of all of them. */
export interface SeenCount extends Unmeasured {
  /** The number seen. */
  readonly seen: number;
  /** The total number. */
  readonly total: number;
}

/** The numbers of keywords seen passing or failing (partial), or both (full). */
export interface KeywordCount extends Unmeasured {
  /** Seen passing or failing, not both. */
  readonly partial: number;
  /** Seen passing and failing. */
  readonly full: number;
  /** The number of keywords that can both pass and fail. */
  readonly total: number;
}

/** How many of a dimension are covered: of keywords those that a value met. */
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
  /** Documented responses that came. */
  readonly responses: SeenCount;
}

/** The five dimensions with their percentages: exact, 0 to 100; null if there is nothing to measure. */
export interface Summary {
  /** Operations that were called, and operations that answered with 2xx or 3xx. */
  readonly operations: SeenCount & {
    /** 100 for a description without paths; null where there are paths, and nothing of them can be counted. */
    readonly percent: number | null;
    /** Those with an answer of 2xx or 3xx; null if no response was recorded, absent in reports of older versions. */
    readonly succeeded?: number | null;
  };
  /** Parameters that were sent. */
  readonly parameters: SeenCount & { readonly percent: number | null };
  /** Keywords that a value met, partial ones included in the percentage. */
  readonly keywords: KeywordCount & { readonly percent: number | null };
  /** Documented examples that were sent. */
  readonly examples: SeenCount & { readonly percent: number | null };
  /** Documented responses that came; whether any came at all says `measured`. */
  readonly responses: SeenCount & { readonly percent: number | null; readonly measured: boolean };
  /** The test coverage level; absent in reports of older versions. */
  readonly tcl?: TestCoverageLevel;
  /** The rules that the API has proven to enforce; absent from reports of versions that didn't measure it. */
  readonly enforcement?: EnforcementSummary;
  /**
   * The keywords of response bodies and headers; absent from reports of versions that didn't measure them, and from
   * operations where they are not measured.
   */
  readonly response_keywords?: ResponseKeywordSummary;
  /** The parts of responses whose changes tests notice; absent unless `covtool mutate` has changed responses. */
  readonly noticed?: NoticedSummary;
  /** The classes of values that were sent; absent from reports that didn't count them. */
  readonly values?: ValuesSummary;
  /** Who may do what, as far as it was tried; absent unless identities are known. */
  readonly access?: AccessSummary;
}

/** The expected cells of the matrix of operations and identities (semantics, section 15). */
export interface AccessSummary extends Unmeasured {
  /** Those with an answer that allows or refuses. */
  readonly tried: number;
  /** All of them; objects of others count by themselves where they are expected to be refused. */
  readonly total: number;
  /** Tried ones of all; null where nothing is expected. */
  readonly percent: number | null;
  /** False where no traffic shows who sent it. */
  readonly measured: boolean;
}

/** One identity at one operation. */
export interface AccessCell {
  /** The name of the identity. */
  readonly identity: string;
  /** What the API should answer; null where nothing says. */
  readonly expected: "allowed" | "refused" | null;
  /** What it should answer for objects of others, where that differs; else absent. */
  readonly expected_foreign?: "refused";
  /** False where it was never tried, though something is expected; else absent. */
  readonly tried?: false;
  /** Answers of 2xx and 3xx. */
  readonly allowed: number;
  /** Answers of 401, 403, and what else is said to refuse. */
  readonly refused: number;
  /** All other answers, which say neither. */
  readonly other: number;
  /** Of those allowed, the ones about objects that another identity created. */
  readonly foreign_allowed: number;
  /** The same of those refused. */
  readonly foreign_refused: number;
}

/** The classes of valid values (semantics, section 16). */
export interface ValuesSummary {
  /** Classes of which a value came. */
  readonly seen: number;
  /** All classes that requests can show. */
  readonly total: number;
  /** Those of parameters that no traffic could show, which are not in the total; absent where there are none. */
  readonly not_measured?: number;
  /** Those seen; null where there are none, or none were counted. */
  readonly percent: number | null;
  /** False if some hits were counted without them. */
  readonly measured: boolean;
}

/** The parts of responses that were changed towards the tests (semantics, section 14). */
export interface NoticedSummary {
  /** Those with which a test failed. */
  readonly noticed: number;
  /** Those with which all tests passed. */
  readonly unnoticed: number;
  /** Those without a verdict; they are in no percentage. */
  readonly not_tried: number;
  /** All that responses had. */
  readonly total: number;
  /** Noticed ones of those with a verdict; null where there are none. */
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

/** The test coverage level of an operation or an API (Martin-Lopez, Segura, Ruiz-Cortés 2019), and what the next one needs. */
export interface TestCoverageLevel {
  /** 0 to 7. */
  readonly level: number;
  /** Criteria of the next level that have something left to cover. */
  readonly missing: readonly TclCriterion[];
  /** Criteria of the next level that traffic doesn't show. */
  readonly not_measured: readonly TclCriterion[];
}

/** One criterion of the test coverage level, of a whole API. */
export interface TclCount {
  /** The criterion. */
  readonly criterion: TclCriterion;
  /** The level that needs it. */
  readonly level: number;
  /** The number of things covered; null where they are not counted. */
  readonly covered: number | null;
  /** The total number; null where they are not counted. */
  readonly total: number | null;
  /** False where traffic doesn't show of all of them whether they are covered. */
  readonly measured: boolean;
}

/** The rules of requests, and what the answers of the API have proven about them (semantics, section 10). */
export interface EnforcementCount {
  /** Rules for which a request that broke this one alone was refused. */
  readonly enforced: number;
  /** Rules for which such a request was accepted; one that was refused, too, is in both. */
  readonly not_enforced: number;
  /** Normal keywords that can be the cause of a failure, and required parameters outside of the path. */
  readonly total: number;
  /** Those of parameters that no traffic could show, which are not in the total; absent where there are none. */
  readonly not_measured?: number;
}

/** The same with its percentage. */
export interface EnforcementSummary extends EnforcementCount {
  /** The enforced rules; null where there are none, or nothing was answered. */
  readonly percent: number | null;
  /** False where no recorded interaction has a response. */
  readonly measured: boolean;
}

/** The keywords of the schemas of documented responses (semantics, section 12). */
export interface ResponseKeywordCount {
  /** Keywords that the value of some response met. */
  readonly seen: number;
  /** Keywords that made a response invalid. */
  readonly violated: number;
  /** The number of keywords that can both pass and fail. */
  readonly total: number;
}

/** The same with its percentage. */
export interface ResponseKeywordSummary extends Omit<ResponseKeywordCount, "total"> {
  /** The number of keywords that can both pass and fail; null where they are not measured, and so not counted. */
  readonly total: number | null;
  /** The keywords seen; null where there are none, or they are not measured. */
  readonly percent: number | null;
  /** False where no recorded interaction has the body of a response. */
  readonly measured: boolean;
}

/** Requests of an operation that needs credentials (semantics, section 10). */
export interface CredentialCounts {
  /** Requests that show all credentials of an alternative, answered with 2xx or 3xx. */
  readonly with_credentials_succeeded: number;
  /** Requests that show none, answered with 401 or 403. */
  readonly without_credentials_refused: number;
  /** Requests that show none, answered with 2xx. */
  readonly without_credentials_succeeded: number;
  /** Requests like the last two from recordings that show no credentials elsewhere either: they prove nothing. */
  readonly without_credentials_unknown: number;
}

/** The growth of coverage: counts of everything covered by certain moments. */
export interface Timeline extends Readonly<Record<Dimension, readonly number[]>> {
  /** Seconds since 1970, ascending: from the first request to the last, at most 200. */
  readonly at: readonly number[];
  /** Items covered only by requests without a known time, which none of the counts includes. */
  readonly undated: Readonly<Record<Dimension, number>>;
}

/** Something that was never sent or never came back. */
export type Gap =
  & {
    /** Its name, which lasts while the description has what it is about; absent from reports of older versions. */
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
          /** The value itself, or the boundary, where the class has one. */
          readonly value?: Json;
        }
      )
  );

/** A gap of one of the five dimensions: classes of values are apart from them. */
export type DimensionGap = Exclude<Gap, { readonly kind: "value_uncovered" }>;

const KINDS_BY_NAME: Readonly<Record<GapKindName, Gap["kind"]>> = {
  operations: "operation_uncovered",
  parameters: "parameter_uncovered",
  keywords: "keyword_uncovered",
  examples: "example_uncovered",
  responses: "response_uncovered",
  values: "value_uncovered",
};

/** The kind of gaps that an option names. */
export function gapKind(name: GapKindName): Gap["kind"] {
  return KINDS_BY_NAME[name];
}

export const DIMENSION_KINDS: readonly Gap["kind"][] = DIMENSIONS.map(gapKind);

export function isOfDimension(gap: Gap): gap is DimensionGap {
  return gap.kind !== "value_uncovered";
}

/** A request that shows a finding, to repeat it: its secrets are masked, and its headers left out. */
export interface FindingRequest {
  /** The method. */
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
  /** Its body; absent without one. */
  readonly body?: {
    /** Empty if the request names none. */
    readonly media_type: string;
    /**
     * JSON with the types of values in their place, such as `string (integer)` for "5" where the schema wants an integer;
     * `*` stands for undeclared property names. Absent for other bodies.
     */
    readonly shape?: Json;
  };
}

/** The smallest interaction that shows a finding; it holds no value of the traffic but those in the URL of its request. */
export interface FindingExample {
  /** The status of the response. */
  readonly status_code: number;
  /** The media type of a response body, as the description or else the response has it. */
  readonly media_type?: string;
  /** RFC 6901 pointer to the part of the value that a keyword refuses; `*` stands for undeclared property names. */
  readonly instance?: string;
  /** The request that came first of those that are alike in this; absent in hits of older versions. */
  readonly request?: FindingRequest;
}

/** The parts that all findings have. */
export interface FindingBase {
  /** The operation's method, in capitals. */
  readonly method: string;
  /** The operation's path, as in the description. */
  readonly path: string;
  /** The number of interactions that show it. */
  readonly count: number;
  /** The time of the first of them, in seconds since 1970; null where unknown. */
  readonly first_at: number | null;
  /** The smallest of them; null where none is kept. */
  readonly example: FindingExample | null;
}

/** A contradiction between the API and its description, or an answer that hints at one. */
export type Finding =
  & FindingBase
  & (
    | {
      /** A value that only this keyword makes invalid was accepted. */
      readonly kind: "keyword_not_enforced";
      readonly location: ParameterLocation;
      readonly parameter: string;
      readonly schema_path: string;
      /** True if the rule is that the parameter or body is required, and it was missing; else absent. */
      readonly missing?: true;
      /** True if the rule is `type` and a text was accepted that can be converted to it, such as "5" for 5; else absent. */
      readonly coercible?: true;
    }
    | {
      /** A valid request was answered with 400 or 422, or a status came that the description lacks. */
      readonly kind: "valid_request_refused" | "undocumented_status";
      readonly status_code: string;
    }
    | {
      /** A keyword of a response body or header was broken. */
      readonly kind: "response_violates_schema";
      /** The documented response: `200`, `2XX` or `default`. */
      readonly status_code: string;
      readonly media_type?: string;
      readonly header?: string;
      /** The keyword, or the media type or header of a value that does not parse. */
      readonly schema_path: string;
      /** True if a required header is absent; else absent. */
      readonly missing?: true;
      /** True if the value does not parse; else absent. */
      readonly malformed?: true;
    }
    | {
      /** A response body had a media type that the description lacks for its status. */
      readonly kind: "undocumented_media_type";
      readonly status_code: string;
      /** Empty if the response names none. */
      readonly media_type: string;
    }
    | {
      /**
       * A request body had a media type that the description lacks, or a response with this status code had a body, which
       * the description lacks for it.
       */
      readonly kind: "undocumented_body";
      readonly media_type: string;
      /** The status of the responses; absent for requests. */
      readonly status_code?: string;
    }
    | {
      /** The operation needs credentials and answered 2xx without, or it was called and never answered with 2xx or 3xx. */
      readonly kind: "credentials_not_required" | "never_succeeded";
    }
    | {
      /** An identity was let in or turned away, and the opposite is expected. */
      readonly kind: "allowed_unexpectedly" | "refused_unexpectedly";
      readonly identity: string;
      /** Set where it was let to an object that another identity created. */
      readonly foreign_object?: "read" | "changed";
      /** That other identity. */
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
  /** The location of its parameter. */
  readonly location: ParameterLocation;
  /** The parameter's name; for a body its media type. */
  readonly parameter: string;
  /** RFC 6901 pointer to the keyword. */
  readonly schema_path: string;
  /** The outcomes not seen. */
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

/** Requests that match no operation, counted by method, host and path. */
export interface UnmatchedRequest {
  /** The method, in capitals. */
  readonly method: string;
  /** Host with port, that of this machine (`localhost`, `127.0.0.1`) without; empty if the URL has none. */
  readonly host: string;
  /** The path, without its query; where only the method is missing, the template that fits. */
  readonly path: string;
  /** The reason why nothing matches. */
  readonly reason: UnmatchedReason;
  /** The number of such requests. */
  readonly count: number;
  /** Seconds since 1970; null if unknown. */
  readonly first_at: number | null;
}

/** Hits that could not be carried over to another description: what they were hits of. */
export interface DroppedHits {
  /** The kind of what was counted. */
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
  /** Location and name; undefined for operations and responses. */
  readonly parameter?: string;
  /** The pointer of a keyword or example, as the earlier description had it; `schema/…` from the parameter's own one. */
  readonly schema_path?: string;
  /** Of a response. */
  readonly status_code?: string;
  /** One that the schema of the parameter named. */
  readonly value?: Json;
  /** The number of counts. */
  readonly hits: number;
  /** The name of the API; undefined where one was measured. */
  readonly api?: string;
}
