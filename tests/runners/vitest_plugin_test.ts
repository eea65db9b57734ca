import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { collector } from "../../src/entries/vitest.ts";
import { collector as ofCollect } from "../../src/entries/collect.ts";
import { TestRun } from "../../src/runners/test_run.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../../src/run/traffic_folder.ts";
import {
  type VitestLike,
  type VitestOptions,
  vitestPlugin,
  type VitestProject,
} from "../../src/runners/vitest_plugin.ts";

const SCHEMA = "examples/bookshop/openapi.yaml";

/** The state of Vitest after the plugin has configured it with a setting. */
async function configured(
  setting: Readonly<Record<string, unknown>>,
  options: { readonly schema?: string } = { schema: SCHEMA },
): Promise<{
  readonly reporters: number;
  readonly setupFiles: number;
  readonly env: Readonly<Record<string, unknown>>;
}> {
  const reporters: unknown[] = [];
  const close: (() => void)[] = [];
  const vitest: VitestLike = {
    config: { root: Deno.cwd(), watch: false, reporters, ...setting },
    onClose: (listener) => void close.push(listener),
  };
  const project: VitestProject = { config: { setupFiles: [], env: {} } };
  const setup = new URL("file:///vitest_setup.ts");
  await vitestPlugin(options, setup).configureVitest({ vitest, project });
  for (const path of project.config.setupFiles) assert.ok(existsSync(path), path);
  for (const listener of close) listener();
  const { setupFiles, env } = project.config;
  return { reporters: reporters.length, setupFiles: setupFiles.length, env };
}

Deno.test("Vitest collects and reports with the plugin", async () => {
  const { reporters, setupFiles, env } = await configured({});
  assert.deepEqual([reporters, setupFiles, Object.keys(env)], [1, 1, ["COVTOOL_TRAFFIC"]]);
});

Deno.test("the plugin does nothing if Vitest only merges reports of shards", async () => {
  const nothing = { reporters: 0, setupFiles: 0, env: {} };
  assert.deepEqual(await configured({ mergeReports: ".vitest-reports" }), nothing);
});

Deno.test("the plugin refuses a description in the place of its options", () => {
  assert.throws(
    () => vitestPlugin("openapi.yaml" as unknown as VitestOptions, new URL("file:///setup.ts")),
    /The options are an object: covtool\(\{ schema: "openapi.yaml" \}\)/,
  );
});

Deno.test("a description that can't be loaded ends Vitest before the tests, except in watch mode", async () => {
  const missing = { schema: "missing.yaml" };
  await assert.rejects(configured({}, missing), (error: Error) => {
    assert.match(
      error.stack ?? "",
      /^covtool: Cannot load missing\.yaml: There is no such file: .*$/,
    );
    return true;
  });
  assert.equal((await configured({ watch: true }, missing)).reporters, 1);
  // The tests may start the server that has it.
  const served = { schema: "http://localhost:1/openapi.json" };
  assert.equal((await configured({}, served)).reporters, 1);
});

/** Runs a test in an environment that names a new folder for traffic. */
async function inRun(name: string, test: (folder: string) => Promise<void>): Promise<void> {
  const parent = Deno.makeTempDirSync();
  const before = process.env[TRAFFIC_VARIABLE];
  process.env[TRAFFIC_VARIABLE] = join(parent, name);
  try {
    await test(join(parent, name));
  } finally {
    if (before === undefined) delete process.env[TRAFFIC_VARIABLE];
    else process.env[TRAFFIC_VARIABLE] = before;
    Deno.removeSync(parent, { recursive: true });
  }
}

Deno.test("Vitest collects into the folder in COVTOOL_TRAFFIC, which only has recordings", () =>
  inRun("traffic", async (folder) => {
    const { reporters, setupFiles, env } = await configured({}, {});
    assert.deepEqual([reporters, setupFiles], [0, 1]);
    assert.equal(env[TRAFFIC_VARIABLE], folder);
    assert.ok(!existsSync(folder));
    // With a description, it makes a run of its own.
    assert.notEqual((await configured({})).env[TRAFFIC_VARIABLE], folder);
  }));

Deno.test("inside covtool run, runners with a description collect for it and report nothing", () =>
  inRun("covtool-run-1-2-other-a", async (folder) => {
    Deno.mkdirSync(folder);
    const { reporters, setupFiles, env } = await configured({});
    assert.deepEqual([reporters, setupFiles], [0, 1]);
    assert.equal(env[TRAFFIC_VARIABLE], folder);
    const run = new TestRun({ schema: "missing.yaml", failUnder: 100 }, "The test");
    await run.prepare();
    assert.deepEqual(run.variables, { [TRAFFIC_VARIABLE]: folder });
    assert.equal(await run.finish(), true);
    run.close();
    assert.ok(existsSync(folder));
  }));

Deno.test("a run that this process has begun itself isn't one around it", () => {
  const own = TrafficFolder.create();
  return inRun(own.path, async (folder) => {
    Deno.mkdirSync(folder, { recursive: true });
    const { reporters } = await configured({});
    assert.equal(reporters, 1);
  }).finally(() => own.remove());
});

Deno.test("a process that outlives the run around it measures by itself", () =>
  inRun("covtool-run-1-2-other-a", async () => {
    assert.equal((await configured({})).reporters, 1);
  }));

Deno.test("covtool/vitest exports the collector of the process, like Jest's and Playwright's entries", () =>
  assert.equal(collector, ofCollect));
