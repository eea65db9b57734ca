import { merge, object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional, withDefault } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument, option } from "@optique/core/primitives";
import { integer, string } from "@optique/core/valueparser";
import { dimensionsValue } from "../run/values/dimensions_value.ts";
import { choiceValue } from "../run/values/choice_value.ts";
import { SUGGESTION_FORMATS } from "../suggest/formats/suggestion_formats.ts";
import type { Configured } from "./configured.ts";
import {
  configOptions,
  descriptionOptions,
  hitsOptions,
  recordingOptions,
  schemaDescription,
  schemaValue,
  scopeOptions,
} from "./shared_options.ts";
import { fileValue } from "./values/file_value.ts";

const inputs = object({
  schema: optional(argument(schemaValue, { description: schemaDescription })),
  traffic: multiple(argument(fileValue("TRAFFIC"), {
    description:
      message`Recordings and hits files, as covtool report takes them (default: none, so everything is a gap).`,
  })),
});

// Not `format` and `output`: in a config file these are the ones of reports.
const suggestions = object("Suggestions", {
  suggestionFormat: withDefault(
    option(
      "--format",
      choiceValue({
        noun: "format",
        metavar: "FORMAT",
        names: SUGGESTION_FORMATS.map(({ name }) => name),
        meanings: { rest: "http", sh: "curl", shell: "curl", traffic: "json", js: "k6" },
      }),
      {
        description:
          message`text (default); curl: shell commands; http: for REST clients in editors; json: a traffic file; har; postman: a collection; k6: a script.`,
      },
    ),
    "text",
  ),
  suggestionOutput: optional(option("-o", "--output", fileValue("PATH"), {
    description: message`Output file (default: -, standard output).`,
  })),
  limit: optional(option("--limit", integer({ metavar: "N", min: 1 }), {
    description: message`Number of requests; those that close most are kept (default: all).`,
  })),
  operation: multiple(option("--operation", string({ metavar: "NAME" }), {
    description:
      message`Only requests of this operation: its operationId, or "GET /path". Can be repeated.`,
  })),
  kinds: multiple(option("--kinds", dimensionsValue(), {
    description:
      message`Comma-separated kinds of gaps to close: operations, parameters, keywords, examples, responses (default: all).`,
  })),
  server: optional(option("--server", string({ metavar: "URL" }), {
    description:
      message`URL to append the paths to (default: the one most of the traffic was sent to, then the first of \`servers\`).`,
  })),
});

/** The arguments and options of `covtool suggest`. */
export const suggestOptions = merge(
  inputs,
  configOptions,
  suggestions,
  descriptionOptions,
  scopeOptions,
  recordingOptions,
  hitsOptions,
);

/** The values of {@linkcode suggestOptions}, with those of the config file. */
export type SuggestCommandOptions = Configured<InferValue<typeof suggestOptions>>;
