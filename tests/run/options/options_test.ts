import assert from "node:assert/strict";
import { extractArgumentMetavars, extractOptionNames } from "@optique/core/usage";
import { COMMANDS } from "../../../src/cli/commands.ts";
import {
  COMMAND_LINE_ONLY,
  COMMAND_OPTIONS,
  COMPARE_OPTIONS,
  flagOf,
  type Option,
  PROXY_OPTIONS,
  RUN_OPTIONS,
} from "../../../src/run/options/options.ts";

/** Commands whose options a config file can hold. */
const CONFIGURED = ["report", "run", "proxy", "merge", "record-hits", "compare"];

const TABLE: Readonly<Record<string, Option>> = {
  ...RUN_OPTIONS,
  ...COMMAND_OPTIONS,
  ...PROXY_OPTIONS,
  ...COMPARE_OPTIONS,
};

function namesOf(command: string): string[] {
  const usage = COMMANDS[command]?.usage ?? [];
  return [...extractOptionNames(usage), ...extractArgumentMetavars(usage)];
}

Deno.test("each option of the command line has its key, or a reason why not", () => {
  const flags = new Set(Object.entries(TABLE).map(([name, option]) => flagOf(name, option)));
  for (const command of CONFIGURED) {
    for (const name of namesOf(command)) {
      if (/^-\w$/.test(name)) continue; // the short name of another
      const isKnown = flags.has(name) || flags.has(name.replace(/^--no-/, "--")) ||
        name in COMMAND_LINE_ONLY;
      assert.ok(isKnown, `covtool ${command} ${name} has no line in src/run/options/options.ts`);
    }
  }
});

Deno.test("each key is an option of a command, or describes itself", () => {
  const known = new Set(CONFIGURED.flatMap(namesOf));
  for (const [name, option] of Object.entries(TABLE)) {
    const flag = flagOf(name, option);
    assert.ok(known.has(flag) || option.description !== undefined, `${name}: ${flag}`);
  }
  for (const flag of Object.keys(COMMAND_LINE_ONLY)) assert.ok(known.has(flag), flag);
});
