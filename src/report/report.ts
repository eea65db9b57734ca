import type { Json } from "../values/json.ts";
import type { ParameterLocation, Satisfiability } from "../values/position.ts";
import type { ValueClassName } from "../values/value_class_name.ts";
import type { ClosestTest } from "../suggest/suggestion.ts";
import type { Diagnostic } from "../values/diagnostic.ts";
import type {
  AccessCell,
  CredentialCounts,
  DroppedHits,
  Finding,
  Gap,
  Statistic,
  Summary,
  TclCount,
  Timeline,
  UnmatchedRequest,
} from "../map/results.ts";
import type { Comparison } from "./comparison/comparison.ts";

/** Tests as indexes into {@linkcode Report.tests}, ascending. */
export type TestIndexes = readonly number[];

/** One keyword of a parameter that was sent. */
export interface ReportKeyword {
  /** Its name. */
  readonly keyword: string;
  /** RFC 6901 pointer to the keyword. */
  readonly schema_path: string;
  /** The number of values that passed. */
  readonly valid: number;
  /** The number of values that failed. */
  readonly invalid: number;
  /** `full` if values both passed and failed, `partial` if they did only one of the two. */
  readonly state: "none" | "partial" | "full";
  /** The possible outcomes: passing, failing or both. */
  readonly satisfiability: Satisfiability;
  /** How often `discriminator` selected each alternative of `anyOf` or `oneOf`; absent if it doesn't select any. */
  readonly chosen?: readonly number[];
  /** The index in {@linkcode Report.exclusions} of the reason why it isn't counted; absent if it is counted. */
  readonly excluded?: number;
  /** A hash of the keyword's value in the description; absent for values that consist of schemas. */
  readonly value_hash?: string;
  /** The number of refused requests that only this keyword made invalid; absent if there were none. */
  readonly refused?: number;
  /** The number of accepted requests that only this keyword made invalid; absent if there were none. */
  readonly accepted?: number;
  /** The tests whose values passed, and those whose values failed; absent if no test is known. */
  readonly covered_by?: { readonly valid: TestIndexes; readonly invalid: TestIndexes };
}

/** One documented example of a parameter that was sent. */
export interface ReportExample {
  /** RFC 6901 pointer to the example. */
  readonly schema_path: string;
  /** Its value. */
  readonly value: Json;
  /** The number of sent values that equal the example. */
  readonly hits: number;
  /** The index in {@linkcode Report.exclusions} of the reason why it isn't counted; absent if it is counted. */
  readonly excluded?: number;
  /** The tests that sent it; absent if no test is known. */
  readonly covered_by?: TestIndexes;
}

/** A class of values of a parameter (semantics, section 16). */
export interface ReportValue {
  /** RFC 6901 pointer to the schema, or to the keyword that names the class. */
  readonly schema_path: string;
  /** RFC 6901 pointer into the value, with `*` for items and for undeclared property names. */
  readonly instance_path: string;
  /** The name of the class. */
  readonly class: ValueClassName;
  /** The only value or the boundary; for `between` and `several_items`, limits as keywords. Absent for others. */
  readonly value?: Json;
  /** The number of valid values in this class. */
  readonly hits: number;
}

/** One parameter of an operation. */
export interface ReportParameter {
  /** The part of a request that carries it. */
  readonly location: ParameterLocation;
  /** The name of the parameter; for a body, its media type. */
  readonly parameter: string;
  /** True if the description requires it. */
  readonly required: boolean;
  /** The number of requests that carried it. */
  readonly hits: number;
  /** The number of counted keywords (Normal and not excluded), even if the parameter was never sent. */
  readonly keyword_total: number;
  /** The number of counted examples, even if the parameter was never sent; absent in reports of older versions. */
  readonly example_total?: number;
  /** RFC 6901 pointer to the parameter. */
  readonly schema_path: string;
  /** False if the traffic could not show it, so that nothing of it is counted; absent otherwise. */
  readonly measured?: false;
  /** The index in {@linkcode Report.exclusions} of the reason why it isn't counted; absent if it is counted. */
  readonly excluded?: number;
  /** Empty if the parameter was never sent. */
  readonly keywords: readonly ReportKeyword[];
  /** Empty if the parameter was never sent. */
  readonly examples: readonly ReportExample[];
  /** The number of its classes of values, even if it was never sent; absent if classes aren't counted. */
  readonly value_total?: number;
  /** The classes at places that valid values have reached; absent if classes aren't counted. */
  readonly values?: readonly ReportValue[];
  /** The number of values that couldn't be parsed. */
  readonly malformed: number;
  /** The number of hits whose value or body is missing or cut in the recording. */
  readonly not_recorded: number;
  /** Requests that were invalid only because this parameter was missing; absent if there were none. */
  readonly missing?: { readonly refused: number; readonly accepted: number };
  /** True if covtool doesn't decode this media type. */
  readonly unsupported: boolean;
  /** The tests that sent it; absent if no test is known. */
  readonly covered_by?: TestIndexes;
}

