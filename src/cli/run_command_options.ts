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
        message`No description is given. Name an OpenAPI file or URL, and behind -- the command that runs the tests.`,
    },
  }),
  command: multiple(argument(string({ metavar: "COMMAND" }), {
    description:
      message`Behind --: the command that runs the tests. They collect if they load covtool; its exit code is passed on.`,
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

/** What {@linkcode runCommandOptions} reads. */
export type RunCommandOptions = InferValue<typeof runCommandOptions>;
