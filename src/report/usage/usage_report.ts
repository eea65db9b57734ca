import type { Json } from "../../values/json.ts";
import type { ValueClassName } from "../../values/value_class_name.ts";
import type { ParameterLocation } from "../../values/position.ts";
import type { UnmatchedReason } from "../../map/results.ts";

/**
 * A kind of thing that is used or tested: `value` is one of those that the schema of a parameter names, `class` a class
 * of valid values, where these are counted.
 */
export type UsageKind = "operation" | "parameter" | "value" | "class" | "response";

/** What one side of the comparison recorded. */
export interface UsageTraffic {
  /** The number of requests. */
  readonly recorded: number;
  /** Those that match an operation. */
  readonly matched: number;
  /** Those that match none. */
  readonly unmatched: number;
  /** Seconds since 1970; null if unknown. */
  readonly first_at: number | null;
  /** Seconds since 1970; null if unknown. */
  readonly last_at: number | null;
}

/** The number of things of one kind. */
export interface UsageCount {
  /** Those that the description has and both sides could show. */
  readonly total: number;
  /** Those that production showed. */
  readonly used: number;
  /** Those that tests showed. */
  readonly tested: number;
  /** Those that both showed. */
  readonly used_and_tested: number;
  /** The percentage of the used ones that are tested; null if none is used. */
  readonly percent: number | null;
  /** Those that the description has and a side could not show. */
  readonly not_measured: number;
}

/** The operation that something belongs to. */
export interface UsageOperation {
  /** In upper case, unless the description writes it otherwise. */
  readonly method: string;
  /** The template of the description; of an endpoint that it lacks the path, with ids written `{}`. */
  readonly path: string;
}

/** Something that the description has, with the number of requests on both sides that showed it. */
export interface UsageItem extends UsageOperation {
  /** What it is. */
  readonly kind: UsageKind;
  /** The part of a request that a parameter is in; of parameters and values. */
  readonly location?: ParameterLocation;
  /** The name of the parameter, of a body its media type; of parameters and values. */
  readonly parameter?: string;
  /** The value; of values, and of classes that have one. */
  readonly value?: Json;
  /** RFC 6901 pointer to what names the class; of classes. */
  readonly schema_path?: string;
  /** RFC 6901 pointer into the value, with `*` for items; of classes. */
  readonly instance_path?: string;
  /** The name of the class; of classes. */
  readonly class?: ValueClassName;
  /** As in the description: `200`, `2XX` or `default`; of responses. */
  readonly status_code?: string;
  /** How often production showed it. */
  readonly production: number;
  /** The percentage of production's matched requests that this is; null if there were none. */
  readonly share: number | null;
  /** How often tests showed it. */
  readonly tests: number;
}

/** Requests of production to an endpoint that the description lacks. */
export interface ShadowEndpoint extends UsageOperation {
  /** Tells it from parts of operations. */
  readonly kind: "endpoint";
  /** Why they match nothing. */
  readonly reason: UnmatchedReason;
  /** The number of different paths that are shown as this one: ids in them are written `{}`. */
  readonly paths: number;
  /** How often production showed it. */
  readonly production: number;
  /** How often tests showed it. */
  readonly tests: number;
}

/** Answers or bodies of production that the description lacks. */
export interface UndocumentedPart extends UsageOperation {
  /** What it is. */
  readonly kind: "status" | "media_type";
  /** Of a status: `500`; of a media type that of the responses, absent for one of requests. */
  readonly status_code?: string;
  /** Of bodies; empty if they named none. */
  readonly media_type?: string;
  /** How often production showed it. */
  readonly production: number;
  /** How often tests showed it. */
  readonly tests: number;
}

/** Something that production shows and the description lacks. */
export type UndocumentedUse = ShadowEndpoint | UndocumentedPart;

/** Something that a side could not show, so that it is neither used nor unused. */
export interface UnseenPart {
  /** The side that could not show it. */
  readonly side: "tests" | "production";
  /** The part of interactions. */
  readonly part: "path_parameters" | "query" | "request_headers" | "request_body" | "responses";
}

/** What production uses and tests exercise, compared: what every reporter reads and `--format json` prints. */
export interface UsageReport {
  /** Changes when a program that reads the report would have to. */
  readonly format_version: 1;
  /** Tells it from reports of coverage. */
  readonly kind: "usage";
  /** The program that made it. */
  readonly tool: { readonly name: "covtool"; readonly version: string };
  /** Its heading. */
  readonly title: string;
  /** ISO 8601, in UTC. */
  readonly generated_at: string;
  /** The description: where it is, and what it calls itself. */
  readonly schema: {
    readonly location: string;
    readonly title: string;
    readonly version: string;
    readonly specification: string;
  };
  /** The traffic of tests. */
  readonly tests: UsageTraffic;
  /** The traffic of production. */
  readonly production: UsageTraffic;
  /** Of production's matched requests those to operations that tests call. */
  readonly tested_requests: { readonly count: number; readonly percent: number | null };
  /** The totals by kind, parts of operations that one side does not call included. */
  readonly summary: {
    readonly operations: UsageCount;
    readonly parameters: UsageCount;
    readonly values: UsageCount;
    /** Classes of valid values; absent where they aren't counted. */
    readonly classes?: UsageCount;
    readonly responses: UsageCount;
  };
  /** Used in production and not tested, most used first; of an operation that no test calls only itself. */
  readonly untested: readonly UsageItem[];
  /** Tested and not used in production, most tested first; of an operation that nobody uses only itself. */
  readonly unused: readonly UsageItem[];
  /** Shown by production and not in the description, most used first. */
  readonly undocumented: readonly UndocumentedUse[];
  /** Production's requests to endpoints that the list leaves out, because hits keep 1,000 different ones. */
  readonly unlisted_requests: number;
  /** The parts that a side could not show. */
  readonly not_measured: readonly UnseenPart[];
}
