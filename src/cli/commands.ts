import { map } from "@optique/core/modifiers";
import { lineBreak, message, text } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import { findSimilar } from "@optique/core/suggestion";
import type { Host } from "./host.ts";
import { report } from "./report.ts";
import { reportOptions } from "./report_options.ts";

/** Runs a command whose options have been read, and gives the exit code. */
export type RunCommand = (host: Host) => Promise<number>;

const EXAMPLES = [
  "covtool report openapi.yaml traffic.json",
  "covtool report openapi.yaml *.json --format text --show-missing responses",
  "covtool report openapi.yaml - --format json --fail-under 80 < traffic.json",
];

/** Every command of covtool: reading its options gives what runs it. */
export const commands = command(
  "report",
  map(reportOptions, (options): RunCommand => (host) => report(options, host)),
  {
    brief: message`Report how much of an API recorded traffic exercises.`,
    description:
      message`Measures how much of the API the recorded traffic exercises, and writes a report. Exits with 1 if a threshold is not met.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "SCHEMA" },
      { type: "multiple", terms: [{ type: "argument", metavar: "TRAFFIC" }], min: 1 },
    ],
    errors: {
      notMatched: (_expected, actual, similar = []) => {
        const given = actual ?? "";
        const isOption = given.startsWith("-");
        const [nearest] = isOption ? findSimilar(given, ["--help", "--version"]) : similar;
        const missing = message`There is no ${isOption ? text("option") : text("command")} ${
          text(given)
        }.`;
        return nearest === undefined ? missing : message`${missing} Did you mean ${text(nearest)}?`;
      },
    },
    footer: message`Examples:${EXAMPLES.flatMap((example) => [lineBreak(), text(`  ${example}`)])}`,
  },
);
