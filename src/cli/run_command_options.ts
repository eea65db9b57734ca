import { merge, object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument } from "@optique/core/primitives";
import { string } from "@optique/core/valueparser";
import type { Configured } from "./configured.ts";
import { outputOptions, textOptions } from "./report_options.ts";
import {
  configOptions,
  measureOptions,
  responseBodiesFlag,
  schemaDescription,
  schemaValue,
  scopeOptions,
  thresholdOptions,
  watchOptions,
} from "./shared_options.ts";

const inputs = object({
  schema: optional(argument(schemaValue, { description: schemaDescription })),
  command: multiple(argument(string({ metavar: "COMMAND" }), {
    description:
      message`Command that runs the tests, after --. Tests that load covtool record their traffic.`,
  })),
});

const recordingOptions = object("Recording", { responseBodies: responseBodiesFlag });

/** The arguments and options of `covtool run`. */
export const runCommandOptions = merge(
  inputs,
  recordingOptions,
  configOptions,
  watchOptions,
  outputOptions,
  measureOptions,
  scopeOptions,
  thresholdOptions,
  textOptions,
);

/** The values of {@linkcode runCommandOptions}, with those of the config file. */
export type RunCommandOptions = Configured<InferValue<typeof runCommandOptions>>;
