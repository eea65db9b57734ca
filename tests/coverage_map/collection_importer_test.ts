import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { inFolder } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

const COLLECTION = { info: { name: "tags" }, item: [{ request: "{{baseUrl}}/tags/{{id}}" }] };

function tagsMap(): CoverageMap {
  return CoverageMap.fromDict(
    shopApi({
      "/tags/{id}": {
        get: {
          parameters: [{
            name: "id",
            in: "path",
            required: true,
            schema: { type: "integer", maximum: 9 },
          }],
          responses: { 200: { description: "A tag" } },
        },
      },
    }),
    { basePath: "http://localhost/v1" },
  );
}

Deno.test("recordFromPath() fills in a collection's variables from environments", async () => {
  const files = {
    "tags.json": JSON.stringify(COLLECTION),
    // Some editors write a byte order mark.
    "local.json": `\ufeff${
      JSON.stringify({ values: [{ key: "baseUrl", value: "http://localhost/v1" }] })
    }`,
  };
  await inFolder(files, async (folder) => {
    const map = tagsMap();
    const env = [`${folder}/local.json`, { id: 7 }];
    const { warnings } = await map.collection.recordFromPath(`${folder}/tags.json`, { env });
    assert.deepEqual(warnings, []);
    assert.deepEqual(map.statistic().keywords, { partial: 2, full: 0, total: 2 });
  });
});

Deno.test("recordFromDict() accepts environments that are objects", () => {
  const map = tagsMap();
  const env = { baseUrl: "http://localhost/v1", id: "7" };
  map.collection.recordFromDict(COLLECTION, "tags", { env });
  assert.equal(map.traffic().matched, 1);
  assert.throws(() => map.collection.recordFromDict(COLLECTION, "tags", { env: "local.json" }), {
    message:
      "Cannot read local.json: recordFromDict() reads no files. Give the environment as an object, or use recordFromPath().",
  });
});

Deno.test("recordFromPath() reports an unreadable environment, and records nothing", async () => {
  const files = { "tags.json": JSON.stringify(COLLECTION), "broken.json": '{"values": [}' };
  await inFolder(files, async (folder) => {
    const map = tagsMap();
    const read = (name: string) =>
      map.collection.recordFromPath(`${folder}/tags.json`, { env: `${folder}/${name}` });
    await assert.rejects(read("broken.json"), {
      name: "RecordingError",
      message:
        /^Cannot read .*broken\.json: line 1, column 13: This is not JSON: .*\. Export the environment from Postman\.$/,
    });
    await assert.rejects(read("none.json"), { message: /^Cannot read .*none\.json: / });
    assert.equal(map.traffic().recorded, 0);
  });
});
