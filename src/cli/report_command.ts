import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { configuredReport } from "./configured.ts";
import { report } from "./report.ts";
import { reportOptions } from "./report_options.ts";

const REPORT_EXAMPLES = [
  "covtool report openapi.yaml traffic.json",
  "covtool report openapi.yaml *.json --format text --show-missing responses",
  "covtool report openapi.yaml - --format json --fail-under 80 < traffic.json",
];

/** `covtool report`: reading its options gives what runs it. */
export const reportCommand = command(
  "report",
  map(
    reportOptions,
    (given): RunCommand => async (host) => {
      if (!given.watch) return await report(configuredReport(given), host);
      const { watchReport } = await import("./watch_report.ts");
      return await watchReport(given, host);
    },
  ),
  {
    brief: message`Report how much of an API recorded traffic exercises.`,
    description:
      message`Measures how much of the API the recorded traffic exercises, and writes reports. Exits with 1 if a threshold is not met or a --fail-on condition holds.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
      { type: "argument", metavar: "[TRAFFIC...]" },
    ],
    footer: commandExamples(REPORT_EXAMPLES),
  },
);