/** One documented response of an operation. */
export interface ReportResponse {
  /** As in the description: `200`, `2XX` or `default`. */
  readonly status_code: string;
  /** The number of responses with this status. */
  readonly hits: number;
  /** Durations in seconds; null if none is known. */
  readonly elapsed: { readonly mean: number; readonly max: number } | null;
  /** The index in {@linkcode Report.exclusions} of the reason why it isn't counted; absent if it is counted. */
  readonly excluded?: number;
  /** The media types of its bodies, in the description's order; absent if no body of a response was recorded. */
  readonly media_types?: readonly ReportResponseMediaType[];
  /** Its headers, in the description's order; absent if there are none or no body of a response was recorded. */
  readonly headers?: readonly ReportResponseHeader[];
  /** Its links that lead to an operation; absent if there are none or no body of a response was recorded. */
  readonly links?: readonly ReportLink[];
  /** The tests that received it; absent if unknown. */
  readonly covered_by?: TestIndexes;
}

/** A documented link of a response to an operation. */
export interface ReportLink {
  /** The name of the link in the description. */
  readonly link: string;
  /** The method of the linked operation, in upper case. */
  readonly method: string;
  /** The path of the linked operation, as in the description. */
  readonly path: string;
  /** The number of requests to the linked operation with values taken from this response. */
  readonly hits: number;
}

/** One evaluated keyword of a response. The last segment of its pointer is its name. */
export interface ReportResponseKeyword {
  /** RFC 6901 pointer to the keyword. */
  readonly schema_path: string;
  /** The number of values on which it was evaluated. */
  readonly seen: number;
  /** The number of responses that it made invalid; absent if there were none. */
  readonly violated?: number;
}

/** A media type or header of a response. */
export interface ReportResponsePart {
  /** The number of responses that contained it. */
  readonly hits: number;
  /** The number of counted keywords (Normal and not excluded), even if it was never received. */
  readonly keyword_total: number;
  /** RFC 6901 pointer to the media type or header. */
  readonly schema_path: string;
  /** The counted keywords that were evaluated on a value. */
  readonly keywords: readonly ReportResponseKeyword[];
  /** The number of values that couldn't be parsed; absent if there were none. */
  readonly malformed?: number;
  /** The number of bodies that are missing or cut in the recording; absent if there were none. */
  readonly not_recorded?: number;
  /** True if covtool doesn't decode it; absent otherwise. */
  readonly unsupported?: true;
}

/** One media type of a response. */
export interface ReportResponseMediaType extends ReportResponsePart {
  /** As in the description; in Swagger 2.0, all media types that the operation produces, separated by commas. */
  readonly media_type: string;
}

/** One header of a response. */
export interface ReportResponseHeader extends ReportResponsePart {
  /** As in the description. */
  readonly header: string;
  /** True if the description requires it. */
  readonly required: boolean;
}

/** One operation of the description. */
export interface ReportOperation {
  /** In upper case. */
  readonly method: string;
  /** As in the description. */
  readonly path: string;
  /** Null if the description has none. */
  readonly operation_id: string | null;
  /** As in the description. */
  readonly tags: readonly string[];
  /** True if the description marks it as deprecated. */
  readonly deprecated: boolean;
  /** The number of matching requests. */
  readonly hits: number;
  /** The number of requests answered with 2xx or 3xx, documented or not; absent in reports of older versions. */
  readonly succeeded?: number;
  /** The time of the first request, in seconds since 1970; null if unknown. */
  readonly first_at: number | null;
  /** The time of the last request, in seconds since 1970; null if unknown. */
  readonly last_at: number | null;
  /** Requests with and without required credentials; absent if none are required or the operation was never called. */
  readonly credentials?: CredentialCounts;
  /** The five dimensions of this operation alone. */
  readonly summary: Summary;
  /** The index in {@linkcode Report.exclusions} of the reason why it isn't counted; absent if it is counted. */
  readonly excluded?: number;
  /** In the description's order. */
  readonly parameters: readonly ReportParameter[];
  /** In the description's order. */
  readonly responses: readonly ReportResponse[];
  /** Received status codes that aren't documented. */
  readonly undocumented_responses: readonly {
    readonly status_code: string;
    readonly hits: number;
    /** The media types of its bodies, "" for a body without a media type; absent if no body was recorded. */
    readonly media_types?: readonly { readonly media_type: string; readonly hits: number }[];
    /** The tests that received it; absent if unknown. */
    readonly covered_by?: TestIndexes;
  }[];
  /** Bodies of undocumented media types, "" for a body without a media type; absent if there were none. */
  readonly undocumented_bodies?: readonly {
    readonly media_type: string;
    readonly hits: number;
  }[];
  /** Names in query strings that aren't documented parameters; absent if there were none. */
  readonly undocumented_parameters?: readonly {
    readonly location: "query";
    readonly parameter: string;
    readonly hits: number;
  }[];
  /** The tests that called it; absent if no test is known. */
  readonly covered_by?: TestIndexes;
}

