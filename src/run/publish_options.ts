import type { Dimension } from "../map/results.ts";
import type { Description } from "./load_map.ts";
import type { OutputChoice } from "./values/output_value.ts";

/** The percentages that have to be reached; undefined ones are not judged. */
export interface ThresholdOptions {
  /** Of every dimension without a threshold of its own. */
  readonly failUnder: number | undefined;
  readonly failUnderOperations: number | undefined;
  readonly failUnderParameters: number | undefined;
  readonly failUnderKeywords: number | undefined;
  readonly failUnderExamples: number | undefined;
  readonly failUnderResponses: number | undefined;
}

/** Which reports are made, and how: what command line and test runners ask for alike. */
export interface PublishOptions extends Description, ThresholdOptions {
  /** Heads the reports; the description's title by default. */
  readonly title: string | undefined;
  /** The formats as they were asked for, in order. */
  readonly formats: readonly OutputChoice[];
  /** The file of the one format. */
  readonly output: string | undefined;
  /** An earlier JSON report to compare with. */
  readonly baseReport: string | undefined;
  /** The dimensions of a badge, as many lists as were given. */
  readonly badgeDimensions: readonly (readonly Dimension[])[];
  /** The dimensions of which a text report names what is missing, as many lists as were given. */
  readonly showMissing: readonly (readonly Dimension[])[];
  /** Hides operations that are fully covered from text reports. */
  readonly skipCovered: boolean;
  /** Hides operations without traffic from text reports. */
  readonly skipEmpty: boolean;
  /** Colours; undefined where environment and terminal decide. */
  readonly color: boolean | undefined;
}
