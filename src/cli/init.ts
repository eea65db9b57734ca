import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileErrorSentence } from "../files/files.ts";
import { writeNewFile } from "../files/write_new_file.ts";
import { CommandError } from "../run/command_error.ts";
import { CONFIG_NAMES, findConfig } from "../run/config/find_config.ts";
import type { Host } from "../run/host.ts";
import { saidText } from "../run/said_text.ts";
import { type Findings, findInProject, type TestRunner } from "./init_findings.ts";
import { initialConfig } from "./initial_config.ts";

const NAME = "covtool.yaml";
/** The path of the JSON Schema in the package for npm. */
const SCHEMA = "node_modules/covtool/config.schema.json";

/** The next step for a test runner: a sentence or a command. */
const STEPS: Readonly<Record<TestRunner, string>> = {
  "Vitest": "Add covtool() of covtool/vitest to the plugins of Vitest, and run the tests.",
  "Jest": 'Add "covtool/jest" to the reporters of Jest, and run the tests.',
  "Playwright": 'Add ["covtool/playwright"] to the reporters of Playwright, and run the tests.',
  "node:test": "covtool run -- node --import covtool/node-test --test",
  "Deno": "covtool run -- deno test -A --preload=npm:covtool/deno",
  "pytest": "covtool proxy -- pytest",
};

/**
 * `covtool init`: writes a config file from what it finds in the working directory, and says what that was.
 *
 * @returns 0.
 * @throws {CommandError} if there is a config file already, or none can be written.
 */
export async function init(host: Host): Promise<number> {
  const folder = process.cwd();
  const existing = CONFIG_NAMES.find((name) => existsSync(join(folder, name)));
  if (existing !== undefined) {
    throw new CommandError(
      `${existing} exists already, and covtool init overwrites nothing. To check it: covtool check`,
    );
  }
  const above = findConfig();
  const findings = await findInProject(folder);
  const schema = existsSync(join(folder, SCHEMA)) ? `./${SCHEMA}` : undefined;
  try {
    await writeNewFile(NAME, initialConfig(findings, schema));
  } catch (error) {
    throw new CommandError(`Cannot write ${NAME}: ${fileErrorSentence(error)}`, error);
  }
  const lines = [
    ...foundLines(findings),
    ...(above === undefined
      ? []
      : [`It comes before ${above}, which covtool no longer reads here.`]),
    "",
    `Wrote ${NAME}. Next:`,
    `  ${asInstalled(nextStep(findings), folder)}`,
  ];
  await host.stdout.write(lines.map((line) => saidText(line) + "\n").join(""));
  return 0;
}

function foundLines({ descriptions, recordings, recordingCount, ...found }: Findings): string[] {
  const [first, ...others] = descriptions;
  return [
    first === undefined
      ? "Description: none found. Set schema to a file or URL."
      : `Description: ${first}${others.length === 0 ? "" : ` (also: ${others.join(", ")})`}`,
    recordings.length === 0
      ? "Recordings: none found."
      : `Recordings: ${recordings.join(", ")} (${recordingCount} ${
        recordingCount === 1 ? "file" : "files"
      })`,
    ...(found.runner === undefined ? [] : [`Test runner: ${found.runner}`]),
    ...(found.builds.length === 0 ? [] : [`Build: ${found.builds.join(", ")}`]),
    ...(found.isCut ? ["There are more files than covtool init looks at."] : []),
  ];
}

function nextStep({ descriptions, recordings, runner }: Findings): string {
  if (descriptions.length === 0) return "Set schema in covtool.yaml, then: covtool check";
  if (recordings.length > 0) return "covtool report";
  return runner === undefined
    ? "covtool proxy -- COMMAND (the command that runs the tests)"
    : STEPS[runner];
}

/** A command as a shell finds it: with npx where covtool is a package of the project. */
function asInstalled(step: string, folder: string): string {
  return existsSync(join(folder, "node_modules", ".bin", "covtool"))
    ? step.replace(/\bcovtool (?=run|proxy|report|check)/, "npx covtool ")
    : step;
}
