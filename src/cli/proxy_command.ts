import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { configured } from "./configured.ts";
import { proxyOptions } from "./proxy_options.ts";

const PROXY_EXAMPLES = [
  "covtool proxy openapi.yaml",
  "covtool proxy openapi.yaml --fail-under 80 -- npm test",
  "covtool proxy openapi.yaml --reverse http://localhost:3000",
];

const NO_DESCRIPTION =
  "No description is given. Name an OpenAPI file or URL: covtool proxy openapi.yaml";

/** `covtool proxy`: reading its options gives what runs it. */
export const proxyCommand = command(
  "proxy",
  map(proxyOptions, (given): RunCommand => async (host, program) => {
    const options = given.printCaHelp
      ? { ...given, schema: "" }
      : configured(given, NO_DESCRIPTION);
    // Most runs need no proxy, so they do not wait for its code.
    const { proxy } = await import("./proxy.ts");
    return await proxy({ ...options, command: [...options.command, ...program] }, host);
  }),
  {
    brief: message`Measure live traffic between any client and any server, HTTPS included.`,
    description:
      message`Forwards requests and measures how much of the API they exercise. Writes reports on Ctrl+C, or when the command after -- ends. Exits with the command's exit code, or 1 if a threshold is not met or a --fail-on condition holds.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
      { type: "argument", metavar: "[-- COMMAND...]" },
    ],
    footer: commandExamples(PROXY_EXAMPLES),
  },
);
