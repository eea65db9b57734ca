// Tests the requests at the end of a text report: their lines have to fit, and a shell has to read them as intended.
import { Ansis } from "ansis";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import process from "node:process";
import { textLines } from "../../../src/report/blocks/text_blocks.ts";
import { nextBlocks } from "../../../src/report/wording/shown_requests.ts";
import type { Suggestion } from "../../../src/suggest/suggestion.ts";

const colors = new Ansis(0);
const SCHEMA = {
  location: "my api.yaml",
  title: "Shop",
  version: "1",
  specification: "OpenAPI 3.1.0",
  base_path: null,
};

function suggestion(body: string, path = "/books"): Suggestion {
  return {
    request: {
      method: "POST",
      url: "$SERVER/books?genre=science&sort=title&page=2",
      headers: { Authorization: "Bearer $TOKEN", "Content-Type": "application/json" },
      body,
    },
    server: "$SERVER",
    path,
    operation_id: null,
    closes: [],
    breaks: null,
    placeholders: ["$SERVER", "$TOKEN"],
    based_on: "schema",
    expects: ["201"],
  };
}

function writeLines(body: string, wraps: boolean, path?: string, schema = SCHEMA): string[] {
  const next = { requests: [suggestion(body, path)], complete: true };
  return textLines(nextBlocks({ schema, operations: [] }, next), { width: 60, wraps, colors });
}

/** The arguments that a shell passes to a command on these lines. */
function shellArguments(command: string, lines: readonly string[]): string[] {
  const script = `${command}() { printf '%s\\0' "$@"; }\n${lines.slice(1).join("\n")}\n`;
  const env = { ...process.env, SERVER: "http://localhost", TOKEN: "t" };
  return execFileSync("sh", ["-c", script], { env, encoding: "utf8" }).split("\0").slice(0, -1);
}

for (const wraps of [true, false]) {
  Deno.test(`a shell reads commands ${wraps ? "broken at 60 columns" : "for files"} as intended`, () => {
    const body = JSON.stringify({
      title: 'it\'s "quoted" \\ and 100% long'.repeat(4),
      words: Array.from({ length: 20 }, (_, index) => `w${index}`),
    });
    const lines = writeLines(body, wraps);
    if (wraps) assert.ok(lines.every((line) => line.length <= 60), lines.join("\n"));
    assert.deepEqual(shellArguments("curl", lines), [
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

Deno.test("a request that is too long or unsafe to print is replaced with the command that writes it", () => {
  for (const body of ["x".repeat(2000), "\u009b31m", "\u202e"]) {
    for (const wraps of [true, false]) {
      const path = `/books/{id}${"/its-reviews".repeat(8)}`;
      const lines = writeLines(body, wraps, path);
      if (wraps) assert.ok(lines.every((line) => line.length <= 60), lines.join("\n"));
      assert.deepEqual(shellArguments("covtool", lines), [
        ...["suggest", "my api.yaml", "--operation", `POST ${path}`, "--format", "curl"],
      ]);
      assert.ok(!lines.join("").includes(body));
    }
  }
});

Deno.test("a description's path that is wider than the terminal is wrapped as well", () => {
  for (const name of ["/descriptions", "/x", ""]) {
    const location = `/srv${name.repeat(12)}/openapi-of-the-shop.yaml`;
    const lines = writeLines("\u202e", true, "/books", { ...SCHEMA, location });
    assert.ok(lines.every((line) => line.length <= 60), lines.join("\n"));
    assert.deepEqual(shellArguments("covtool", lines), [
      ...["suggest", location, "--operation", "POST /books", "--format", "curl"],
    ]);
  }
});
