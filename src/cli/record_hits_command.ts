import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { configured } from "./configured.ts";
import { recordHitsOptions } from "./record_hits_options.ts";

const RECORD_HITS_EXAMPLES = [
  "covtool record-hits openapi.yaml < traffic.jsonl > part.hits",
  "parallel --pipepart -a traffic.jsonl covtool record-hits openapi.yaml | covtool merge openapi.yaml -",
];

const NO_DESCRIPTION =
  "No OpenAPI description given. Name a file or URL. See covtool record-hits --help.";

/** `covtool record-hits`: reading its options gives what runs it. */
export const recordHitsCommand = command(
  "record-hits",
  map(recordHitsOptions, (given): RunCommand => async (host) => {
    const { recordHits } = await import("./record_hits.ts");
    return await recordHits(configured(given, NO_DESCRIPTION), host);
  }),
  {
    brief: message`Count lines of traffic on standard input, as one part of many.`,
    description:
      message`Reads lines of traffic or of an access log on standard input, and writes what it has counted as one line on standard output: hits, which covtool merge adds up. For engines that divide traffic among processes. Lines that cannot be read are left out, with a warning; no lines give hits of nothing.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
    ],
    footer: commandExamples(RECORD_HITS_EXAMPLES),
  },
);
