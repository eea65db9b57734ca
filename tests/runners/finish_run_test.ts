import assert from "node:assert/strict";
import { finishRun, prepareRun } from "../../src/runners/finish_run.ts";
import { readRunOptions, type RunOptions } from "../../src/runners/run_options.ts";
import { TrafficFolder } from "../../src/run/traffic_folder.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { inFolder } from "../in_folder.ts";

const FILES = {
  "openapi.yaml":
    'openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths: { /books: { $ref: "books.yaml" } }\n',
  "books.yaml": "get: { responses: {} }\n",
};

/** Runs a test in a folder with a description of two files and some lines of collected traffic. */
async function withRuns(
  test: (
    finish: (options: RunOptions) => Promise<{ readonly isMet: boolean; readonly err: string }>,
    folder: string,
  ) => Promise<void>,
  { lines = "", ...files }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const collected = TrafficFolder.create();
  try {
    await Deno.writeTextFile(`${collected.path}/1-a.jsonl`, lines);
    await inFolder({ ...FILES, ...files }, async (folder) =>
      await test(async (given) => {
        const host = fakeHost();
        const options = readRunOptions({ print: false, ...given }, "The test", folder);
        return { isMet: await finishRun(collected, options, undefined, host), err: host.err() };
      }, folder));
  } finally {
    collected.remove();
  }
}

Deno.test("a run refuses to overwrite a file of the description with its report", () =>
  withRuns(async (finish, folder) => {
    await Deno.symlink(`${folder}/books.yaml`, `${folder}/link.json`);
    for (const output of ["openapi.yaml", "./books.yaml", "link.json"]) {
      const { isMet, err } = await finish({ schema: "openapi.yaml", format: `json=${output}` });
      assert.equal(isMet, false);
      assert.match(err, /^covtool: The report would overwrite .*, which is an input/);
    }
    for (const [name, text] of Object.entries(FILES)) {
      assert.equal(await Deno.readTextFile(`${folder}/${name}`), text);
    }
  }));

Deno.test("a run of tests counts for each of several APIs, and fails if one falls short", () =>
  withRuns(async (finish, folder) => {
    const { isMet, err } = await finish({});
    assert.equal(isMet, false);
    assert.match(err, /Threshold not met:\n {2}Blue: operations: 0% is below 50%/);
    const { apis } = JSON.parse(await Deno.readTextFile(`${folder}/out.json`));
    assert.deepEqual(
      apis.map(({ traffic }: { traffic: { matched: number } }) => traffic.matched),
      [1, 0],
    );
  }, {
    "covtool.yaml": `format: json=out.json
apis:
  - { name: Green, schema: openapi.yaml, hosts: green.example }
  - { name: Blue, schema: openapi.yaml, hosts: blue.example, failUnderOperations: 50 }
`,
    lines: '{"request":{"method":"GET","url":"http://green.example/books"}}\n',
  }));

Deno.test("a run fails on the conditions in failOn, and lists them", () =>
  withRuns(async (finish) => {
    for (const failOn of [undefined, "no-traffic", ["no-traffic"]]) {
      const { isMet, err } = await finish({ schema: "openapi.yaml", failOn });
      assert.equal(isMet, failOn === undefined);
      assert.equal(/\nFailed on no-traffic:\n/.test(err), failOn !== undefined);
    }
  }));

Deno.test("a run measures by the description that its tests wrote anew", () =>
  inFolder(FILES, async (folder) => {
    const collected = TrafficFolder.create();
    const given = { print: false, schema: "openapi.yaml", format: "json=report.json" };
    const host = fakeHost();
    const makeReports = await prepareRun(readRunOptions(given, "The test", folder), host);
    await Deno.writeTextFile(`${folder}/books.yaml`, "delete: { responses: {} }\n");
    await makeReports(collected).finally(() => collected.remove());
    const { operations } = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    assert.deepEqual(operations.map(({ method }: { method: string }) => method), ["DELETE"]);
  }));
