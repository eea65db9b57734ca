import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { convertOptions } from "./convert_options.ts";

const CONVERT_EXAMPLES = [
  "covtool convert session.har -o traffic.json",
  "covtool convert cassettes/ newman.json -o traffic.jsonl",
  "covtool convert - < session.har | gzip > traffic.json.gz",
];

/** `covtool convert`: reading its options gives what runs it. */
export const convertCommand = command(
  "convert",
  map(convertOptions, (options): RunCommand => async (host) => {
    const { convert } = await import("./convert.ts");
    return await convert(options, host);
  }),
  {
    brief: message`Convert recordings to one traffic file, with secrets masked.`,
    description:
      message`Converts recordings of any format to one traffic file, to keep, merge or share. Masks passwords, tokens, keys and cookies: letters become a or A, digits become 1.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "multiple", terms: [{ type: "argument", metavar: "TRAFFIC" }], min: 1 },
    ],
    footer: commandExamples(CONVERT_EXAMPLES),
  },
);
