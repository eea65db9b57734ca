import assert from "node:assert/strict";
import { ApiMaps } from "../../src/coverage_map/api_maps.ts";
import { loadMap } from "../../src/run/load_apis.ts";
import { runJob } from "../../src/run/parallel/job.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { inShop } from "./shop_files.ts";

const COLLECTION = JSON.stringify({
  info: { name: "Shop" },
  item: [{ request: "{{baseUrl}}/books?limit={{limit}}" }],
});
const LOCAL = JSON.stringify({
  values: [{ key: "baseUrl", value: "http://localhost:81/v1" }, { key: "limit", value: "500" }],
});

const FILES = { "shop.json": COLLECTION, "local.json": LOCAL, "other.json": { limit: 5 } };

Deno.test("convert fills in variables from several --env, and the last one wins", () =>
  inShop(async () => {
    const { out } = await succeeds(
      runCovtool("convert shop.json --env local.json --env other.json"),
    );
    assert.match(out, /"http:\/\/localhost:81\/v1\/books\?limit=5"/);
  }, FILES));

Deno.test("an invalid environment is an error, and a valid one is not overwritten", () =>
  inShop(async () => {
    for (const command of ["report openapi.yaml --format json", "convert"]) {
      const { code, err, out } = await runCovtool(`${command} shop.json --env shop.json`);
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, /shop\.json: This is a recording, not an environment: name it with/);
      await fails(runCovtool(`${command} shop.json --env local.json -o local.json`));
      assert.equal(await Deno.readTextFile("local.json"), LOCAL);
    }
  }, FILES));

Deno.test("threads that read separate files fill in the values of --env too", () =>
  inShop(async () => {
    const map = await loadMap({ schema: "openapi.yaml", basePath: "http://localhost:81/v1" });
    const recording = { path: "shop.json", isNamed: true };
    const values = { environment: { baseUrl: "http://localhost:81/v1", limit: "5" } };
    await runJob({ kind: "file", recording, options: { values } }, ApiMaps.single(map), () => {});
    assert.equal(map.traffic().matched, 1);
  }, FILES));
