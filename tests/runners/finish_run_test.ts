import assert from "node:assert/strict";
import { finishRun } from "../../src/runners/finish_run.ts";
import { readRunOptions } from "../../src/runners/run_options.ts";
import { TrafficFolder } from "../../src/run/traffic_folder.ts";
import { fakeHost } from "../cli/fake_host.ts";

const OPENAPI =
  'openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths: { /books: { $ref: "books.yaml" } }\n';

Deno.test("a run refuses to write its report over a part of the description", async () => {
  const folder = await Deno.makeTempDir();
  const collected = TrafficFolder.create();
  try {
    await Deno.writeTextFile(`${folder}/openapi.yaml`, OPENAPI);
    await Deno.writeTextFile(`${folder}/books.yaml`, "get: { responses: {} }\n");
    await Deno.symlink(`${folder}/books.yaml`, `${folder}/link.json`);
    for (const output of ["openapi.yaml", "./books.yaml", "link.json"]) {
      const host = fakeHost();
      const options = readRunOptions(
        { schema: `${folder}/openapi.yaml`, format: `json=${folder}/${output}`, print: false },
        "The test",
      );
      assert.equal(await finishRun(collected, options, host), false);
      assert.match(host.err(), /^covtool: The report would overwrite .*, which is an input/);
    }
    assert.equal(await Deno.readTextFile(`${folder}/openapi.yaml`), OPENAPI);
    assert.equal(await Deno.readTextFile(`${folder}/books.yaml`), "get: { responses: {} }\n");
  } finally {
    collected.remove();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a run of tests counts for each of several APIs, and fails where one falls short", async () => {
  const folder = await Deno.makeTempDir();
  const collected = TrafficFolder.create();
  try {
    await Deno.writeTextFile(`${folder}/openapi.yaml`, OPENAPI);
    await Deno.writeTextFile(`${folder}/books.yaml`, "get: { responses: {} }\n");
    await Deno.writeTextFile(
      `${folder}/covtool.yaml`,
      `format: json=out.json
apis:
  - { name: Green, schema: openapi.yaml, hosts: green.example }
  - { name: Blue, schema: openapi.yaml, hosts: blue.example, failUnderOperations: 50 }
`,
    );
    const line = JSON.stringify({ request: { method: "GET", url: "http://green.example/books" } });
    await Deno.writeTextFile(`${collected.path}/1-a.jsonl`, `${line}\n`);
    const host = fakeHost();
    const options = readRunOptions({ print: false }, "The test", folder);
    assert.equal(await finishRun(collected, options, host), false);
    assert.match(host.err(), /Threshold not met:\n {2}Blue: operations: 0% is below 50%/);
    const { apis } = JSON.parse(await Deno.readTextFile(`${folder}/out.json`));
    assert.deepEqual(
      apis.map(({ traffic }: { traffic: { matched: number } }) => traffic.matched),
      [1, 0],
    );
  } finally {
    collected.remove();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a run fails on the conditions of failOn, and names them", async () => {
  const folder = await Deno.makeTempDir();
  const collected = TrafficFolder.create();
  try {
    await Deno.writeTextFile(`${folder}/openapi.yaml`, OPENAPI);
    await Deno.writeTextFile(`${folder}/books.yaml`, "get: { responses: {} }\n");
    for (const failOn of [undefined, "no-traffic", ["no-traffic"]]) {
      const host = fakeHost();
      const options = readRunOptions(
        { schema: `${folder}/openapi.yaml`, failOn, print: false },
        "The test",
      );
      assert.equal(await finishRun(collected, options, host), failOn === undefined);
      assert.equal(/\nFailed on no-traffic:\n/.test(host.err()), failOn !== undefined);
    }
  } finally {
    collected.remove();
    await Deno.remove(folder, { recursive: true });
  }
});
