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

/** Tests by their index in {@linkcode Report.tests}, ascending. */
export type TestIndexes = readonly number[];

/** One keyword of a parameter that was hit. */
export interface ReportKeyword {
  /** Its name. */
  readonly keyword: string;
  /** RFC 6901 pointer to it. */
  readonly schema_path: string;
  /** The number of values that passed. */
  readonly valid: number;
  /** The number of values that failed. */
  readonly invalid: number;
  /** `full` where values passed and failed, `partial` where they did one of it. */
  readonly state: "none" | "partial" | "full";
  /** The possible outcomes: passing, failing or both. */
  readonly satisfiability: Satisfiability;
  /** How often `discriminator` named each alternative of `anyOf` or `oneOf`; absent where none chooses among them. */
  readonly chosen?: readonly number[];
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** Changes when the description gives it another value; absent for a value that consists of schemas. */
  readonly value_hash?: string;
  /** The number of refused requests that only this keyword made invalid; absent if there were none. */
  readonly refused?: number;
  /** The number of accepted requests that only this keyword made invalid; absent if there were none. */
  readonly accepted?: number;
  /** The tests whose values passed, and those whose values failed; absent where no test is known. */
  readonly covered_by?: { readonly valid: TestIndexes; readonly invalid: TestIndexes };
}

/** One documented example of a parameter that was hit. */
export interface ReportExample {
  /** RFC 6901 pointer to it. */
  readonly schema_path: string;
  /** Its value. */
  readonly value: Json;
  /** The number of values equal to it. */
  readonly hits: number;
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** The tests that sent it; absent where no test is known. */
  readonly covered_by?: TestIndexes;
}

/** A class of values of a parameter (semantics, section 16). */
export interface ReportValue {
  /** RFC 6901 pointer to the schema, or to the keyword that names the class. */
  readonly schema_path: string;
  /** RFC 6901 pointer into the value, with `*` for items and for names that aren't declared. */
  readonly instance_path: string;
  /** The name of the class. */
  readonly class: ValueClassName;
  /** The only value of the class, or the boundary; for `between` and `several_items`, the limits as keywords. Absent for others. */
  readonly value?: Json;
  /** The number of valid values that are of this class. */
  readonly hits: number;
}

/** One parameter of an operation. */
export interface ReportParameter {
  /** The part of a request that it is in. */
  readonly location: ParameterLocation;
  /** Its name; for a body its media type. */
  readonly parameter: string;
  /** True if the description requires it. */
  readonly required: boolean;
  /** The number of requests that carried it. */
  readonly hits: number;
  /** Keywords that count (Normal ones that are not excluded), whether or not the parameter was hit. */
  readonly keyword_total: number;
  /** Examples that count, whether or not the parameter was hit; absent in reports of older versions. */
  readonly example_total?: number;
  /** RFC 6901 pointer to it. */
  readonly schema_path: string;
  /** False if none of the traffic could have shown it, so that nothing of it counts; else absent. */
  readonly measured?: false;
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** Empty where the parameter was never hit. */
  readonly keywords: readonly ReportKeyword[];
  /** Empty where the parameter was never hit. */
  readonly examples: readonly ReportExample[];
  /** The number of its classes of values, whether or not it was hit; absent where they aren't counted. */
  readonly value_total?: number;
  /** The classes at places that valid values have reached; absent where they aren't counted. */
  readonly values?: readonly ReportValue[];
  /** Hits whose text did not parse. */
  readonly malformed: number;
  /** Hits whose body is missing or cut in the recording. */
  readonly not_recorded: number;
  /** Requests whose only fault was that it was missing; absent where there were none. */
  readonly missing?: { readonly refused: number; readonly accepted: number };
  /** True where covtool does not decode this media type. */
  readonly unsupported: boolean;
  /** The tests that sent it; absent where no test is known. */
  readonly covered_by?: TestIndexes;
}

