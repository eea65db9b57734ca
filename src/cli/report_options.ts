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
import {
  measureOptions,
  recordingOptions,
  schemaDescription,
  schemaValue,
  thresholdOptions,
} from "./shared_options.ts";
import { dimensionsValue } from "../run/values/dimensions_value.ts";
import { fileValue } from "./values/file_value.ts";
import { outputValue } from "../run/values/output_value.ts";

const inputs = object({
  schema: argument(schemaValue, {
    description: schemaDescription,
    errors: {
      endOfInput:
        message`No description is given. Name an OpenAPI file or URL, and behind it recordings of traffic.`,
    },
  }),
  traffic: multiple(
    argument(fileValue("TRAFFIC"), {
      description:
        message`Recordings of what the tests sent: traffic files, HAR, Postman, Newman, VCR, Schemathesis, vcrpy, nock and Polly.js, told apart by their content, gzip too; folders, patterns, and - for standard input.`,
    }),
    {
      min: 1,
      errors: {
        tooFew: message`No traffic is given. Name at least one recording, or - for standard input.`,
      },
    },
  ),
});

const speedOptions = object("Speed", {
  jobs: optional(option("--jobs", integer({ metavar: "N", min: 1, max: 64 }), {
    description:
      message`Read and measure traffic on so many cores, 1 for one. Unless given, up to 4 where there is enough traffic for it to pay.`,
  })),
});

/** Which reports are written, and where to. */
export const outputOptions = object("Reports", {
  formats: multiple(option("--format", outputValue(), {
    description: message`${
      text(formatList(REPORT_FORMATS).replace(DEFAULT_FORMAT, `${DEFAULT_FORMAT} (default)`))
    }, optionally with a path. Can be repeated. Without a path, HTML is written to ${
      text(defaultFileName(DEFAULT_FORMAT))
    }, other formats to standard output.`,
  })),
  output: optional(option("-o", "--output", fileValue("PATH"), {
    description: message`Where the report goes when there is one format; - is standard output.`,
  })),
  baseReport: optional(option("--base-report", fileValue("PATH", [".json"]), {
    description:
      message`An earlier JSON report, of the main branch for example: Markdown then shows the change against it.`,
  })),
  badgeDimensions: multiple(option("--badge-dimensions", dimensionsValue(), {
    description:
      message`What a badge shows, instead of operations,keywords: any of the dimensions, with commas between them.`,
  })),
});

/** How text reports are laid out. */
export const textOptions = object("Text reports", {
  skipCovered: option("--skip-covered", {
    description: message`Hide operations that are fully covered. Totals stay.`,
  }),
  skipEmpty: option("--skip-empty", {
    description: message`Hide operations without traffic. Totals stay.`,
  }),
  showMissing: multiple(option("--show-missing", dimensionsValue(), {
    description:
      message`Name what is missing of these: operations, parameters, keywords, examples, responses, with commas between them, or all.`,
  })),
  color: optional(negatableFlag({ positive: "--color", negative: "--no-color" }, {
    description:
      message`Colour, or do not. Unless given, NO_COLOR and FORCE_COLOR decide, then whether this is a terminal.`,
  })),
});

/** The arguments and options of `covtool report`. */
export const reportOptions = merge(
  inputs,
  outputOptions,
  measureOptions,
  recordingOptions,
  thresholdOptions,
  textOptions,
  speedOptions,
);

/** What {@linkcode reportOptions} reads. */
export type ReportOptions = InferValue<typeof reportOptions>;
