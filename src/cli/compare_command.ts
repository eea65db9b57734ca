import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { compareOptions } from "./compare_options.ts";
import { configured } from "./configured.ts";

const COMPARE_EXAMPLES = [
  "covtool compare openapi.yaml --tests coverage.hits --production logs/*.gz",
  "covtool compare openapi.yaml --tests tests/ --production prod.hits --format markdown",
  "covtool compare openapi.yaml --tests tests/ --production prod.hits --fail-on untested-used=1%",
];

const NO_DESCRIPTION =
  "No OpenAPI description given. Name a file or URL before --tests and --production. See covtool compare --help.";

/** `covtool compare`: reading its options gives what runs it. */
export const compareCommand = command(
  "compare",
  map(compareOptions, (given): RunCommand => async (host) => {
    const { compare } = await import("./compare.ts");
    return await compare(configured(given, NO_DESCRIPTION), host);
  }),
  {
    brief: message`Compare what production uses with what tests exercise.`,
    description:
      message`Measures the traffic of tests and that of production, and lists what is used and not tested, tested and not used, and used without being documented, most used first. Exits with 1 if a --fail-on condition holds.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
      { type: "literal", value: "--tests TESTS... --production LOGS..." },
    ],
    footer: commandExamples(COMPARE_EXAMPLES),
  },
);
