import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestRun } from "../../src/runners/test_run.ts";
import {
  leavesOutResponseBodies,
  problemSentences,
  TrafficFolder,
} from "../../src/run/traffic_folder.ts";

Deno.test("a run's folder that was removed is an error when it is read, but not when it is cleaned up", async () => {
  const folder = TrafficFolder.create();
  writeFileSync(join(folder.path, "1.jsonl"), "{}\n");
  assert.equal(folder.recordings().length, 1);
  folder.remove();
  assert.equal(existsSync(folder.path), false);
  assert.throws(() => folder.recordings(), {
    name: "CommandError",
    message:
      /^The folder .*covtool-run-.* .* was deleted during the test run\. Run the tests again/,
  });
  folder.clear();
  folder.remove();

  const run = new TestRun({ schema: "examples/bookshop/openapi.yaml" }, "The test", folder);
  assert.equal(await run.finish(), false);
  run.close();
});

Deno.test("a run can tell the processes of its tests to leave out response bodies", () => {
  const folder = TrafficFolder.create();
  try {
    assert.equal(leavesOutResponseBodies(folder.path), false);
    folder.leaveOutResponseBodies();
    assert.equal(leavesOutResponseBodies(folder.path), true);
    // The setting is kept between two measurements of one run.
    folder.clear();
    assert.equal(leavesOutResponseBodies(folder.path), true);
    assert.deepEqual(folder.recordings(), []);
  } finally {
    folder.remove();
  }
});

Deno.test("a run's folder has the files of covtool's collectors and of other recorders", () => {
  const folder = TrafficFolder.create();
  try {
    for (const name of ["traffic-1-ab.ndjson", "2.jsonl", "empty.ndjson", "other.txt"]) {
      writeFileSync(join(folder.path, name), name.startsWith("empty") ? "" : "{}\n");
    }
    assert.deepEqual(
      folder.recordings(),
      ["2.jsonl", "traffic-1-ab.ndjson"].map((name) => join(folder.path, name)),
    );
  } finally {
    folder.remove();
  }
});

Deno.test("a truncated or damaged message doesn't keep the others from being read", () => {
  assert.deepEqual(problemSentences('"A \\"client\\" failed."\n\n"It says \\"'), [
    'A "client" failed.',
  ]);
  const damaged = "A sentence about what could not be recorded is damaged and left out.";
  assert.deepEqual(problemSentences('no "text"\n3\n"One."\n'), [damaged, damaged, "One."]);
});
