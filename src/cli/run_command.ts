import { map } from "@optique/core/modifiers";
import { message } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import type { RunCommand } from "./command.ts";
import { commandExamples } from "./command_examples.ts";
import { configPath } from "./config_path.ts";
import { configured } from "./configured.ts";
import { type RunCommandOptions, runCommandOptions } from "./run_command_options.ts";

const RUN_EXAMPLES = [
  "covtool run openapi.yaml -- deno test -A --preload=npm:covtool/deno",
  "covtool run openapi.yaml --fail-under 80 -- npm test",
  "covtool run openapi.yaml --format text --format json=coverage.json -- npm test",
];

const NO_DESCRIPTION =
  "No OpenAPI description given. Name a file or URL, then -- and the command that runs the tests. See covtool run --help.";

/** `covtool run`: reading its options gives what runs it. */
export const runCommand = command(
  "run",
  map(runCommandOptions, (given): RunCommand => async (host, program) => {
    const configure = (): RunCommandOptions => ({
      ...configured(given, NO_DESCRIPTION),
      command: [...given.command, ...program],
    });
    const options = configure();
    if (given.watch && options.command.length > 0) {
      const { watchRun } = await import("./watch_run.ts");
      const config = configPath(given);
      return await watchRun(configure, config === undefined ? [] : [config], host);
    }
    const { run } = await import("./run.ts");
    return await run(options, host);
  }),
  {
    brief: message`Run tests that load covtool, and report what they exercise.`,
    description:
      message`Runs the command after --, records the traffic of its tests, and measures how much of the API they exercise. Exits with the command's exit code, or 1 if a threshold is not met or a --fail-on condition holds.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "[SCHEMA]" },
      { type: "argument", metavar: "[-- COMMAND...]" },
    ],
    footer: commandExamples(RUN_EXAMPLES),
  },
);
