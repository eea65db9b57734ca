import { loadedModules, sizeProblems } from "../../scripts/check_size.ts";
import { createTally } from "../../scripts/tally.ts";
import { checksumLine } from "../../scripts/build_release.ts";
import { exportProblems, publishProblems } from "../../scripts/check_jsr.ts";
import { webTypeProblems } from "../../scripts/check_web_types.ts";
import { inFolder } from "../in_folder.ts";
import { EXPECTED, reportedNumbers } from "../../scripts/check_examples.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { runSteps } from "../../scripts/ok.ts";
import assert from "node:assert/strict";

Deno.test("runSteps() runs every step, even after a failure, and returns those that failed", () =>
  inFolder({}, async (folder) => {
    const write = `Deno.writeTextFileSync("ran", "")`;
    const failed = await runSteps([
      { name: "bad", args: ["eval", "Deno.exit(3)"] },
      { name: "good", args: ["eval", write] },
    ], folder);
    assert.deepEqual(failed, ["bad"]);
    assert.equal((await Deno.stat(`${folder}/ran`)).isFile, true);
  }));

Deno.test("runSteps() runs steps in parallel, and returns failures in the order of the steps", () =>
  inFolder({}, async (folder) => {
    // Each step waits for the other, so they only end if both run at once.
    const meet = (mine: string, other: string, code: number) => `
      Deno.writeTextFileSync("${mine}", "");
      const end = Date.now() + 20_000;
      const isThere = () => { try { return Deno.statSync("${other}").isFile; } catch { return false; } };
      while (!isThere()) { if (Date.now() > end) Deno.exit(9); await new Promise((go) => setTimeout(go, 10)); }
      Deno.exit(${code});`;
    const failed = await runSteps(
      [
        { name: "first", args: ["eval", meet("one", "two", 1)] },
        { name: "second", args: ["eval", meet("two", "one", 0)] },
        { name: "third", args: ["eval", "Deno.exit(1)"] },
      ],
      folder,
      2,
    );
    assert.deepEqual(failed, ["first", "third"]);
  }));

Deno.test("every project in examples/ is run, and has an introduction", async () => {
  const names: string[] = [];
  let recorders = "";
  for await (const { name } of Deno.readDir(`${ROOT}/tests/recorders`)) {
    if (name.endsWith("_test.ts")) {
      recorders += await Deno.readTextFile(`${ROOT}/tests/recorders/${name}`);
    }
  }
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/examples`)) {
    // The bookshop has no tests, only traffic.
    if (isDirectory && name !== "bookshop") names.push(name);
  }
  // Some projects are only run by the tests of recorders, because they need another toolchain.
  const run = names.filter((name) => EXPECTED[name] !== undefined || recorders.includes(name));
  assert.deepEqual(names.sort(), run.sort());
  assert.deepEqual(Object.keys(EXPECTED).filter((name) => !names.includes(name)), []);
  for (const name of names) {
    const text = await Deno.readTextFile(`${ROOT}/examples/${name}/README.md`);
    assert.match(text, /^# .+\n[\s\S]+```sh\n[\s\S]*test.*\n```/);
  }
});

Deno.test("reportedNumbers() finds the numbers in a runner's output", () => {
  const said = `PASS tests/a.test.js
Operations  ██░░     50%  1 of 2
Keywords    ███░  66.7%  10 of 15: 2 full, 8 partial
Examples    ░░░░       –  none documented
Operation  Hits
Tests: 3 passed
`;
  assert.equal(reportedNumbers(said), "Operations 1 of 2; Keywords 10 of 15: 2 full, 8 partial");
  assert.equal(reportedNumbers("nothing"), "");
});

Deno.test("webTypeProblems() accepts web types, and refuses what only Deno has", () =>
  inFolder({}, async (root) => {
    await Deno.writeTextFile(
      `${root}/deno.json`,
      `{"imports":{},"compilerOptions":{"strict":true}}`,
    );
    await Deno.writeTextFile(
      `${root}/web.ts`,
      `export const url: URL = new URL("https://example.com");\n`,
    );
    await Deno.writeTextFile(`${root}/deno_only.ts`, `export const id: number = Deno.pid;\n`);
    assert.deepEqual(await webTypeProblems(root, ["web.ts"]), []);
    const problems = await webTypeProblems(root, ["web.ts", "deno_only.ts"]);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", /Cannot find name 'Deno'/);
  }));

Deno.test("publishProblems() finds warnings of a successful dry run", () => {
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

Deno.test("undocumented exports and unnameable types are reported with their place", () => {
  const said = `error[missing-jsdoc]: exported symbol is missing JSDoc documentation
  --> /project/src/a.ts:3:12
  |
3 |   readonly kind: string;
  |            ^


error[private-type-ref]: public type 'A' references private type 'B'
   --> /project/mod.ts:99:1

error: Found 2 documentation lint errors.
`;
  assert.deepEqual(exportProblems(said, "/project"), [
    "src/a.ts:3:12: exported symbol is missing JSDoc documentation",
    "mod.ts:99:1: public type 'A' references private type 'B'",
  ]);
  assert.deepEqual(exportProblems("", "/project"), []);
});

Deno.test("a tally prints and counts each check, and continues after a failure", async () => {
  const said: string[] = [];
  const tally = createTally((line) => said.push(line));
  assert.equal(tally.isGood(), false);
  await tally.check("adds", () => Promise.resolve());
  assert.equal(tally.isGood(), true);
  await tally.check("fails", () => Promise.reject(new Error("no\nway")));
  await tally.check("measures", () => Promise.resolve("7 bytes"));
  assert.deepEqual(said, ["ok: adds", "not ok: fails\nno\nway", "ok: measures (7 bytes)"]);
  assert.equal(tally.total(), "2 passed, 1 failed");
  assert.equal(tally.isGood(), false);
});

Deno.test("sizeProblems() says what to do about too many lines or files", () => {
  const lengths = new Map([["src/a.ts", 60], ["src/b.ts", 41], ["tests/a_test.ts", 500]]);
  assert.deepEqual(sizeProblems(lengths, [{ folders: ["src/"], lines: 101, files: 2 }]), []);
  const [lines, files] = sizeProblems(lengths, [{ folders: ["src/"], lines: 100, files: 1 }]);
  assert.match(lines ?? "", /^src\/ has 101 lines; the limit is 100\. Make something else/);
  assert.match(files ?? "", /^src\/ has 2 files; the limit is 1\./);
});

Deno.test("loadedModules() lists the modules that the first ones lead to, once each", () => {
  const imports = new Map([
    ["cli.ts", ["a.ts", "b.ts"]],
    ["a.ts", ["b.ts", "cli.ts"]],
    ["other.ts", ["a.ts"]],
  ]);
  assert.deepEqual([...loadedModules(["cli.ts"], imports)], ["cli.ts", "a.ts", "b.ts"]);
});

Deno.test("checksums have sha256sum's format", async () => {
  const line = await checksumLine("covtool-linux-x64", new TextEncoder().encode("abc"));
  assert.equal(
    line,
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  covtool-linux-x64\n",
  );
});
