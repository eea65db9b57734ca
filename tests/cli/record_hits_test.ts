import assert from "node:assert/strict";
import { ERROR_EXIT, fails, succeeds } from "../command_end.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inShop, SHOP_TRAFFIC } from "./shop_files.ts";

/** Runs a line of arguments with this standard input. */
async function covtool(line: string, stdin = ""): Promise<Ended> {
  return await runCovtool(line, { stdin });
}

const LINES: readonly string[] = (JSON.parse(SHOP_TRAFFIC) as { readonly interactions: unknown[] })
  .interactions.map((interaction) => JSON.stringify(interaction));

function recordedIn(hits: string): unknown {
  return (JSON.parse(hits) as { readonly recorded: unknown }).recorded;
}

Deno.test("record-hits writes one line of hits, the same as report --format hits", () =>
  inShop(async () => {
    const { out, err } = await succeeds(
      covtool("record-hits openapi.yaml", `${LINES.join("\n")}\n`),
    );
    assert.equal(out.trimEnd().split("\n").length, 1);
    const whole = await covtool("report openapi.yaml traffic.json --format hits=-");
    assert.equal(out, whole.out);
    assert.match(err, /^\d+ requests: \d+ matched, \d+ unmatched\n$/);
  }));

Deno.test("hits of parts that record-hits wrote merge to the hits of the whole", () =>
  inShop(async () => {
    const whole = await covtool("record-hits openapi.yaml", LINES.join("\n"));
    const parts: string[] = [];
    for (const line of ["", ...LINES]) {
      parts.push((await covtool("record-hits openapi.yaml", line)).out);
    }
    const merged = await covtool("merge openapi.yaml - -o -", parts.reverse().join(""));
    assert.equal(merged.out, whole.out);
  }));

Deno.test("record-hits writes empty hits for empty or unreadable input", () =>
  inShop(async () => {
    const nothing = /^0 requests: 0 matched, 0 unmatched\n$/;
    for (
      const [stdin, said] of [
        ["", nothing],
        ["\n\n  \n", nothing],
        [
          "neither\nnor\n",
          /^Warning: standard input: Nothing is counted, because no line can be read \(2 lines\)\. Line 1: This is text, not a recording\./,
        ],
      ] as const
    ) {
      const { out, err } = await succeeds(covtool("record-hits openapi.yaml", stdin));
      assert.equal(recordedIn(out), 0);
      assert.match(err, said);
    }
  }));

Deno.test("record-hits skips lines that can't be read, and says so", () =>
  inShop(async () => {
    const whole = (await covtool("record-hits openapi.yaml", LINES.join("\n"))).out;
    const [first = "", ...rest] = LINES;
    const cut = first.slice(0, -9);
    const foreign = Array.from({ length: 1000 }, () => "some text ".repeat(20));
    for (
      const [lines, said] of [
        [[cut, ...LINES], /1 line at the beginning cannot be read and is left out\. Line 1: /],
        [["", "some text", "null", ...LINES], /2 lines at the beginning .* Line 2: This is text/],
        [[first, cut, ...rest], /not valid JSON is left out \(at line 2\)/],
        [["some text", first, "{", ...rest], /not valid JSON is left out \(at line 3\)/],
        [[...LINES, cut], /the recording is cut off/],
        [[...foreign, ...LINES], /1,?000 lines at the beginning/],
      ] as const
    ) {
      const { out, err } = await succeeds(covtool("record-hits openapi.yaml", lines.join("\n")));
      assert.match(err, said);
      assert.equal(out, whole, err);
    }
  }));

Deno.test("record-hits refuses hits, a missing description and extra arguments", () =>
  inShop(async () => {
    const { out: hits } = await covtool("record-hits openapi.yaml", "");
    for (
      const [args, stdin, said] of [
        [
          "openapi.yaml",
          hits,
          /hits file, which has counts and no requests\. covtool report and covtool/,
        ],
        ["", "", /No OpenAPI description given\. Name a file or URL\./],
        ["-", "", /Only traffic can come from standard input\./],
        ["openapi.yaml traffic.json", "", /Unexpected argument "traffic\.json"\./],
      ] as const
    ) {
      const { out, err } = await fails(covtool(`record-hits --no-config ${args}`, stdin));
      assert.equal(out, "");
      assert.match(err, said);
      assert.ok(err.endsWith(ERROR_EXIT), err);
    }
  }));

Deno.test("record-hits uses the config file's description, and writes a line for each of several APIs", () =>
  inShop(async () => {
    await Deno.writeTextFile("covtool.yaml", "schema: openapi.yaml\n");
    const { out } = await covtool("record-hits", LINES.join("\n"));
    assert.equal(recordedIn(out), LINES.length);
    await Deno.writeTextFile(
      "covtool.yaml",
      "apis: [{ name: a, schema: openapi.yaml, hosts: a.example }, { name: b, schema: openapi.yaml }]\n",
    );
    const several = await covtool("record-hits", LINES.join("\n"));
    assert.equal(several.out.trimEnd().split("\n").length, 2);
    const merged = await covtool("merge - -o -", several.out);
    assert.equal(merged.out, several.out);
  }));

Deno.test("record-hits reads lines of access logs, wherever the log was split", () =>
  inShop(async () => {
    const log = Array.from(
      { length: 40 },
      (_, number) =>
        `192.0.2.7 - - [31/Jan/2026:12:00:${
          10 + number
        } +0000] "GET /v1/books?limit=${number} HTTP/1.1" 200 5 "-" "app"`,
    );
    const whole = await covtool("record-hits openapi.yaml", log.join("\n"));
    assert.equal(recordedIn(whole.out), log.length);
    const text = log.join("\n");
    for (const at of [60, 700, text.indexOf("\n") + 1]) {
      // Query engines keep lines whole; where a line was cut, only that line is lost, with a message.
      const rest = await covtool("record-hits openapi.yaml", text.slice(at));
      const lines = text.slice(at).split("\n").length;
      const isCut = text[at - 1] !== "\n";
      assert.equal(recordedIn(rest.out), isCut ? lines - 1 : lines, rest.err);
      assert.equal(/Warning: /.test(rest.err), isCut, rest.err);
    }
  }));
