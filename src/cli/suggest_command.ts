import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { configured } from "./configured.ts";
import { suggestOptions } from "./suggest_options.ts";

const SUGGEST_EXAMPLES = [
  "covtool suggest openapi.yaml traffic.json --limit 3",
  "covtool suggest openapi.yaml --server http://localhost:3000 --format curl -o requests.sh",
  'covtool suggest openapi.yaml traffic/ --operation "GET /books" --format http',
];

const NO_DESCRIPTION =
  "No OpenAPI description given. Name a file or URL. See covtool suggest --help.";

/** `covtool suggest`: reading its options gives what runs it. */
export const suggestCommand = command(
  "suggest",
  map(suggestOptions, (given): RunCommand => async (host) => {
    const { suggest } = await import("./suggest.ts");
    return await suggest(configured(given, NO_DESCRIPTION), host);
  }),
  {
    brief: message`Suggest requests that close gaps.`,
    description:
      message`Makes requests that show what the traffic has not shown yet, and records each before it is shown: it closes what it claims, and breaks one rule at most. Nothing is sent. Credentials are placeholders, such as $TOKEN.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
      { type: "argument", metavar: "[TRAFFIC...]" },
    ],
    footer: commandExamples(SUGGEST_EXAMPLES),
  },
);
