import assert from "node:assert/strict";
import { ApiMaps } from "../../src/coverage_map/api_maps.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inShop } from "./shop_files.ts";

const COLLECTION = JSON.stringify({
  info: { name: "Shop" },
  item: [{ request: "{{baseUrl}}/books?limit={{limit}}" }],
});
const LOCAL = JSON.stringify({
  values: [{ key: "baseUrl", value: "http://localhost:81/v1" }, { key: "limit", value: "500" }],
});

async function inPostmanShop(
  test: (folder: string, run: (...args: string[]) => Promise<Ended>) => Promise<void>,
): Promise<void> {
  await inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/shop.json`, COLLECTION);
    await Deno.writeTextFile(`${folder}/local.json`, LOCAL);
    await Deno.writeTextFile(`${folder}/other.json`, '{"limit": 5}');
    await test(folder, async (...args) => {
      return await runCovtool(args, { variables: { COLUMNS: "500" } });
    });
  });
}

Deno.test("convert fills in the variables of several --env, and the last one wins", () =>
  inPostmanShop(async (folder, run) => {
    const { code, out } = await run(
      "convert",
      `${folder}/shop.json`,
      "--env",
      `${folder}/local.json`,
      "--env",
      `${folder}/other.json`,
    );
    assert.equal(code, 0);
    assert.match(out, /"http:\/\/localhost:81\/v1\/books\?limit=5"/);
  }));

Deno.test("an invalid environment ends the run with a sentence", () =>
  inPostmanShop(async (folder, run) => {
    for (const command of [["report", `${folder}/openapi.yaml`], ["convert"]]) {
      const { code, err, out } = await run(
        ...command,
        `${folder}/shop.json`,
        "--env",
        `${folder}/shop.json`,
      );
      assert.equal(code, 1);
      assert.equal(out, "");
      assert.match(err, /shop\.json: This is a recording, not an environment: name it with/);
    }
  }));

Deno.test("an environment is not overwritten", () =>
  inPostmanShop(async (folder, run) => {
    const env = `${folder}/local.json`;
    const report = ["report", `${folder}/openapi.yaml`, "--format", "json"];
    for (const command of [report, ["convert"]]) {
      const { code } = await run(...command, `${folder}/shop.json`, "--env", env, "-o", env);
      assert.equal(code, 1);
      assert.equal(await Deno.readTextFile(env), LOCAL);
    }
  }));

Deno.test("threads that share files put the values of --env in as well", () =>
  inPostmanShop(async (folder) => {
    const { runJob } = await import("../../src/run/parallel/job.ts");
    const { loadMap } = await import("../../src/run/load_apis.ts");
    const map = await loadMap({
      schema: `${folder}/openapi.yaml`,
      basePath: "http://localhost:81/v1",
    });
    const recording = { path: `${folder}/shop.json`, named: true };
    const values = { environment: { baseUrl: "http://localhost:81/v1", limit: "5" } };
    await runJob({ kind: "file", recording, options: { values } }, ApiMaps.alone(map), () => {});
    assert.equal(map.traffic().matched, 1);
  }));
