import assert from "node:assert/strict";
import { versionProblems } from "../../scripts/check_version.ts";

Deno.test("versionProblems() accepts one version everywhere, and a heading for what is unreleased", () => {
  assert.deepEqual(versionProblems("1.2.3", `{"version":"1.2.3"}`, "# Changes\n\n## 1.2.3\n"), []);
  assert.deepEqual(
    versionProblems("1.2.3", `{"version":"1.2.3"}`, "## Unreleased\n\n## 1.2.2\n"),
    [],
  );
});

Deno.test("versionProblems() names the file that says another version", () => {
  assert.deepEqual(versionProblems("1.2.3", `{"version":"1.2.2"}`, "## 1.3.0\n"), [
    "deno.json: says 1.2.2, but src/values/version.ts says 1.2.3.",
    "CHANGELOG.md: starts with 1.3.0, but src/values/version.ts says 1.2.3.",
  ]);
  assert.deepEqual(versionProblems("1.2.3", `{"version":"1.2.3"}`, "nothing"), [
    "CHANGELOG.md: has no heading with a version or for unreleased changes.",
  ]);
});
