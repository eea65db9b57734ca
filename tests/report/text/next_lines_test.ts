// The requests at the end of a text report: lines that fit, and that a shell reads as they are meant.
import { Ansis } from "ansis";
import assert from "node:assert/strict";
import process from "node:process";
import { execFileSync } from "node:child_process";
import { nextLines } from "../../../src/report/text/next_lines.ts";
import type { Suggestion } from "../../../src/suggest/suggestion.ts";

const COLORS = new Ansis(0);
const SCHEMA = {
  location: "my api.yaml",
  title: "Shop",
  version: "1",
  specification: "OpenAPI 3.1.0",
  base_path: null,
};

function suggestion(body: string): Suggestion {
  return {
    request: {
      method: "POST",
      url: "$SERVER/books?genre=science&sort=title&page=2",
      headers: { Authorization: "Bearer $TOKEN", "Content-Type": "application/json" },
      body,
    },
    path: "/books",
    operation_id: null,
    closes: [],
    breaks: null,
    placeholders: ["$SERVER", "$TOKEN"],
    based_on: "schema",
    expects: ["201"],
  };
}

function linesOf(body: string, wraps: boolean): string[] {
  const next = { requests: [suggestion(body)], complete: true };
  return nextLines({ schema: SCHEMA, operations: [] }, next, { width: 60, wraps }, COLORS);
}

for (const wraps of [true, false]) {
  Deno.test(`commands ${wraps ? "broken at 60 columns" : "for files"} mean the same in a shell`, () => {
    const body = JSON.stringify({
      title: 'it\'s "quoted" \\ and 100% long'.repeat(4),
      words: Array.from({ length: 20 }, (_, index) => `w${index}`),
    });
    const lines = linesOf(body, wraps);
    if (wraps) assert.ok(lines.every((line) => line.length <= 60), lines.join("\n"));
    const script = `curl() { printf '%s\\0' "$@"; }\n${lines.slice(1).join("\n")}\n`;
    const env = { ...process.env, SERVER: "http://localhost", TOKEN: "t" };
    const printed = execFileSync("sh", ["-c", script], { env, encoding: "utf8" });
    assert.deepEqual(printed.split("\0").slice(0, -1), [
      "-X",
      "POST",
      "http://localhost/books?genre=science&sort=title&page=2",
      "-H",
      "Authorization: Bearer t",
      "-H",
      "Content-Type: application/json",
      "--data-raw",
      body,
    ]);
  });
}

Deno.test("what is too long or unsafe to print gives way to the command that writes it", () => {
  for (const body of ["x".repeat(2000), "\u009b31m", "\u202e"]) {
    const text = linesOf(body, true).join(" ");
    assert.match(text, /covtool suggest 'my api.yaml' --operation 'POST \/books' --format curl/);
    assert.ok(!text.includes(body));
  }
});
