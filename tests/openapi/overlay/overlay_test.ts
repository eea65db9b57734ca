import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import type { DocumentSet } from "../../../src/openapi/document_set.ts";
import { loadFromDict, loadFromPath } from "../../../src/openapi/load.ts";
import { locatePaths } from "../../../src/openapi/locate.ts";
import { applyOverlayObjects } from "../../../src/openapi/overlay/apply_overlays.ts";
import { shopApi } from "../../shop_api.ts";
import { inFolder } from "../../in_folder.ts";

/** An overlay with these actions. */
function overlay(...actions: readonly unknown[]): object {
  return { overlay: "1.1.0", info: { title: "Changes", version: "1" }, actions };
}

/** A description with an operation and a list. */
const API = shopApi({
  "/books": { get: { summary: "Books", responses: { 200: { description: "OK" } } } },
}, { tags: ["a", "b", "c"] });

function overlaid(...overlays: readonly object[]): DocumentSet {
  return loadFromDict(API, undefined, (value) => applyOverlayObjects(value, overlays));
}

Deno.test("an overlay updates, removes and copies the targets of its actions", () => {
  const get = "$.paths['/books'].get";
  const cases: [string, unknown[], (api: typeof API) => unknown, unknown][] = [
    [
      "objects are merged at every depth",
      [{ target: "$", update: { info: { title: "Store", contact: { name: "A" } } } }],
      (api) => api.info,
      { title: "Store", version: "1", contact: { name: "A" } },
    ],
    [
      "a single value is replaced",
      [{ target: "$.info.title", update: "Store" }],
      (api) => api.info,
      { title: "Store", version: "1" },
    ],
    ["a list takes an item", [{ target: "$.tags", update: "d" }], (api) => api.tags, [..."abcd"]],
    ["a list takes items", [{ target: "$.tags", update: ["d", "e"] }], (api) => api.tags, [
      ..."abcde",
    ]],
    [
      "a list that is selected twice takes an item once",
      [{ target: "$['tags', 'tags']", update: "d" }],
      (api) => api.tags,
      [..."abcd"],
    ],
    [
      "lists within an update are joined",
      [{ target: "$", update: { tags: ["d"] } }],
      (api) => api.tags,
      [..."abcd"],
    ],
    [
      "items go at once, whatever their order",
      [{ target: "$.tags[0,2]", remove: true }],
      (api) => api.tags,
      ["b"],
    ],
    [
      "filters select by value",
      [{ target: "$.tags[?@ == 'b']", remove: true }],
      (api) => api.tags,
      ["a", "c"],
    ],
    [
      "actions build on each other: a path is moved",
      [
        { target: "$.paths", update: { "/titles": {} } },
        { target: "$.paths['/titles']", copy: "$.paths['/books']" },
        { target: "$.paths['/books']", remove: true },
      ],
      (api) => api.paths,
      { "/titles": API.paths["/books"] },
    ],
    [
      "the whole can be copied into a part of it",
      [{ target: get, update: { "x-all": {} } }, { target: `${get}['x-all']`, copy: "$.info" }],
      (api) => api.paths["/books"].get,
      { ...API.paths["/books"].get, "x-all": API.info },
    ],
    [
      "remove wins over update",
      [{ target: "$.tags", remove: true, update: "d" }],
      (api) => api.tags,
      undefined,
    ],
  ];
  for (const [name, actions, part, expected] of cases) {
    const before = structuredClone(API);
    const set = overlaid(overlay(...actions));
    assert.deepEqual(part(set.entry.value as typeof API), expected, name);
    assert.deepEqual(set.problems, [], name);
    assert.deepEqual(API, before, "the given description is never changed");
  }
});

Deno.test("an invalid overlay or an impossible action is an error with its line", async () => {
  const action = (text: string) =>
    `overlay: 1.1.0\ninfo: { title: T, version: "1" }\nactions:\n  - ${text}\n`;
  const cases: [text: string, expected: RegExp][] = [
    ["openapi: 3.1.0", /line 1, column 1: This is an OpenAPI description, not an overlay/],
    ["[]", /line 1, column 1: This is not an OpenAPI Overlay/],
    ["overlay: 2.0.0", /line 1, column 1: `overlay: "2.0.0"` is not supported: covtool reads 1\.0/],
    ["overlay: 1.0.0", /no `actions`/],
    ["overlay: 1.0.0\nactions: []", /line 2, column 1: .* not an empty list/],
    ["overlay: 1.0.0\nextends: []\nactions: [{}]", /line 2, column 1: `extends` must be text/],
    ["overlay: 1.0.0\nactions:\n  - update: {}", /line 3, column 5: Action 1 has no `target`/],
    [action("target: $["), /line 4, column 5: Action 1 \(`\$\[`\): `\$\[` is not a JSONPath/],
    [action("target: $.info\n    copy: 1"), /line 5, column 5: .* `copy` must be a JSONPath/],
    [action("{ target: $, copy: $, update: {} }"), /both `update` and `copy`/],
    [action("{ target: $, remove: 1 }"), /`remove` must be true or false, not a number/],
    [
      action("{ target: $.info, copy: $.paths }").replace("1.1", "1.0"),
      /`copy` came with Overlay 1\.1/,
    ],
    [action("{ target: $, remove: true }"), /Action 1 \(`\$`\) removes the whole description/],
    [action("{ target: $, update: [] }"), /cannot write a list into its target, .* an object/],
    [
      action("{ target: $, update: { info: 1 } }"),
      /cannot write a number into `info`, .* an object/,
    ],
    [action("{ target: $.*, update: {} }"), /targets objects, lists and single values at once/],
    [action("{ target: $.info, copy: $.* }"), /copies more than one value/],
    [
      action("{ target: $.info.title, update: Store }\n  - { target: $.openapi, remove: true }"),
      /line 5, column 5: Action 2 \(`\$\.openapi`\) leaves a description that cannot be read/,
    ],
    [
      action("{ target: $, update: { info: { x: {} } } }") +
      "  - { target: $.info.x, copy: $ }\n".repeat(40),
      /Action \d+ .* makes the description too large/,
    ],
  ];
  await inFolder({ "openapi.json": API }, async (folder) => {
    for (const [text, expected] of cases) {
      const path = `${folder}/changes.yaml`;
      await Deno.writeTextFile(path, text);
      await assert.rejects(loadFromPath(`${folder}/openapi.json`, { overlay: path }), (error) => {
        assert(error instanceof TypeError);
        assert(error.message.startsWith(`Cannot load ${path}: `), error.message);
        assert.match(error.message, expected);
        return true;
      });
    }
    await assert.rejects(
      loadFromPath(`${folder}/openapi.json`, { overlay: `${folder}/none.yaml` }),
      /^DescriptionError: Cannot load .*none\.yaml: There is no such file/,
    );
  });
});

