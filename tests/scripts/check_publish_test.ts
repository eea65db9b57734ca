import assert from "node:assert/strict";
import { publishProblems } from "../../scripts/check_publish.ts";

Deno.test("publishProblems() finds what a dry run warns of, though it succeeds", () => {
  const said = `Check mod.ts
warning[unanalyzable-dynamic-import]: unable to analyze dynamic import
  --> /work/src/files/files.ts:203:66
Success Dry run complete`;
  assert.deepEqual(publishProblems(0, said, "/work"), [
    "src/files/files.ts:203:66: warning[unanalyzable-dynamic-import]: unable to analyze dynamic import",
  ]);
  assert.deepEqual(
    publishProblems(0, said.replace("files/files", "runners/set_up_vitest"), "/work"),
    [],
  );
  assert.deepEqual(publishProblems(0, "Check mod.ts\nSuccess Dry run complete\n", "/work"), []);
});

Deno.test("publishProblems() reports every dry run that fails", () => {
  assert.deepEqual(publishProblems(1, "error[slow-types]: missing type", "/"), [
    "error[slow-types]: missing type",
  ]);
  assert.deepEqual(publishProblems(1, "Nothing works\n", "/"), ["Nothing works"]);
});