/** One documented response of an operation. */
export interface ReportResponse {
  /** As in the description: `200`, `2XX` or `default`. */
  readonly status_code: string;
  /** The number of responses with this status. */
  readonly hits: number;
  /** Seconds; null where no duration is known. */
  readonly elapsed: { readonly mean: number; readonly max: number } | null;
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** The media types of its bodies, in the order of the description; absent where no body of a response was recorded. */
  readonly media_types?: readonly ReportResponseMediaType[];
  /** Its headers, in the order of the description; absent where there are none, or no body of a response was recorded. */
  readonly headers?: readonly ReportResponseHeader[];
  /** Its links that lead to an operation; absent where there are none, or no body of a response was recorded. */
  readonly links?: readonly ReportLink[];
  /** The tests that received it; absent if unknown. */
  readonly covered_by?: TestIndexes;
}

/** A link that a response documents, by its target. */
export interface ReportLink {
  /** As in the description. */
  readonly link: string;
  /** The method of the operation that it leads to, in capitals. */
  readonly method: string;
  /** The path of that operation, as in the description. */
  readonly path: string;
  /** The number of requests that carried what its source had answered. */
  readonly hits: number;
}

/** One keyword of a response that was evaluated; its name is the end of its pointer. */
export interface ReportResponseKeyword {
  /** RFC 6901 pointer to it. */
  readonly schema_path: string;
  /** The number of values that it was evaluated on. */
  readonly seen: number;
  /** The number of responses that it made invalid; absent if there were none. */
  readonly violated?: number;
}

/** A media type or header of a response. */
export interface ReportResponsePart {
  /** The number of responses that had it. */
  readonly hits: number;
  /** Keywords that count (Normal ones that are not excluded), whether or not it came. */
  readonly keyword_total: number;
  /** RFC 6901 pointer to it. */
  readonly schema_path: string;
  /** Those that count and that a value met. */
  readonly keywords: readonly ReportResponseKeyword[];
  /** Hits whose value did not parse; absent if there were none. */
  readonly malformed?: number;
  /** Hits whose body is missing or cut in the recording; absent if there were none. */
  readonly not_recorded?: number;
  /** True where covtool does not decode it; else absent. */
  readonly unsupported?: true;
}

/** One media type of a response. */
export interface ReportResponseMediaType extends ReportResponsePart {
  /** As in the description; in Swagger 2.0 all that the operation produces, separated by commas. */
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
  /** In capitals. */
  readonly method: string;
  /** As in the description. */
  readonly path: string;
  /** Null where the description gives none. */
  readonly operation_id: string | null;
  /** As in the description. */
  readonly tags: readonly string[];
  /** True if the description marks it as deprecated. */
  readonly deprecated: boolean;
  /** The number of matching requests. */
  readonly hits: number;
  /** The number answered with 2xx or 3xx, documented or not; absent in reports of older versions. */
  readonly succeeded?: number;
  /** Seconds since 1970; null where unknown. */
  readonly first_at: number | null;
  /** Seconds since 1970; null where unknown. */
  readonly last_at: number | null;
  /** Requests with and without the credentials that it needs; absent where it needs none or was never called. */
  readonly credentials?: CredentialCounts;
  /** The five dimensions of this operation alone. */
  readonly summary: Summary;
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** In the order of the description. */
  readonly parameters: readonly ReportParameter[];
  /** In the order of the description. */
  readonly responses: readonly ReportResponse[];
  /** Status codes that came without being documented. */
  readonly undocumented_responses: readonly {
    readonly status_code: string;
    readonly hits: number;
    /** The media types of its bodies, empty where a body names none; absent where no body was recorded. */
    readonly media_types?: readonly { readonly media_type: string; readonly hits: number }[];
    /** The tests that received it; absent if unknown. */
    readonly covered_by?: TestIndexes;
  }[];
  /** Bodies of undocumented media types, with an empty one if the request named none; absent if there were none. */
  readonly undocumented_bodies?: readonly {
    readonly media_type: string;
    readonly hits: number;
  }[];
  /** Names in queries that are no documented parameters; absent if there were none. */
  readonly undocumented_parameters?: readonly {
    readonly location: "query";
    readonly parameter: string;
    readonly hits: number;
  }[];
  /** The tests that called it; absent where no test is known. */
  readonly covered_by?: TestIndexes;
}

