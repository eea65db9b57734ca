import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import { checkOptions } from "./check_options.ts";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";

const CHECK_EXAMPLES = [
  "covtool check",
  "covtool check --config ci/covtool.yaml",
  'covtool check openapi.yaml --exclude "GET /health"',
];

/** `covtool check`: reading its options gives what runs it. */
export const checkCommand = command(
  "check",
  map(checkOptions, (options): RunCommand => async (host) => {
    const { check } = await import("./check.ts");
    return await check(options, host);
  }),
  {
    brief: message`Check covtool.yaml, what it excludes and the description.`,
    description:
      message`Says with lines and columns what is wrong with the config file, with exclusions that match nothing or are past their date, and with the description, without measuring. Exits with 1 on errors.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
    ],
    footer: commandExamples(CHECK_EXAMPLES),
  },
);