/** A property that responses contained although the description doesn't declare it. */
export interface ReportUndocumentedProperty extends Pick<ReportOperation, "method" | "path"> {
  /** The status of the responses. */
  readonly status_code: string;
  /** The documented media type of their bodies. */
  readonly media_type: string;
  /** RFC 6901 pointer to the property, with `*` for items of arrays and for names that look like data. */
  readonly property: string;
  /** The number of responses that contained it. */
  readonly count: number;
  /** The time of the first such response, in seconds since 1970; null if unknown. */
  readonly first_at: number | null;
}

/** A documented part of responses that covtool mutate changed. */
export interface ReportNoticed extends Pick<ReportOperation, "method" | "path"> {
  /** The response, as in the description: `200`, `2XX` or `default`. */
  readonly status_code: string;
  /** The kind of part. */
  readonly part: "status" | "body" | "property" | "list" | "header";
  /** The name of a property or header; absent for other parts. */
  readonly name?: string;
  /** RFC 6901 pointer to the part in the description. */
  readonly schema_path: string;
  /** RFC 6901 pointer into the body, with `*` for items and undeclared property names; absent outside bodies. */
  readonly instance_path?: string;
  /** `noticed` if a test fails when the part is changed. */
  readonly state: "noticed" | "unnoticed" | "not_tried";
  /** The changes that were tried, each with the number of runs. */
  readonly changes: readonly ReportNoticedChange[];
  /** The number of responses that contained it, in a run without changes. */
  readonly responses: number;
  /** The names of the tests that received it; empty if no test is known. */
  readonly reached_by: readonly string[];
  /** The first of these tests, to extend with an assertion. Only commands fill it in, for unnoticed parts. */
  readonly closest_test?: ClosestTest;
  /** The names of the tests that fail when it is changed; absent if none is known. */
  readonly noticed_by?: readonly string[];
  /** A sentence that says why it has no verdict, or has one without having been changed; absent otherwise. */
  readonly reason?: string;
}

/** The matrix of operations and identities. */
export interface ReportAccess {
  /** The names of the senders of requests; `anonymous` for requests without credentials. */
  readonly identities: readonly string[];
  /** In the description's order, without operations that nobody called and of which nothing is expected. */
  readonly operations: readonly ReportAccessOperation[];
  /** Identities whose requests the recording may contain without showing the identity; absent if there are none. */
  readonly not_measured?: readonly string[];
  /** The number of responses to credentials of unknown identities; absent if there are none. */
  readonly unknown?: number;
  /** The number of responses for which the recording doesn't show the sender; absent if there are none. */
  readonly hidden?: number;
}

/** A row of the matrix. */
export interface ReportAccessOperation extends Pick<ReportOperation, "method" | "path"> {
  /** In the order of the identities, without those that never called the operation and of which nothing is expected. */
  readonly cells: readonly AccessCell[];
}

/** One kind of change to a part. */
export interface ReportNoticedChange {
  /** Its name: `removed`, `null`, `empty`, … */
  readonly change: string;
  /** The number of runs with this change. */
  readonly runs: number;
  /** True if a test failed with it; absent if that isn't certain. */
  readonly noticed?: boolean;
  /** True if a run with this change was aborted because it took too long; absent otherwise. */
  readonly timed_out?: true;
}

