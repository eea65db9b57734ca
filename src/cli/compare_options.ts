import { merge, object } from "@optique/core/constructs";
import { message, text } from "@optique/core/message";
import { multiple, optional } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument, option } from "@optique/core/primitives";
import { formatList } from "../report/reporters.ts";
import { USAGE_REPORTERS } from "../report/usage/usage_reporters.ts";
import { basePathValue } from "../run/values/base_path_value.ts";
import { compareFailOnValue } from "../run/values/compare_fail_on_value.ts";
import { outputValueOf } from "../run/values/output_value.ts";
import type { Configured } from "./configured.ts";
import { speedOptions } from "./report_options.ts";
import {
  colorOptions,
  configOptions,
  hitsOptions,
  measureOptions,
  recordingOptions,
  schemaDescription,
  schemaValue,
  scopeOptions,
} from "./shared_options.ts";
import { fileValue } from "./values/file_value.ts";

const sides = object("Traffic", {
  tests: multiple(option("--tests", fileValue("TESTS"), {
    description:
      message`Recordings or hits of tests: files, folders, glob patterns, or - for standard input.`,
  })),
  production: multiple(option("--production", fileValue("LOGS"), {
    description: message`Logs, recordings or hits of production, likewise.`,
  })),
  productionBasePath: optional(option("--production-base-path", basePathValue(), {
    description:
      message`Path prefix of production's traffic, where it differs from that of tests (default: --base-path).`,
  })),
});

const reports = object("Reports", {
  /** Not `formats`: in a config file these are the formats of other reports. */
  compareFormats: multiple(option("--format", outputValueOf(USAGE_REPORTERS, "html"), {
    description: message`${
      text(formatList(USAGE_REPORTERS.map(({ name }) => name)).replace("html", "html (default)"))
    }, optionally with a path. Can be repeated. Without a path, HTML is written to compare.html, other formats to standard output.`,
  })),
  compareOutput: optional(option("-o", "--output", fileValue("PATH"), {
    description: message`File for a single report; - for standard output.`,
  })),
});

const conditions = object("Thresholds", {
  compareFailOn: multiple(option("--fail-on", compareFailOnValue(), {
    description:
      message`Exit with 1 on these comma-separated conditions: untested-used (production uses what tests don't; =N%: what makes up N% of its requests or more), no-traffic. Can be repeated.`,
  })),
});

/** The arguments and options of `covtool compare`. */
export const compareOptions = merge(
  object({ schema: optional(argument(schemaValue, { description: schemaDescription })) }),
  sides,
  configOptions,
  reports,
  measureOptions,
  scopeOptions,
  recordingOptions,
  hitsOptions,
  conditions,
  colorOptions,
  speedOptions,
);

/** The values of {@linkcode compareOptions}, with those of the config file. */
export type CompareCommandOptions = Configured<InferValue<typeof compareOptions>>;
