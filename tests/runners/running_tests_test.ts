import assert from "node:assert/strict";
import { RunningTests } from "../../src/runners/running_tests.ts";

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("requests of a test belong to it, also while others run", async () => {
  const tests = new RunningTests();
  const seen: (string | undefined)[] = [];
  const work = async (): Promise<void> => {
    seen.push(tests.name);
    await turn();
    seen.push(tests.name);
  };
  await Promise.all([tests.run("one", work), tests.run("two", work)]);
  assert.deepEqual(seen.sort(), ["one", "one", "two", "two"]);
  assert.equal(tests.name, undefined);
});

Deno.test("requests outside of any test belong to the only one that runs, or to none", () => {
  const tests = new RunningTests();
  const endOne = tests.start("a > one");
  assert.equal(tests.name, "a > one");
  const endTwo = tests.start("a > two");
  assert.equal(tests.name, undefined);
  assert.equal(tests.run("a > two", () => tests.name), "a > two");
  endOne();
  assert.equal(tests.name, "a > two");
  endTwo();
  assert.equal(tests.name, undefined);
});

Deno.test("the part of a test that runs is meant, not the test around it", () => {
  const tests = new RunningTests();
  const endTest = tests.start("a > adds");
  const endPart = tests.start("a > adds > twice");
  assert.equal(tests.name, "a > adds > twice");
  endPart();
  assert.equal(tests.name, "a > adds");
  const endOther = tests.start("a > adds all");
  assert.equal(tests.name, undefined);
  endOther();
  endTest();
});

Deno.test("a test that is repeated at the same time is still one", () => {
  const tests = new RunningTests();
  const ends = [tests.start("again"), tests.start("again")];
  assert.equal(tests.name, "again");
  for (const end of ends) end();
});