/** A reason for leaving parts of the description out of every count. */
export interface ReportExclusion {
  /** The pattern as written; `x-covtool-ignore`, `not included` (by `include`), or `indistinguishable` operations. */
  readonly pattern: string;
  /** The reason; null if none is given. */
  readonly reason: string | null;
  /** The last day on which it applies; null if it has no end. */
  readonly until: string | null;
  /** The source: `command line`, or a file with its line. */
  readonly source: string;
  /** RFC 6901 pointer to the object with the field `x-covtool-ignore`; absent for patterns. */
  readonly schema_path?: string;
  /** The statistic of the excluded parts, covered ones included. */
  readonly excluded: Statistic;
  /** A sentence that says why it should be changed or removed; null if it needs no change. */
  readonly stale: string | null;
}

/** One requirement of a run: a threshold or a failure condition. */
export interface ReportGate {
  /** The API that has the requirement; absent in the verdict on a single API. */
  readonly api?: string;
  /** The kind of requirement. */
  readonly kind: "threshold" | "fail_on";
  /** The name of the figure (`keywords_full`), or the condition as written (`decrease=keywords`). */
  readonly name: string;
  /** The required value: `at least 80%`. */
  readonly asks: string;
  /** The actual value: `75% (6 of 8)`. */
  readonly found: string;
  /** True if it is met. */
  readonly passed: boolean;
  /** A sentence with the required and the actual value. */
  readonly sentence: string;
}

/** The verdict on whether the run meets its requirements. */
export interface ReportVerdict {
  /** True if all gates are passed. */
  readonly passed: boolean;
  /** Thresholds, followed by conditions in the given order. */
  readonly gates: readonly ReportGate[];
  /** The changes since the baseline, in one line; absent without a baseline. */
  readonly changes?: string;
}

/** The report model that every reporter reads and `--format json` prints (format version 1). */
export interface Report {
  /** Changes only when programs that read the report have to change. */
  readonly format_version: 1;
  /** The program that made the report. */
  readonly tool: { readonly name: "covtool"; readonly version: string };
  /** The heading of the report. */
  readonly title: string;
  /** ISO 8601, in UTC. */
  readonly generated_at: string;
  /** Sentences that say why nothing is counted although the description has paths; absent otherwise. */
  readonly nothing_counted?: string;
  /** The verdict on the run's requirements; absent if it had none. */
  readonly verdict?: ReportVerdict;
  /** The description: its location, its own title and version, and the chosen base path. */
  readonly schema: {
    readonly location: string;
    readonly title: string;
    readonly version: string;
    readonly specification: string;
    readonly base_path: string | null;
  };
  /** Numbers of requests, and the times of the first and last one in seconds since 1970; null if unknown. */
  readonly traffic: {
    readonly recorded: number;
    readonly matched: number;
    readonly unmatched: number;
    readonly first_at: number | null;
    readonly last_at: number | null;
  };
  /** The five dimensions of the whole description. */
  readonly summary: Summary;
  /** The criteria of the test coverage level, weakest first; absent in reports of older versions. */
  readonly tcl_criteria?: readonly TclCount[];
  /** In the description's order. */
  readonly operations: readonly ReportOperation[];
  /** The growth of coverage over the traffic; null if its times are unknown. */
  readonly timeline: Timeline | null;
  /** The parts of the five dimensions that were never sent or never returned. */
  readonly gaps: readonly Gap[];
  /** Contradictions between the API and its description; absent in reports of versions that had none. */
  readonly findings?: readonly Finding[];
  /** Undeclared properties of responses; absent unless requested. */
  readonly undocumented_properties?: readonly ReportUndocumentedProperty[];
  /** The parts of responses that covtool mutate changed, in the description's order; absent if it changed none. */
  readonly noticed?: readonly ReportNoticed[];
  /** Who may do what, and who did it; absent unless identities are configured. */
  readonly access?: ReportAccess;
  /** The first 1,000 by path, method and host. */
  readonly unmatched: readonly UnmatchedRequest[];
  /** The number of requests that matched no operation, including those that `unmatched` leaves out. */
  readonly unmatched_total: number;
  /** The base path with which most of the traffic would match; null if there is none. */
  readonly suggested_base_path: string | null;
  /** Mistakes in the description. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the tests that sent requests, sorted by character codes; absent if no test is known. */
  readonly tests?: readonly string[];
  /** The exclusions from all counts, with their reasons; absent if there are none. */
  readonly exclusions?: readonly ReportExclusion[];
  /** Counts that couldn't be carried over from an earlier description (`--carry`); absent if there are none. */
  readonly dropped?: readonly DroppedHits[];
  /** The changes since an earlier report; absent without a comparison. */
  readonly comparison?: Comparison;
}
