import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { collector } from "../../src/entries/vitest.ts";
import { collector as ofCollect } from "../../src/entries/collect.ts";
import { TRAFFIC_VARIABLE } from "../../src/run/traffic_folder.ts";
import {
  type VitestLike,
  vitestPlugin,
  type VitestProject,
} from "../../src/runners/vitest_plugin.ts";

/** The state of Vitest after the plugin has configured it with a setting. */
async function configured(
  setting: Readonly<Record<string, unknown>>,
  options: { readonly schema?: string } = { schema: "openapi.yaml" },
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

Deno.test("Vitest collects into the folder in COVTOOL_TRAFFIC, which only has recordings", async () => {
  const parent = Deno.makeTempDirSync();
  const before = process.env[TRAFFIC_VARIABLE];
  process.env[TRAFFIC_VARIABLE] = join(parent, "traffic");
  try {
    const { reporters, setupFiles, env } = await configured({}, {});
    assert.deepEqual([reporters, setupFiles], [0, 1]);
    assert.equal(env[TRAFFIC_VARIABLE], join(parent, "traffic"));
    assert.ok(!existsSync(join(parent, "traffic")));
  } finally {
    if (before === undefined) delete process.env[TRAFFIC_VARIABLE];
    else process.env[TRAFFIC_VARIABLE] = before;
    Deno.removeSync(parent, { recursive: true });
  }
});

Deno.test("covtool/vitest exports the collector of the process, like Jest's and Playwright's entries", () =>
  assert.equal(collector, ofCollect));
