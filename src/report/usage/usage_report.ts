import type { Json } from "../../values/json.ts";
import type { ValueClassName } from "../../values/value_class_name.ts";
import type { ParameterLocation } from "../../values/position.ts";
import type { UnmatchedReason } from "../../map/results.ts";
import type { Report } from "../report.ts";

/**
 * A kind of part that is used or tested. `value` is a value that a parameter's schema names, `class` a class of valid
 * values, if classes are counted.
 */
export type UsageKind = "operation" | "parameter" | "value" | "class" | "response";

/**
 * The traffic that one side of the comparison recorded: numbers of requests, and the times of the first and last one in
 * seconds since 1970; null if unknown.
 */
export type UsageTraffic = Report["traffic"];

/** Numbers of parts of one kind. */
export interface UsageCount {
  /** The number in the description that the traffic of both sides could show. */
  readonly total: number;
  /** The number that production used. */
  readonly used: number;
  /** The number that tests exercised. */
  readonly tested: number;
  /** The number that production used and tests exercised. */
  readonly used_and_tested: number;
  /** The percentage of used parts that are tested; null if none is used. */
  readonly percent: number | null;
  /** The number in the description that the traffic of one side could not show. */
  readonly not_measured: number;
}

/** The operation that something belongs to. */
export interface UsageOperation {
  /** In upper case, unless the description writes it otherwise. */
  readonly method: string;
  /** The path template; for an undocumented endpoint, its path with `{}` in place of ids. */
  readonly path: string;
}

/** A documented part, with the number of requests on each side that contained it. */
export interface UsageItem extends UsageOperation {
  /** The kind of part. */
  readonly kind: UsageKind;
  /** The location of the parameter; for parameters, values and classes. */
  readonly location?: ParameterLocation;
  /** The name of the parameter, for a body its media type; for parameters, values and classes. */
  readonly parameter?: string;
  /** The value; for values, and for classes that have one. */
  readonly value?: Json;
  /** RFC 6901 pointer to the schema or keyword that names the class; for classes. */
  readonly schema_path?: string;
  /** RFC 6901 pointer into the value, with `*` for items; for classes. */
  readonly instance_path?: string;
  /** The name of the class; for classes. */
  readonly class?: ValueClassName;
  /** As in the description: `200`, `2XX` or `default`; for responses. */
  readonly status_code?: string;
  /** How often it occurred in production. */
  readonly production: number;
  /** Its percentage of production's matched requests; null if there were none. */
  readonly share: number | null;
  /** How often it occurred in tests. */
  readonly tests: number;
}

/** Requests of production to an endpoint that isn't documented. */
export interface ShadowEndpoint extends UsageOperation, Pick<UsageItem, "production" | "tests"> {
  /** Distinguishes endpoints from parts of operations. */
  readonly kind: "endpoint";
  /** The reason why the requests match no operation. */
  readonly reason: UnmatchedReason;
  /** The number of different paths that are listed as this one, with `{}` in place of ids. */
  readonly paths: number;
}

/** Undocumented responses or bodies of production. */
export interface UndocumentedPart extends UsageOperation, Pick<UsageItem, "production" | "tests"> {
  /** The kind of part. */
  readonly kind: "status" | "media_type";
  /** The undocumented status, or the status of responses with the media type; absent for bodies of requests. */
  readonly status_code?: string;
  /** The undocumented media type; empty if bodies had none. */
  readonly media_type?: string;
}

/** Something that production uses although it isn't documented. */
export type UndocumentedUse = ShadowEndpoint | UndocumentedPart;

/** A part that the traffic of a side could not show, so that it counts neither as used nor as unused. */
export interface UnseenPart {
  /** The side whose traffic could not show it. */
  readonly side: "tests" | "production";
  /** The part of requests, or all responses. */
  readonly part: "path_parameters" | "query" | "request_headers" | "request_body" | "responses";
}

/** The comparison of production with tests, which every reporter reads and `--format json` prints. */
export interface UsageReport {
  /** Changes only when programs that read the report have to change. */
  readonly format_version: 1;
  /** Distinguishes this JSON from a coverage report. */
  readonly kind: "usage";
  /** The program that made the report. */
  readonly tool: Report["tool"];
  /** The heading of the report. */
  readonly title: string;
  /** ISO 8601, in UTC. */
  readonly generated_at: string;
  /** The description: its location, and its own title and version. */
  readonly schema: Omit<Report["schema"], "base_path">;
  /** The traffic of tests. */
  readonly tests: UsageTraffic;
  /** The traffic of production. */
  readonly production: UsageTraffic;
  /** Production's matched requests to operations that tests call. */
  readonly tested_requests: { readonly count: number; readonly percent: number | null };
  /** The totals by kind, including parts of operations that one side doesn't call. */
  readonly summary: {
    readonly operations: UsageCount;
    readonly parameters: UsageCount;
    readonly values: UsageCount;
    /** Classes of valid values; absent if they aren't counted. */
    readonly classes?: UsageCount;
    readonly responses: UsageCount;
  };
  /** Used in production, not tested; most used first. Of an operation that no test calls, the parts aren't listed. */
  readonly untested: readonly UsageItem[];
  /** Tested, not used in production; most tested first. Of an operation that isn't used, the parts aren't listed. */
  readonly unused: readonly UsageItem[];
  /** Used in production, not documented; most used first. */
  readonly undocumented: readonly UndocumentedUse[];
  /** Production's requests to endpoints that aren't listed: hits keep only 1,000 different ones. */
  readonly unlisted_requests: number;
  /** The parts of interactions that the traffic of a side could not show. */
  readonly not_measured: readonly UnseenPart[];
}