/** A property that came back in responses, and that the description doesn't declare. */
export interface ReportUndocumentedProperty {
  /** The operation's method, in capitals. */
  readonly method: string;
  /** The operation's path, as in the description. */
  readonly path: string;
  /** The status of the responses. */
  readonly status_code: string;
  /** The documented media type of their bodies. */
  readonly media_type: string;
  /** RFC 6901 pointer to it, with `*` for items of arrays and for names that look like data. */
  readonly property: string;
  /** The number of responses that have it. */
  readonly count: number;
  /** The time of the first of them, in seconds since 1970; null where unknown. */
  readonly first_at: number | null;
}

/** A documented part of responses that was changed towards the tests. */
export interface ReportNoticed {
  /** The operation's method, in capitals. */
  readonly method: string;
  /** The operation's path, as in the description. */
  readonly path: string;
  /** The response, as in the description: `200`, `2XX` or `default`. */
  readonly status_code: string;
  /** The kind of part. */
  readonly part: "status" | "body" | "property" | "list" | "header";
  /** The name of a property or header; absent for other parts. */
  readonly name?: string;
  /** RFC 6901 pointer to its place in the description. */
  readonly schema_path: string;
  /** RFC 6901 pointer into the body, with `*` for items and for names of properties that aren't declared; absent for parts outside of bodies. */
  readonly instance_path?: string;
  /** Whether a test fails when it is changed. */
  readonly state: "noticed" | "unnoticed" | "not_tried";
  /** The changes that were tried, each with the number of runs. */
  readonly changes: readonly ReportNoticedChange[];
  /** The number of responses that had it, in a run without changes. */
  readonly responses: number;
  /** The tests whose responses have it, by name; empty where no test is known. */
  readonly reached_by: readonly string[];
  /** The first of these, in which to assert it; only commands look for it, for parts that no test notices. */
  readonly closest_test?: ClosestTest;
  /** The tests that fail when it is changed, by name; absent where none is known. */
  readonly noticed_by?: readonly string[];
  /** Why it has no verdict, or has one without being tried: a sentence; absent for others. */
  readonly reason?: string;
}

/** The matrix of operations and identities. */
export interface ReportAccess {
  /** The names of those who send requests; `anonymous` for requests without credentials. */
  readonly identities: readonly string[];
  /** In the order of the description; those that nothing is expected of and nobody called are left out. */
  readonly operations: readonly ReportAccessOperation[];
  /** Identities whose requests a recording may have without showing it; absent if there are none. */
  readonly not_measured?: readonly string[];
  /** The number of answers to credentials of nobody who is known; absent if there are none. */
  readonly unknown?: number;
  /** The number of answers of which the recording doesn't show who asked; absent if there are none. */
  readonly hidden?: number;
}

/** One row of it. */
export interface ReportAccessOperation {
  /** The operation's method, in capitals. */
  readonly method: string;
  /** The operation's path, as in the description. */
  readonly path: string;
  /** In the order of the identities; absent ones were never seen here, and nothing is expected of them. */
  readonly cells: readonly AccessCell[];
}

/** One change of a part. */
export interface ReportNoticedChange {
  /** Its name: `removed`, `null`, `empty`, … */
  readonly change: string;
  /** The runs in which it was made. */
  readonly runs: number;
  /** Whether a test failed with it; absent where that isn't certain. */
  readonly noticed?: boolean;
  /** True where a run with it took so long that it was ended; else absent. */
  readonly timed_out?: true;
}

