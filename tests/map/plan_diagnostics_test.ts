import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";

const OPERATION = { responses: {} };

Deno.test("operations whose paths differ in the names of templates only get a diagnostic, as only the first can be hit", () => {
  const map = CoverageMap.fromDict({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: {
      "/a/{x}": { get: OPERATION, put: OPERATION },
      "/a/{y}": { get: OPERATION, post: OPERATION },
      "/a/{y}/": { get: OPERATION },
      "/a/{y}.csv": { get: OPERATION },
      "/a/{z}.csv": { get: OPERATION },
      "/caf%C3%A9": { get: OPERATION },
      "/café": { get: OPERATION },
      "/Café": { get: OPERATION },
    },
  });
  for (const url of ["/a/1", "/a/2.csv", "/café"]) map.record({ method: "GET", url });
  assert.deepEqual(
    map.diagnostics().filter(({ code }) => code === "same_path").map((
      { code, schema_path, message },
    ) => `${code} ${schema_path} ${message}`),
    [
      "same_path /paths/~1a~1{y}/get `GET /a/{y}` matches the same requests as `GET /a/{x}`, so all of them count for the latter.",
      "same_path /paths/~1a~1{z}.csv/get `GET /a/{z}.csv` matches the same requests as `GET /a/{y}.csv`, so all of them count for the latter.",
      "same_path /paths/~1café/get `GET /café` matches the same requests as `GET /caf%C3%A9`, so all of them count for the latter.",
    ],
  );
  const hit = map.report().operations.filter(({ hits }) => hits > 0).map(({ path }) => path);
  assert.deepEqual(hit, ["/a/{x}", "/a/{y}.csv", "/caf%C3%A9"]);
});
