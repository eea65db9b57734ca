import { object } from "@optique/core/constructs";
import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";

/** `covtool init`: reading its options gives what runs it. */
export const initCommand = command(
  "init",
  map(object({}), (): RunCommand => async (host) => {
    const { init } = await import("./init.ts");
    return await init(host);
  }),
  {
    brief: message`Write a covtool.yaml from what is found here.`,
    description:
      message`Looks for OpenAPI descriptions, recordings, the test runner and the build in this folder and those below it, and writes covtool.yaml. Never overwrites one.`,
    footer: commandExamples(["covtool init && covtool report"]),
  },
);
