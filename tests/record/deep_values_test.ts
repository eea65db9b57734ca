import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { CoverageMap } from "../../mod.ts";
import type { Raw } from "../corpus/raw_description.ts";
import { deepValue, describe, SHAPES } from "./deep_values.ts";

/** In KB. V8 has 984 by default, of which a caller may need a part. */
const LITTLE_STACK = 700;
/** In KB. Unoptimised code, as in a first request or on a busy machine, needs more stack. */
const UNOPTIMISED_STACK = 840;
const SCRIPT = fileURLToPath(new URL("./deep_values.ts", import.meta.url));

function runScript(flags: string): string {
  const { code, stdout, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-read", "--no-check", ...(flags === "" ? [] : [flags]), SCRIPT],
  }).outputSync();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test("deep values count the same with a smaller stack, and while the engine optimises", () => {
  const counts = runScript("");
  assert.equal(counts.split("\n").length, Object.keys(SHAPES).length + 1);
  assert.equal(runScript(`--v8-flags=--stack-size=${LITTLE_STACK}`), counts);
  const slow = `${UNOPTIMISED_STACK},--no-opt,--no-maglev`;
  assert.equal(runScript(`--v8-flags=--stack-size=${slow}`), counts);
  const eager = `${LITTLE_STACK},--no-maglev,--invocation-count-for-turbofan=80`;
  assert.equal(runScript(`--v8-flags=--stack-size=${eager}`), counts);
});

for (const [name, shape] of Object.entries(SHAPES)) {
  Deno.test(`a value that fails 395 references deep is recorded: ${name}`, () => {
    const map = CoverageMap.fromDict(describe(shape.node) as Raw);
    map.record(deepValue(shape.level, 395, "1"), { status_code: 200 });
    const [parameter] = map.report().operations[0]?.parameters ?? [];
    assert.equal(parameter?.hits, 1);
  });
}

Deno.test("a schema that nests in itself more than three times is evaluated less deep, with a diagnostic", () => {
  const { node, level } = SHAPES["nested"] as { node: Raw; level: string };
  const map = CoverageMap.fromDict(describe(node) as Raw);
  map.record(deepValue(level, 200, "{}"));
  assert.deepEqual(map.diagnostics(), []);
  map.record(deepValue(level, 395, "{}"));
  assert.deepEqual(map.diagnostics().map(({ code }) => code), ["nested_too_deep"]);
});
