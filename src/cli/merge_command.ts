import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { configuredReport } from "./configured.ts";
import { mergeOptions } from "./merge_options.ts";

const MERGE_EXAMPLES = [
  "covtool merge openapi.yaml shards/*.hits -o coverage.hits",
  "covtool merge openapi.yaml shards/ --format html --format text --fail-under 80",
  "cat shards/*.hits | covtool merge openapi.yaml - -o -",
];

/** `covtool merge`: reading its options gives what runs it. */
export const mergeCommand = command(
  "merge",
  map(mergeOptions, (given): RunCommand => async (host) => {
    const { mergeHits } = await import("./merge.ts");
    return await mergeHits(configuredReport(given, "merge"), host);
  }),
  {
    brief: message`Add up what several runs, jobs or machines have counted.`,
    description:
      message`Adds up hits files, which report, run and the test runners write with --format hits, as if one run had recorded it all. Exits with 1 if a threshold is not met or a --fail-on condition holds.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
      { type: "argument", metavar: "[HITS...]" },
    ],
    footer: commandExamples(MERGE_EXAMPLES),
  },
);
