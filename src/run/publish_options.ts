import type { Dimension } from "../map/results.ts";
import type { OperationGrouping, OperationSorting } from "../report/text/arrange_operations.ts";
import type { Thresholds } from "../map/thresholds.ts";
import type { FailOnCondition } from "./fail_on.ts";
import type { ApiDescription } from "./load_apis.ts";
import type { Description } from "./load_map.ts";
import type { ShownList } from "./values/show_value.ts";
import type { OutputChoice } from "./values/output_value.ts";

/** Coverage thresholds in percent; undefined ones are not checked. */
export interface ThresholdOptions {
  /** For every dimension without its own threshold. */
  readonly failUnder: number | undefined;
  readonly failUnderOperations: number | undefined;
  readonly failUnderParameters: number | undefined;
  readonly failUnderKeywords: number | undefined;
  readonly failUnderExamples: number | undefined;
  readonly failUnderResponses: number | undefined;
  /** For keywords seen passing and failing; {@linkcode ThresholdOptions.failUnder} doesn't apply. */
  readonly failUnderKeywordsFull: number | undefined;
  /** For operations with an answer of 2xx or 3xx; {@linkcode ThresholdOptions.failUnder} doesn't apply. */
  readonly failUnderSucceeded: number | undefined;
  readonly failUnderEnforcement: number | undefined;
  readonly failUnderResponseKeywords: number | undefined;
  /** For the test coverage level, 0 to 7. */
  readonly minTcl: number | undefined;
}

/** No thresholds at all. */
export const NO_THRESHOLDS: ThresholdOptions = {
  failUnder: undefined,
  failUnderOperations: undefined,
  failUnderParameters: undefined,
  failUnderKeywords: undefined,
  failUnderExamples: undefined,
  failUnderResponses: undefined,
  failUnderKeywordsFull: undefined,
  failUnderSucceeded: undefined,
  failUnderEnforcement: undefined,
  failUnderResponseKeywords: undefined,
  minTcl: undefined,
};

/** Options for reports that the command line and test runners share. */
export interface PublishOptions extends Description, ThresholdOptions {
  /** Title of the reports (default: the description's). */
  readonly title: string | undefined;
  /** The formats, in the given order. */
  readonly formats: readonly OutputChoice[];
  /** The file of a single report. */
  readonly output: string | undefined;
  /** The file of an earlier JSON report to compare with. */
  readonly baseline: string | undefined;
  /** The conditions that fail the run, one list per option. */
  readonly failOn: readonly (readonly FailOnCondition[])[];
  /** The dimensions of the badge, one list per option. */
  readonly badgeDimensions: readonly (readonly Dimension[])[];
  /** The dimensions for which a text report lists gaps, one list per option. */
  readonly showMissing: readonly (readonly Dimension[])[];
  /** Text reports: hide fully covered operations. */
  readonly skipCovered: boolean;
  /** Text reports: hide operations without traffic. */
  readonly skipEmpty: boolean;
  /** Text and Markdown: show test coverage levels. */
  readonly tcl: boolean;
  /** HTML, text and Markdown: show requests to send next (default: true). */
  readonly suggestions?: boolean | undefined;
  /** Lists that reports have only where they are asked for. */
  readonly show?: readonly ShownList[] | undefined;
  /** Text reports: what operations are grouped by. */
  readonly groupBy: OperationGrouping | undefined;
  /** Text reports: what operations are sorted by. */
  readonly sort: OperationSorting | undefined;
  /** Text reports: the most operations to list, or everything that is missing. */
  readonly top: number | "all" | undefined;
  /** Uses colours; undefined lets environment and terminal decide. */
  readonly color: boolean | undefined;
  /** The config file whose thresholds and conditions are left to `covtool merge`; undefined if there is none. */
  readonly unjudged?: string | undefined;
  /** Several APIs, each with its own options, instead of {@linkcode PublishOptions.schema}. */
  readonly apis?: readonly ApiPublishOptions[] | undefined;
}

/** The options of the report of one API. */
export type ReportOptions = Omit<PublishOptions, "apis" | "formats" | "output">;

/** The options of one of several APIs. */
export interface ApiPublishOptions extends ReportOptions, ApiDescription {}

/** The thresholds as the library takes them. */
export function thresholdsOf(options: ThresholdOptions): Thresholds {
  return {
    base: options.failUnder,
    operations: options.failUnderOperations,
    parameters: options.failUnderParameters,
    keywords: options.failUnderKeywords,
    examples: options.failUnderExamples,
    responses: options.failUnderResponses,
    keywordsFull: options.failUnderKeywordsFull,
    succeeded: options.failUnderSucceeded,
    enforcement: options.failUnderEnforcement,
    responseKeywords: options.failUnderResponseKeywords,
    tcl: options.minTcl,
  };
}
