import assert from "node:assert/strict";
import { parseSync } from "@optique/core/parser";
import { commands } from "../../src/cli/commands.ts";
import { readCommand } from "../../src/cli/read_command.ts";

const RIGHT = [
  ["report"], // a config file may say the rest
  ["run", "--config", "api/covtool.yaml"],
  ["report", "api.yaml", "traffic.json"],
  ["report", "api.yaml", "-", "--format", "json", "--fail-under=80"],
  ["report", "--title", "--help", "api.yaml", "traffic.json"],
  ["report", "api.yaml", "--", "--help"],
  ["run", "api.yaml", "--", "npm", "test", "--help"],
  ["record-hits"],
  ["compare"],
  ["compare", "api.yaml", "--tests", "a", "--production", "-", "--fail-on=untested-used=5%"],
  ["record-hits", "api.yaml", "--base-path", "/v1"],
  ["proxy"],
  ["proxy", "-v", "--insecure", "--port", "8080", "api.yaml"],
  ["convert", "session.har", "-o", "traffic.json", "--no-redact"],
];

const NOT_ONE_COMMAND = [
  [],
  ["--help"],
  ["help", "report"],
  ["completion", "bash"],
  ["constructor"],
  ["reprot", "api.yaml", "traffic.json"],
  ["report", "--help"],
  ["report", "api.yaml", "traffic.json", "-V"],
  ["report", "api.yaml", "traffic.json", "--fail-under", "much"],
  ["run", "api.yaml", "--jobs", "2", "--", "npm", "test"],
  ["record-hits", "api.yaml", "traffic.jsonl"],
  ["compare", "api.yaml", "a"],
  ["compare", "api.yaml", "--tests", "a", "--format", "lcov"],
  ["compare", "api.yaml", "--tests", "a", "--fail-on", "untested-used=101"],
  ["proxy", "--port", "x"],
  ["convert"],
];

Deno.test("readCommand() takes the arguments that all commands together take, and no others", async () => {
  for (const args of [...RIGHT, ...NOT_ONE_COMMAND]) {
    const run = await readCommand(args);
    assert.equal(run !== undefined, RIGHT.includes(args), args.join(" "));
    assert.equal(run !== undefined, parseSync(commands, args).success, args.join(" "));
  }
});
