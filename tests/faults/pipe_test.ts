import assert from "node:assert/strict";
import { ANY_SHELL, shellTest } from "./shell.ts";

/** Formats whose reports exceed a pipe's buffer, come in pieces, or are one line. */
const FORMATS = ["text", "json", "badge"];

shellTest("no command fails if its reader closes the pipe", ANY_SHELL, async (run) => {
  const commands = [
    ...FORMATS.map((format) => `report openapi.yaml traffic.json --format ${format}=-`),
    "convert traffic.json",
    "suggest openapi.yaml",
    "merge openapi.yaml one.hits -o -",
    "report --help",
    "completion bash",
  ];
  const { out, err } = await run(`
      set -o pipefail
      covtool report openapi.yaml traffic.json --format hits=one.hits 2>/dev/null
      read_one() { covtool "$@" | head -c 1 >/dev/null; echo "$? $*"; }
      ${commands.map((command) => `read_one ${command} 2>>said`).join("\n")}
      covtool report openapi.yaml traffic.json --format json 2>>said | true; echo "$? unread"
      grep -i 'error\\|pipe' said
      covtool record-hits openapi.yaml </dev/null 2>/dev/null | true; echo "$? record-hits"
      covtool report openapi.yaml traffic.json --format json >&- ; echo "$? closed"
    `);
  assert.doesNotMatch(err, /Internal error|^\s+at /m);
  const lines = out.trimEnd().split("\n");
  const expected = [...commands.map((command) => `0 ${command}`), "0 unread", "0 record-hits"];
  assert.deepEqual(lines.slice(0, expected.length), expected);
  // If standard output is closed, the report is lost, so the command must fail.
  assert.match(lines.at(-1) ?? "", /^\d+ closed$/);
});
