import { merge, object } from "@optique/core/constructs";
import { message, text } from "@optique/core/message";
import { multiple, optional } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument, option } from "@optique/core/primitives";
import { defaultFileName, formatList, REPORT_FORMATS } from "../report/reporters.ts";
import { outputValue } from "../run/values/output_value.ts";
import type { Configured } from "./configured.ts";
import { reportLayoutOptions, speedOptions, textOptions } from "./report_options.ts";
import {
  configOptions,
  hitsOptions,
  measureOptions,
  schemaDescription,
  schemaValue,
  scopeOptions,
  thresholdOptions,
} from "./shared_options.ts";
import { fileValue } from "./values/file_value.ts";

const inputs = object({
  schema: optional(argument(schemaValue, { description: schemaDescription })),
  traffic: multiple(argument(fileValue("HITS"), {
    description:
      message`Hits files of --format hits: files, folders, glob patterns, or - for standard input, with one or more of them, one per line. Recordings are added too.`,
  })),
});

const mergedOutputs = object("Output", {
  /** Not `output`: in a config file that is the file of a report. */
  mergedOutput: optional(option("-o", "--output", fileValue("PATH", [".hits"]), {
    description: message`File for the merged hits (default: ${
      text(defaultFileName("hits"))
    }); - for standard output.`,
  })),
  formats: multiple(option("--format", outputValue(), {
    description: message`Report to write as well: ${
      text(formatList(REPORT_FORMATS))
    }, optionally with a path. Can be repeated.`,
  })),
});

/** The arguments and options of `covtool merge`. */
export const mergeOptions = merge(
  inputs,
  configOptions,
  hitsOptions,
  mergedOutputs,
  reportLayoutOptions,
  measureOptions,
  scopeOptions,
  thresholdOptions,
  textOptions,
  speedOptions,
);

/** The values of {@linkcode mergeOptions}, with those of the config file. */
export type MergeOptions = Configured<InferValue<typeof mergeOptions>>;
