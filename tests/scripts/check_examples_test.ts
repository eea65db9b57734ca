import assert from "node:assert/strict";
import { EXPECTED, reportedNumbers } from "../../scripts/check_examples.ts";
import { ROOT } from "../../scripts/source_files.ts";

Deno.test("every project in examples/ is run, and tells a newcomer what it is", async () => {
  const names: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/examples`)) {
    // It has no tests of its own: its traffic is there.
    if (isDirectory && name !== "bookshop") names.push(name);
  }
  assert.deepEqual(names.sort(), Object.keys(EXPECTED).sort());
  for (const name of names) {
    const text = await Deno.readTextFile(`${ROOT}/examples/${name}/README.md`);
    assert.match(text, /^# .+\n[\s\S]+```sh\n[\s\S]*test\n```/);
  }
});

Deno.test("reportedNumbers() finds the numbers among what a runner says", () => {
  const said = `PASS tests/a.test.js
Operations  ██░░     50%  1 of 2
Keywords    ███░  66.7%  10 of 15: 2 full, 8 partial
Examples    ░░░░       –  none documented
Operation  Hits
Tests: 3 passed
`;
  assert.equal(
    reportedNumbers(said),
    "Operations 1 of 2; Keywords 10 of 15: 2 full, 8 partial",
  );
  assert.equal(reportedNumbers("nothing"), "");
});
