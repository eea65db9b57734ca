import assert from "node:assert/strict";
import fc from "fast-check";
import { parseSync } from "@optique/core/parser";
import { plainReportOptions } from "../../src/cli/plain_report.ts";
import { reportOptions } from "../../src/cli/report_options.ts";
import { importsOf } from "../../scripts/check_imports.ts";

const PLAIN = [
  ["api.yaml", "traffic.json"],
  ["api.yaml", "-"],
  ["api.yaml", "a.har", "b/*.json", "-o", "-"],
  ["--format", "json", "api.yaml", "traffic.json", "--output=a=b.json"],
  ["api.yaml", "traffic.json", "--format=text", "--format", "html=coverage.html"],
  [
    "api.yaml",
    "--no-config",
    "traffic.json",
    "--fail-under",
    "80%",
    "--no-color",
    "--title",
    "A b",
  ],
  ["api.yaml", "traffic.json", "--config", "covtool.yaml", "--skip-covered", "--no-suggestions"],
  ["api.yaml", "traffic.json", "--base-path", "/"],
  ["api.yaml", "traffic.json", "--base-path=https://api.example/v1"],
];

const NOT_PLAIN = [
  [],
  ["api.yaml"],
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
  ["api.yaml", "traffic.json", "--fail-under-keywords", "80"],
  ["api.yaml", "traffic.json", "--", "a"],
];

Deno.test("plain arguments of covtool report are read as the library for options reads them", () => {
  for (const args of PLAIN) {
    const given = plainReportOptions(["report", ...args]);
    assert.notEqual(given, undefined, args.join(" "));
    assert.deepEqual({ success: true, value: given }, parseSync(reportOptions, args));
  }
});

Deno.test("arguments that are not plain are left to the library for options", () => {
  for (const args of NOT_PLAIN) {
    assert.equal(plainReportOptions(["report", ...args]), undefined, args.join(" "));
  }
  assert.equal(plainReportOptions(["merge", "api.yaml", "a.hits"]), undefined);
});

Deno.test("whatever the arguments, those that pass for plain mean the same to the library for options", () => {
  const words = [...new Set([...PLAIN, ...NOT_PLAIN].flat()), "=", "--title=", "--format=json=x"];
  let plain = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 7 }), (args) => {
      const given = plainReportOptions(["report", ...args]);
      if (given === undefined) return;
      plain++;
      assert.deepEqual({ success: true, value: given }, parseSync(reportOptions, args));
    }),
    { numRuns: 2000 },
  );
  assert.ok(plain > 50, `${plain}`);
});

Deno.test("a plain covtool report doesn't load the library for options", async () => {
  const root = new URL("../../", import.meta.url);
  const seen = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const source = await Deno.readTextFile(new URL(path, root));
    const loaded = source.replace(/^import type [^;]*;$/gm, "").replace(/\bimport\(/g, "");
    for (const specifier of importsOf(loaded)) {
      assert.ok(!specifier.startsWith("@optique/"), `${path} imports ${specifier}`);
      if (specifier.startsWith(".")) {
        await visit(new URL(specifier, `file:///${path}`).pathname.slice(1));
      }
    }
  };
  await visit("src/cli/main.ts");
  assert.ok(seen.size > 200, `${seen.size}`);
});
