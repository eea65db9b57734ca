import { merge, object } from "@optique/core/constructs";
import { message, text } from "@optique/core/message";
import { multiple, optional } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument, negatableFlag, option } from "@optique/core/primitives";
import { integer } from "@optique/core/valueparser";
import {
  DEFAULT_FORMAT,
  defaultFileName,
  formatList,
  REPORT_FORMATS,
} from "../report/reporters.ts";
import { showValue } from "../run/values/show_value.ts";
import type { Configured } from "./configured.ts";
import {
  colorFlag,
  configOptions,
  hitsOptions,
  measureOptions,
  recordingOptions,
  schemaDescription,
  schemaValue,
  scopeOptions,
  thresholdOptions,
  watchOptions,
} from "./shared_options.ts";
import { groupingValue, sortingValue } from "../run/values/arrangement_values.ts";
import { dimensionsValue } from "../run/values/dimensions_value.ts";
import { fileValue } from "./values/file_value.ts";
import { outputValue } from "../run/values/output_value.ts";
import { topValue } from "../run/values/top_value.ts";
import { FORMATS, formatTitles } from "../traffic/formats/formats.ts";

const inputs = object({
  schema: optional(argument(schemaValue, { description: schemaDescription })),
  traffic: multiple(argument(fileValue("TRAFFIC"), {
    description:
      message`Recordings and hits: files, folders, globs, or - for standard input. Formats (detected, gzip too): ${
        text(formatTitles(FORMATS, "and"))
      }.`,
  })),
});

/** Options for the number of threads. */
export const speedOptions = object("Performance", {
  jobs: optional(option("--jobs", integer({ metavar: "N", min: 1, max: 64 }), {
    description: message`CPU cores (default: up to 4 for large recordings).`,
  })),
});

/** Options of single reporters; every command that writes reports has them. */
export const reportLayoutOptions = object("Reports", {
  baseline: optional(option("--baseline", "--base-report", fileValue("PATH", [".json", ".hits"]), {
    description:
      message`Earlier JSON report or hits file, such as the main branch's. Reports show what changed since.`,
  })),
  badgeDimensions: multiple(option("--badge-dimensions", dimensionsValue(), {
    description: message`Comma-separated dimensions for the badge (default: operations,keywords).`,
  })),
});

const reportFiles = object("Reports", {
  formats: multiple(option("--format", outputValue(), {
    description: message`${
      text(formatList(REPORT_FORMATS).replace(DEFAULT_FORMAT, `${DEFAULT_FORMAT} (default)`))
    }, optionally with a path. Can be repeated. Without a path, HTML is written to ${
      text(defaultFileName(DEFAULT_FORMAT))
    }, hits to ${text(defaultFileName("hits"))}, other formats to standard output.`,
  })),
  output: optional(option("-o", "--output", fileValue("PATH"), {
    description: message`File for a single report; - for standard output.`,
  })),
});

/** Options for report formats and files. */
export const outputOptions = merge(reportFiles, reportLayoutOptions);

/** Options for the layout of text reports. */
export const textOptions = object("Text reports", {
  skipCovered: option("--skip-covered", {
    description: message`Hide fully covered operations. Totals don't change.`,
  }),
  skipEmpty: option("--skip-empty", {
    description: message`Hide operations without traffic. Totals don't change.`,
  }),
  showMissing: multiple(option("--show-missing", dimensionsValue(), {
    description:
      message`List what isn't covered in these comma-separated dimensions: operations, parameters, keywords, examples, responses, or all.`,
  })),
  show: multiple(option("--show", showValue(), {
    description:
      message`List what reports leave out otherwise: undocumented-properties (properties of responses that the description doesn't declare). Recording looks for them only with this.`,
  })),
  tcl: option("--tcl", {
    description: message`Show test coverage levels (TCL 0 to 7). Markdown shows that of the API.`,
  }),
  suggestions: optional(
    negatableFlag({ positive: "--suggestions", negative: "--no-suggestions" }, {
      description:
        message`Suggest requests that close gaps, in HTML and Markdown too, or leave them out (default: suggest).`,
    }),
  ),
  groupBy: optional(option("--group-by", groupingValue(), {
    description: message`Group operations by tag (their first one) or path (its first segment).`,
  })),
  sort: optional(option("--sort", sortingValue(), {
    description:
      message`Sort operations by gaps, hits (most first), coverage (lowest first) or path (default: the description's order).`,
  })),
  top: optional(option("--top", topValue(), {
    description:
      message`Show only the first N operations, or N of each group. With all, --show-missing and the findings list everything, however long. Totals don't change.`,
  })),
  color: colorFlag,
});

/** The arguments and options of `covtool report`. */
export const reportOptions = merge(
  inputs,
  configOptions,
  watchOptions,
  outputOptions,
  measureOptions,
  scopeOptions,
  recordingOptions,
  hitsOptions,
  thresholdOptions,
  textOptions,
  speedOptions,
);

/** The values of {@linkcode reportOptions}, with those of the config file. */
export type ReportOptions = Configured<GivenReportOptions>;

/** The values of {@linkcode reportOptions}, as the command line has them. */
export type GivenReportOptions = InferValue<typeof reportOptions>;