/** One reason for which parts of the description are left out of every count. */
export interface ReportExclusion {
  /** As it was written; `x-covtool-ignore` for a field of the description, `not included` for what no include matches, `indistinguishable` for operations that nothing tells from earlier ones. */
  readonly pattern: string;
  /** The reason; null if none is given. */
  readonly reason: string | null;
  /** The last day on which it is meant; null where it has no end. */
  readonly until: string | null;
  /** The source: `command line`, or a file with its line. */
  readonly source: string;
  /** RFC 6901 pointer to the object that has the field; absent for patterns. */
  readonly schema_path?: string;
  /** The statistic of what it leaves out, covered things included. */
  readonly excluded: Statistic;
  /** A sentence that says why it should be changed or removed; null where it is as it should be. */
  readonly stale: string | null;
}

/** One requirement of a run: a threshold, or a condition on which it fails. */
export interface ReportGate {
  /** The API that it is for; absent in the verdict on that API. */
  readonly api?: string;
  /** The way it was asked for. */
  readonly kind: "threshold" | "fail_on";
  /** The figure (`keywords_full`), or the condition as it was written (`decrease=keywords`). */
  readonly name: string;
  /** What it asks for: `at least 80%`. */
  readonly asks: string;
  /** What was found: `75% (6 of 8)`. */
  readonly found: string;
  /** True if it is met. */
  readonly passed: boolean;
  /** What it asks for and what was found, for people. */
  readonly sentence: string;
}

/** The answer to whether the coverage is good enough. */
export interface ReportVerdict {
  /** True if all gates are passed. */
  readonly passed: boolean;
  /** Thresholds, then conditions in the order in which they were given. */
  readonly gates: readonly ReportGate[];
  /** The changes since the baseline, in one line; absent without one. */
  readonly changes?: string;
}

/** The report model: what every reporter reads, and what `--format json` prints (format version 1). */
export interface Report {
  /** Changes when a program that reads the report would have to. */
  readonly format_version: 1;
  /** The program that made it. */
  readonly tool: { readonly name: "covtool"; readonly version: string };
  /** Its heading. */
  readonly title: string;
  /** ISO 8601, in UTC. */
  readonly generated_at: string;
  /** Why no number says anything, in sentences: the description has paths, and nothing of them can be counted. Absent otherwise. */
  readonly nothing_counted?: string;
  /** Whether the requirements of the run are met; absent where it had none. */
  readonly verdict?: ReportVerdict;
  /** The description: where it is, what it calls itself, and the base path that was chosen. */
  readonly schema: {
    readonly location: string;
    readonly title: string;
    readonly version: string;
    readonly specification: string;
    readonly base_path: string | null;
  };
  /** The number of requests and their times: in seconds since 1970, null if unknown. */
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
  /** In the order of the description. */
  readonly operations: readonly ReportOperation[];
  /** The growth of coverage over the traffic; null if its times are unknown. */
  readonly timeline: Timeline | null;
  /** The things of the five dimensions that were never sent or never returned. */
  readonly gaps: readonly Gap[];
  /** Contradictions between the API and its description; absent from reports of versions that had none. */
  readonly findings?: readonly Finding[];
  /** Properties of responses that the description doesn't declare; absent unless they are asked for. */
  readonly undocumented_properties?: readonly ReportUndocumentedProperty[];
  /** The parts of responses that were changed towards the tests, in the order of the description; absent unless any were. */
  readonly noticed?: readonly ReportNoticed[];
  /** Who may do what, and who did it; absent unless identities are known. */
  readonly access?: ReportAccess;
  /** The 1,000 smallest by path, method and host. */
  readonly unmatched: readonly UnmatchedRequest[];
  /** The number of requests that matched nothing, including those that the list leaves out. */
  readonly unmatched_total: number;
  /** The base path under which most of the traffic would match; null if there is none. */
  readonly suggested_base_path: string | null;
  /** The mistakes in the description. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the tests that sent requests, in order of their characters; absent where no test is known. */
  readonly tests?: readonly string[];
  /** The exclusions from all counts, with their reasons; absent if there are none. */
  readonly exclusions?: readonly ReportExclusion[];
  /** The counts that could not be carried over from an earlier description (`--carry`); absent if there are none. */
  readonly dropped?: readonly DroppedHits[];
  /** The changes since an earlier report; absent if it wasn't compared with one. */
  readonly comparison?: Comparison;
}
