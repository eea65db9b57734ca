import type { Json } from "../values/json.ts";
import type { ParameterLocation } from "../values/parameter_location.ts";
import type { Satisfiability } from "../values/satisfiability.ts";
import type { Diagnostic } from "../values/diagnostic.ts";
import type {
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
  /** How many values passed. */
  readonly valid: number;
  /** How many values failed. */
  readonly invalid: number;
  /** `full` where values passed and failed, `partial` where they did one of it. */
  readonly state: "none" | "partial" | "full";
  /** Whether it can pass and fail. */
  readonly satisfiability: Satisfiability;
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** Changes when the description gives it another value; absent for a value that consists of schemas. */
  readonly value_hash?: string;
  /** How many requests that it alone made invalid were refused; absent where there were none. */
  readonly refused?: number;
  /** How many requests that it alone made invalid were accepted; absent where there were none. */
  readonly accepted?: number;
  /** The tests whose values passed, and those whose values failed; absent where no test is known. */
  readonly covered_by?: { readonly valid: TestIndexes; readonly invalid: TestIndexes };
}

/** One documented example of a parameter that was hit. */
export interface ReportExample {
  /** RFC 6901 pointer to it. */
  readonly schema_path: string;
  /** What it says. */
  readonly value: Json;
  /** How many values equalled it. */
  readonly hits: number;
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** The tests that sent it; absent where no test is known. */
  readonly covered_by?: TestIndexes;
}

/** One parameter of an operation. */
export interface ReportParameter {
  /** Where it stands. */
  readonly location: ParameterLocation;
  /** Its name; for a body its media type. */
  readonly parameter: string;
  /** Whether the description asks for it. */
  readonly required: boolean;
  /** How many requests carried it. */
  readonly hits: number;
  /** Keywords that count (Normal ones that are not excluded), whether or not the parameter was hit. */
  readonly keyword_total: number;
  /** RFC 6901 pointer to it. */
  readonly schema_path: string;
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** Empty where the parameter was never hit. */
  readonly keywords: readonly ReportKeyword[];
  /** Empty where the parameter was never hit. */
  readonly examples: readonly ReportExample[];
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
  /** How many came. */
  readonly hits: number;
  /** Seconds; null where no duration is known. */
  readonly elapsed: { readonly mean: number; readonly max: number } | null;
  /** The index in {@linkcode Report.exclusions} of what leaves it out of all counts; absent where it counts. */
  readonly excluded?: number;
  /** The tests that it came to; absent where no test is known. */
  readonly covered_by?: TestIndexes;
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
  /** Whether the description calls it so. */
  readonly deprecated: boolean;
  /** How many requests matched. */
  readonly hits: number;
  /** How many were answered with 2xx or 3xx, documented or not; absent in reports of older versions. */
  readonly succeeded?: number;
  /** Seconds since 1970; null where unknown. */
  readonly first_at: number | null;
  /** Seconds since 1970; null where unknown. */
  readonly last_at: number | null;
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
    /** The tests that it came to; absent where no test is known. */
    readonly covered_by?: TestIndexes;
  }[];
  /** Bodies of media types that are not documented, an empty one where none was said; absent where there were none. */
  readonly undocumented_bodies?: readonly {
    readonly media_type: string;
    readonly hits: number;
  }[];
  /** The tests that called it; absent where no test is known. */
  readonly covered_by?: TestIndexes;
}

/** One reason for which parts of the description are left out of every count. */
export interface ReportExclusion {
  /** As it was written; `x-covtool-ignore` for a field of the description, `not included` for what no include matches. */
  readonly pattern: string;
  /** Why; null where no reason is given. */
  readonly reason: string | null;
  /** The last day on which it is meant; null where it has no end. */
  readonly until: string | null;
  /** Who says so: `command line`, or a file with its line. */
  readonly source: string;
  /** RFC 6901 pointer to what the field stands in; absent for patterns. */
  readonly schema_path?: string;
  /** What it leaves out, with how much of that was covered nonetheless. */
  readonly excluded: Statistic;
  /** A sentence that says why it should be changed or removed; null where it is as it should be. */
  readonly stale: string | null;
}

/** The report model: what every reporter reads, and what `--format json` prints (format version 1). */
export interface Report {
  /** Changes when a program that reads the report would have to. */
  readonly format_version: 1;
  /** What made it. */
  readonly tool: { readonly name: "covtool"; readonly version: string };
  /** What heads it. */
  readonly title: string;
  /** ISO 8601, in UTC. */
  readonly generated_at: string;
  /** The description: where it is, what it calls itself, and the base path that was chosen. */
  readonly schema: {
    readonly location: string;
    readonly title: string;
    readonly version: string;
    readonly specification: string;
    readonly base_path: string | null;
  };
  /** How many requests there were, and when: in seconds since 1970, null where unknown. */
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
  /** How coverage grew while the traffic went on; null where its times are not known. */
  readonly timeline: Timeline | null;
  /** What was never sent or never came back. */
  readonly gaps: readonly Gap[];
  /** Contradictions between the API and its description; absent from reports of versions that had none. */
  readonly findings?: readonly Finding[];
  /** The 1,000 smallest by path, method and host. */
  readonly unmatched: readonly UnmatchedRequest[];
  /** How many requests matched nothing, those that the list leaves out included. */
  readonly unmatched_total: number;
  /** The base path under which most of the traffic would match; null where there is none. */
  readonly suggested_base_path: string | null;
  /** What is wrong with the description. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the tests that sent requests, in order of their characters; absent where no test is known. */
  readonly tests?: readonly string[];
  /** What is left out of every count, and why; absent where nothing is. */
  readonly exclusions?: readonly ReportExclusion[];
  /** What changed since an earlier report; absent where it is compared with none. */
  readonly comparison?: Comparison;
}
