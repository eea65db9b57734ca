import { merge, object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument } from "@optique/core/primitives";
import { string } from "@optique/core/valueparser";
import { outputOptions, textOptions } from "./report_options.ts";
import {
  measureOptions,
  schemaDescription,
  schemaValue,
  thresholdOptions,
} from "./shared_options.ts";

const inputs = object({
  schema: argument(schemaValue, {
    description: schemaDescription,
    errors: {
      endOfInput:
        message`No OpenAPI description given. Name a file or URL, then -- and the command that runs the tests.`,
    },
  }),
  command: multiple(argument(string({ metavar: "COMMAND" }), {
    description:
      message`Command that runs the tests, after --. Tests that load covtool record their traffic.`,
  })),
});

/** The arguments and options of `covtool run`. */
export const runCommandOptions = merge(
  inputs,
  outputOptions,
  measureOptions,
  thresholdOptions,
  textOptions,
);

/** The values of {@linkcode runCommandOptions}. */
export type RunCommandOptions = InferValue<typeof runCommandOptions>;
