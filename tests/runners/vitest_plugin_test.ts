import assert from "node:assert/strict";
import {
  type VitestLike,
  vitestPlugin,
  type VitestProject,
} from "../../src/runners/vitest_plugin.ts";

/** What the plugin makes of a Vitest with a setting. */
function configured(setting: Readonly<Record<string, unknown>>): {
  readonly reporters: number;
  readonly setupFiles: number;
  readonly env: Readonly<Record<string, unknown>>;
} {
  const reporters: unknown[] = [];
  const close: (() => void)[] = [];
  const vitest: VitestLike = {
    config: { root: Deno.cwd(), watch: false, reporters, ...setting },
    onClose: (listener) => void close.push(listener),
  };
  const project: VitestProject = { config: { setupFiles: [], env: {} } };
  const setup = new URL("file:///vitest_setup.ts");
  vitestPlugin({ schema: "openapi.yaml" }, setup).configureVitest({ vitest, project });
  for (const listener of close) listener();
  const { setupFiles, env } = project.config;
  return { reporters: reporters.length, setupFiles: setupFiles.length, env };
}

Deno.test("Vitest collects and reports with the plugin", () => {
  const { reporters, setupFiles, env } = configured({});
  assert.deepEqual([reporters, setupFiles, Object.keys(env)], [1, 1, ["COVTOOL_TRAFFIC"]]);
});

Deno.test("Vitest measures nothing where it only puts the reports of shards together", () => {
  const nothing = { reporters: 0, setupFiles: 0, env: {} };
  assert.deepEqual(configured({ mergeReports: ".vitest-reports" }), nothing);
});
