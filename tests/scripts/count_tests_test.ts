import assert from "node:assert/strict";
import { countsTable, filesByKind, filteredTests, TEST_KINDS } from "../../scripts/count_tests.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";

Deno.test("every test file is of a kind that docs/testing.md counts", async () => {
  const files = (await sourceFiles(ROOT, ["_test.ts", "_test.tsx"]))
    .filter((path) => path.startsWith("tests/"));
  const names = new Set(TEST_KINDS.map(({ name }) => name));
  const others = [...filesByKind(files)].filter(([name]) => !names.has(name));
  assert.deepEqual(others, []);
});

Deno.test("a file belongs to the kind that names most of its path", () => {
  const files = filesByKind(["tests/property/growth_test.ts", "tests/property/traps_test.ts"]);
  assert.deepEqual(files.get("growth"), ["tests/property/growth_test.ts"]);
  assert.deepEqual(files.get("properties"), ["tests/property/traps_test.ts"]);
});

Deno.test("filteredTests() reads how many tests Deno left out", () => {
  const summary = "ok | 0 passed | 0 failed | 1234 filtered out \u001b[38;5;245m(1s)\u001b[0m\n";
  assert.equal(filteredTests(summary), 1234);
  assert.equal(filteredTests("error: Module not found"), undefined);
});

Deno.test("the table of counts ends with the sums", () => {
  const table = countsTable([
    { name: "units", files: 2, tests: 1200 },
    { name: "proxy", files: 1, tests: 5 },
  ]);
  assert.deepEqual(table.split("\n"), [
    "| kind  | files | tests |",
    "| ----- | ----: | ----: |",
    "| units |     2 | 1,200 |",
    "| proxy |     1 |     5 |",
    "| all   |     3 | 1,205 |",
  ]);
});
