import { parseSync } from "@optique/core/parser";
import fc from "fast-check";
import assert from "node:assert/strict";
import { importSpecifiers } from "../../scripts/check_imports.ts";
import { COMMAND_GROUPS, type CommandName } from "../../src/cli/command_groups.ts";
import { readCommand } from "../../src/cli/main.ts";
import { readArguments } from "../../src/cli/read_arguments.ts";
import { optionParser } from "../../src/cli/read_command_line.ts";
import { optionFlags } from "../../src/run/options/option.ts";
import { optionsIn } from "../../src/run/options/options.ts";
import { fakeHost } from "./fake_host.ts";

const COMMANDS = Object.keys(COMMAND_GROUPS) as CommandName[];

const report = (args: readonly string[]) => readArguments(COMMAND_GROUPS.report, args);

const PLAIN: readonly (readonly string[])[] = [
  [], // a config file may have the rest
  ["api.yaml", "traffic.json"],
  ["api.yaml", "-"],
  ["api.yaml", "a.har", "b/*.json", "-o", "-"],
  ["--format", "json", "api.yaml", "traffic.json", "--output=a=b.json"],
  ["api.yaml", "traffic.json", "--format=text", "--format", "html=coverage.html"],
  [
    ...["api.yaml", "--no-config", "traffic.json", "--fail-under", "80%", "--no-color", "--title"],
    "A b",
  ],
  ["api.yaml", "traffic.json", "--config", "covtool.yaml", "--skip-covered", "--no-suggestions"],
  ["api.yaml", "traffic.json", "--base-path", "/"],
  ["api.yaml", "traffic.json", "--base-path=https://api.example/v1"],
];

/** Arguments that need the library for options. */
const NOT_PLAIN: readonly (readonly string[])[] = [
  ["api.yaml", ""],
  ["api.yaml", "traffic.json", "--help"],
  ["api.yaml", "traffic.json", "-o"],
  ["api.yaml", "traffic.json", "-o", "--help"],
  ["api.yaml", "traffic.json", "-ox"],
  ["api.yaml", "traffic.json", "-o", "a", "--output", "b"],
  ["api.yaml", "traffic.json", "--color", "--no-color"],
  ["api.yaml", "traffic.json", "--color=true"],
  ["api.yaml", "traffic.json", "--format", "pdf"],
  ["api.yaml", "traffic.json", "--format", "json="],
  ["api.yaml", "traffic.json", "--fail-under", "101"],
  ["api.yaml", "traffic.json", "--base-path", "/v1?a"],
  ["api.yaml", "traffic.json", "--base-path", "api.example:80"],
  ["api.yaml", "traffic.json", "--", "a"],
];

Deno.test("plain arguments are read without the library for options, and others are not", () => {
  for (const args of PLAIN) assert.ok(report(args), args.join(" "));
  for (const args of NOT_PLAIN) assert.equal(report(args), undefined, args.join(" "));
});

Deno.test("the library for options reads plain arguments in the same way", () => {
  const values = [
    ...["a", "-", "80", "/v1", "json", "text=x", "keywords", "no-traffic", "tag", "http://a"],
    "a: b",
  ];
  let plain = 0;
  for (const command of COMMANDS) {
    const groups = COMMAND_GROUPS[command];
    const parser = optionParser(groups);
    const flags = optionsIn(groups).flatMap(({ name, option }) => {
      const { on, off } = optionFlags(name, option);
      return [...on, ...off];
    });
    const words = fc.constantFrom(
      ...[...values, ...flags, "--", "--help", "-x", "--title=", "--format=json=x", ""],
    );
    const pair = fc.tuple(fc.constantFrom("-o", ...flags), fc.constantFrom(...values));
    const args = fc.array(fc.oneof(words.map((word) => [word]), pair), { maxLength: 5 });
    fc.assert(
      fc.property(args, (parts) => {
        const given = readArguments(groups, parts.flat());
        if (given === undefined) return;
        plain++;
        assert.deepEqual(parseSync(parser, parts.flat()), { success: true, value: given });
      }),
      { numRuns: 200 },
    );
  }
  assert.ok(plain > 200, `${plain}`);
});

Deno.test("arguments such as --help are values after an option that takes one", async () => {
  for (
    const args of [
      ["report", "--title", "--help", "api.yaml", "traffic.json"],
      ["report", "api.yaml", "--", "--help"],
      ["run", "api.yaml", "--", "npm", "test", "--help"],
      ["compare", "api.yaml", "--tests", "a", "b", "--production", "-"],
    ]
  ) {
    const host = fakeHost();
    assert.ok(await readCommand(args, host), args.join(" "));
    assert.equal(host.out(), "");
  }
});

Deno.test("a plain covtool report doesn't load the library for options", async () => {
  const root = new URL("../../", import.meta.url);
  const seen = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const source = await Deno.readTextFile(new URL(path, root));
    const loaded = source.replace(/^import type [^;]*;$/gm, "").replace(/\bimport\(/g, "");
    for (const specifier of importSpecifiers(loaded)) {
      assert.ok(!specifier.startsWith("@optique/"), `${path} imports ${specifier}`);
      if (specifier.startsWith(".")) {
        await visit(new URL(specifier, `file:///${path}`).pathname.slice(1));
      }
    }
  };
  await visit("src/cli/main.ts");
  assert.ok(seen.size > 150, `${seen.size}`);
});
