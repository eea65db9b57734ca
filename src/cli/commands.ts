import { or } from "@optique/core/constructs";
import { map } from "@optique/core/modifiers";
import { lineBreak, type Message, message, text } from "@optique/core/message";
import { command } from "@optique/core/primitives";
import { convertOptions } from "./convert_options.ts";
import type { Host } from "./host.ts";
import { proxyOptions } from "./proxy_options.ts";
import { report } from "./report.ts";
import { reportOptions } from "./report_options.ts";
import { runCommandOptions } from "./run_command_options.ts";

/** Runs a command whose options have been read, and gives the exit code. */
export type RunCommand = (host: Host) => Promise<number>;

/** The names of the commands. */
export const COMMAND_NAMES: readonly string[] = ["report", "run", "proxy", "convert"];

const REPORT_EXAMPLES = [
  "covtool report openapi.yaml traffic.json",
  "covtool report openapi.yaml *.json --format text --show-missing responses",
  "covtool report openapi.yaml - --format json --fail-under 80 < traffic.json",
];

const RUN_EXAMPLES = [
  "covtool run openapi.yaml -- deno test -A --preload=npm:covtool/deno",
  "covtool run openapi.yaml --fail-under 80 -- npm test",
  "covtool run openapi.yaml --format text --format json=coverage.json -- npm test",
];

const PROXY_EXAMPLES = [
  "covtool proxy openapi.yaml",
  "covtool proxy openapi.yaml --fail-under 80 -- npm test",
  "covtool proxy openapi.yaml --reverse http://localhost:3000",
];

const CONVERT_EXAMPLES = [
  "covtool convert session.har -o traffic.json",
  "covtool convert cassettes/ newman.json -o traffic.jsonl",
  "covtool convert - < session.har | gzip > traffic.json.gz",
];

const reportCommand = command(
  "report",
  map(reportOptions, (options): RunCommand => (host) => report(options, host)),
  {
    brief: message`Report how much of an API recorded traffic exercises.`,
    description:
      message`Measures how much of the API the recorded traffic exercises, and writes a report. Exits with 1 if a threshold is not met.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "SCHEMA" },
      { type: "multiple", terms: [{ type: "argument", metavar: "TRAFFIC" }], min: 1 },
    ],
    footer: examples(REPORT_EXAMPLES),
  },
);

const runCommand = command(
  "run",
  map(runCommandOptions, (options): RunCommand => async (host) => {
    const { run } = await import("./run.ts");
    return await run(options, host);
  }),
  {
    brief: message`Run tests that load covtool, and report what they exercised.`,
    description:
      message`Runs the command behind --, whose tests leave what they send to covtool, and measures how much of the API that exercises. Exits with the command's code, else with 1 if a threshold is not met.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "SCHEMA" },
      { type: "argument", metavar: "[-- COMMAND...]" },
    ],
    footer: examples(RUN_EXAMPLES),
  },
);

const proxyCommand = command(
  "proxy",
  map(proxyOptions, (options): RunCommand => async (host) => {
    // Most runs need no proxy, so they do not wait for its code.
    const { proxy } = await import("./proxy.ts");
    return await proxy(options, host);
  }),
  {
    brief: message`Watch real traffic between any client and any server, HTTPS included.`,
    description:
      message`Passes requests on and measures how much of the API they exercise. Ctrl+C, or the end of the command behind --, ends it and writes the report. Exits with the command's code, else with 1 if a threshold is not met.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "argument", metavar: "SCHEMA" },
      { type: "argument", metavar: "[-- COMMAND...]" },
    ],
    footer: examples(PROXY_EXAMPLES),
  },
);

const convertCommand = command(
  "convert",
  map(convertOptions, (options): RunCommand => async (host) => {
    const { convert } = await import("./convert.ts");
    return await convert(options, host);
  }),
  {
    brief: message`Write recordings of any format as one traffic file, without their secrets.`,
    description:
      message`Writes recordings of any format as one traffic file, to keep, to add up, to share. Passwords, tokens, keys and cookies are masked: letters become a or A, digits become 1.`,
    usageLine: [
      { type: "literal", value: "[OPTION]..." },
      { type: "multiple", terms: [{ type: "argument", metavar: "TRAFFIC" }], min: 1 },
    ],
    footer: examples(CONVERT_EXAMPLES),
  },
);

/** Every command of covtool: reading its options gives what runs it. */
export const commands = or(reportCommand, runCommand, proxyCommand, convertCommand);

function examples(lines: readonly string[]): Message {
  return message`Examples:${lines.flatMap((line) => [lineBreak(), text(`  ${line}`)])}`;
}
