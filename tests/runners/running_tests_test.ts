import assert from "node:assert/strict";
import { RunningTests } from "../../src/runners/running_tests.ts";

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("requests belong to the test that sends them, also in parallel tests", async () => {
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

Deno.test("requests outside of all tests belong to the only running test, if there is just one", () => {
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

Deno.test("requests belong to the running step, not to the test around it", () => {
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

Deno.test("a test that runs twice in parallel counts as one", () => {
  const tests = new RunningTests();
  const ends = [tests.start("again"), tests.start("again")];
  assert.equal(tests.name, "again");
  for (const end of ends) end();
});