Deno.test("an overlay may remove the version and write it again", () => {
  const set = overlaid(
    overlay({ target: "$.openapi", remove: true }, { target: "$", update: { openapi: "3.0.3" } }),
  );
  assert.equal((set.entry.value as typeof API).openapi, "3.0.3");
});

Deno.test("an overlay without effect or for another file causes a warning with its line", async () => {
  const text = `overlay: 1.1.0
info: { title: Changes, version: "1" }
extends: other.yaml
actions:
  - target: $.paths['/none'].get
    update: {}
  - target: $.info
    copy: $.none
  - target: $.info
`;
  await inFolder({ "openapi.json": API, "changes.yaml": text }, async (folder) => {
    const map = await CoverageMap.fromPath(`${folder}/openapi.json`, {
      overlay: [`${folder}/changes.yaml`],
    });
    const found = map.diagnostics().filter(({ code }) => code.startsWith("overlay"));
    assert.deepEqual(found.map(({ code, schema_path, line }) => [code, schema_path, line]), [
      ["overlay_extends", "changes.yaml#/extends", 3],
      ["overlay_target", "changes.yaml#/actions/0/target", 5],
      ["overlay_target", "changes.yaml#/actions/1/copy", 8],
      ["overlay_action", "changes.yaml#/actions/2", 9],
    ]);
    assert.deepEqual(map.documentUrls().map((url) => url.replace(/.*\//, "")), [
      "openapi.json",
      "changes.yaml",
    ]);
  });
});

Deno.test("positions lead to the right file after merges, removals and copies", async () => {
  const description = `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /books:
    get:
      parameters:
        - { name: first, in: query, schema: { type: string } }
        - { name: second, in: query, schema: { type: string } }
      responses: { "200": { description: OK } }
`;
  const changes = `{ "overlay": "1.1.0", "info": { "title": "C", "version": "1" }, "actions": [
  { "target": "$.paths['/books'].get.parameters[0]", "remove": true },
  { "target": "$.paths['/books'].get.parameters[0].schema",
    "update": { "maxLength": 5 } },
  { "target": "$.paths['/books'].get.parameters",
    "update": { "name": "third", "in": "query", "schema": { "type": "wrong" } } },
  { "target": "$.paths", "update": { "/copy": { "get": {} } } },
  { "target": "$.paths['/copy'].get", "copy": "$.paths['/books'].get" }
] }`;
  const files = { "openapi.yaml": description, "changes.json": changes };
  await inFolder(files, async (folder) => {
    const path = `${folder}/openapi.yaml`;
    const options = { overlay: `${folder}/changes.json` };
    const set = await loadFromPath(path, options);
    for (const operation of ["/paths/~1books/get", "/paths/~1copy/get"]) {
      const pointers = {
        "/parameters/0/name": ["", 8],
        "/parameters/0/schema/type": ["", 8],
        "/parameters/0/schema/maxLength": ["changes.json", 4],
        "/parameters/1": ["changes.json", 6],
        "/parameters/1/schema/type": ["changes.json", 6],
        "/responses/200": ["", 9],
      };
      const paths = Object.keys(pointers).map((pointer) => operation + pointer);
      const found = locatePaths(set, paths);
      const places = paths.map((path) => [found.get(path)?.label, found.get(path)?.line]);
      assert.deepEqual(places, Object.values(pointers), operation);
    }
    const map = await CoverageMap.fromPath(path, options);
    assert.deepEqual(
      map.diagnostics().map(({ schema_path, line }) => [schema_path, line]),
      [["changes.json#/actions/2/update/schema/type", 6]],
    );
    const sarif = map.generateReport({ format: "sarif" });
    assert.match(sarif, /third[^]*?"uri":"[^"]*changes\.json"/);
  });
});

Deno.test("an overlay can exclude parts with x-covtool-ignore", () => {
  const map = CoverageMap.fromDict(API, {
    overlay: overlay({ target: "$.paths['/books'].get", update: { "x-covtool-ignore": "later" } }),
  });
  assert.equal(map.statistic().operations.total, 0);
});
