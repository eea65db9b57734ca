import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { configured } from "./configured.ts";
import { probeOptions } from "./probe_options.ts";

const PROBE_EXAMPLES = [
  "covtool probe openapi.yaml --server http://localhost:3000",
  "covtool probe openapi.yaml traffic.json --server http://localhost:3000 --unsafe --save-traffic probe.jsonl",
  'covtool probe openapi.yaml --server https://test.example/v1 --header "Authorization: Bearer $TOKEN" --rate 5/s',
];

const NO_DESCRIPTION =
  "No OpenAPI description given. Name a file or URL. See covtool probe --help.";

/** `covtool probe`: reading its options gives what runs it. */
export const probeCommand = command(
  "probe",
  map(probeOptions, (given): RunCommand => async (host) => {
    const { probe } = await import("./probe.ts");
    return await probe(configured(given, NO_DESCRIPTION), host);
  }),
  {
    brief: message`Send requests that close gaps to an API, and report what they exercise.`,
    description:
      message`Sends what covtool suggest suggests to a server that you name, with ids out of its answers, and reports like covtool report. Only methods that change nothing are sent, unless --unsafe is given. Redirects aren't followed. Stops after 5 failed connections or 20 answers of 5xx in a row.`,
    usageLine: [
      { type: "literal", value: "--server URL [OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
      { type: "argument", metavar: "[TRAFFIC...]" },
    ],
    footer: commandExamples(PROBE_EXAMPLES),
  },
);
