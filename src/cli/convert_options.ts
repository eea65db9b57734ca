import { merge, object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional, withDefault } from "@optique/core/modifiers";
import { argument, negatableFlag, option } from "@optique/core/primitives";
import type { InferValue } from "@optique/core/parser";
import { choice } from "@optique/core/valueparser";
import { recordingOptions, schemaValue } from "./shared_options.ts";
import { fileValue } from "./values/file_value.ts";
import { unknownChoice } from "../run/values/unknown_choice.ts";

const FORMATS = ["json", "jsonl"] as const;

const inputs = object({
  traffic: multiple(
    argument(fileValue("TRAFFIC"), {
      description:
        message`Recordings in any format that covtool report reads: files, folders, glob patterns, or - for standard input.`,
    }),
    {
      min: 1,
      errors: {
        tooFew: message`No recording given. Name at least one, or - for standard input.`,
      },
    },
  ),
});

const settings = object({
  output: optional(option("-o", "--output", fileValue("PATH", [".json", ".jsonl"]), {
    description: message`Output file (default: -, standard output).`,
  })),
  format: optional(option(
    "--format",
    choice(FORMATS, {
      metavar: "FORMAT",
      errors: { invalidChoice: (input) => unknownChoice("format", input, FORMATS) },
    }),
    {
      description:
        message`json: one document. jsonl: one request per line, which can be appended to. Default: from the file name.`,
    },
  )),
  schema: optional(option("--schema", schemaValue, {
    description: message`OpenAPI description. Names in its security schemes are masked too.`,
  })),
  noRedact: withDefault(
    option("--no-redact", {
      description:
        message`Keep passwords, tokens, keys and cookies readable instead of masking them.`,
    }),
    false,
  ),
  responseBodies: optional(
    negatableFlag({ positive: "--response-bodies", negative: "--no-response-bodies" }, {
      description:
        message`Keep the bodies of responses, or only their headers (default: with bodies).`,
    }),
  ),
  color: optional(negatableFlag({ positive: "--color", negative: "--no-color" }, {
    description: message`Turn coloured warnings on or off.`,
  })),
});

/** The arguments and options of `covtool convert`. */
export const convertOptions = merge(inputs, settings, recordingOptions);

/** The values of {@linkcode convertOptions}. */
export type ConvertOptions = InferValue<typeof convertOptions>;
