import assert from "node:assert/strict";
import { loadFromDict, loadFromPath } from "../../src/openapi/load.ts";
import { locatePaths } from "../../src/openapi/locate_paths.ts";

const ENTRY = `openapi: 3.1.0
info: { title: A, version: "1" }
paths:
  /a:
    post:
      requestBody:
        content:
          application/json:
            schema: { $ref: "common.json#/User" }
`;
const COMMON = `{
  "User": {
    "type": "object",
    "required": ["name"]
  }
}
`;

Deno.test("locatePaths() finds paths in several files, each with its label", async () => {
  const folder = await Deno.makeTempDir({ prefix: "covtool" });
  try {
    await Deno.writeTextFile(`${folder}/openapi.yaml`, ENTRY);
    await Deno.writeTextFile(`${folder}/common.json`, COMMON);
    const set = await loadFromPath(`${folder}/openapi.yaml`);
    const found = locatePaths(set, [
      "/paths/~1a/post",
      "common.json#/User/required",
      "common.json#",
      "common.json#/Nobody",
      "other.json#/User",
    ]);
    assert.deepEqual(Object.fromEntries(found), {
      "/paths/~1a/post": { label: "", line: 5, column: 5, endLine: 9 },
      "common.json#/User/required": { label: "common.json", line: 4, column: 5, endLine: 4 },
      "common.json#": { label: "common.json", line: 1, column: 1, endLine: 6 },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("locatePaths() finds nothing in a description that has no text", () => {
  const set = loadFromDict({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths: {} });
  assert.deepEqual([...locatePaths(set, ["/paths"])], []);
});

Deno.test("locatePaths() finds pointers in any order, also those that begin alike", async () => {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    const value = {
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      "x-a": { b: 1, bc: { d: 1 }, "": { "": 2 } },
      "x-ab": { c: 1 },
      paths: {},
    };
    await Deno.writeTextFile(path, JSON.stringify(value, null, 1));
    const paths = ["/x-ab/c", "/x-a/bc", "/x-a/b", "/x-a", "/x-a//", "/x-ab", "/x-a/bc/d", "/x-a/"];
    const found = locatePaths(await loadFromPath(path), [...paths, "/x-a/bcd", "/x"]);
    assert.deepEqual(
      paths.map((path) => found.get(path)?.line),
      [17, 9, 8, 7, 13, 16, 10, 12],
    );
    assert.equal(found.size, paths.length);
  } finally {
    await Deno.remove(path);
  }
});
