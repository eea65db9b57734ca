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
      "same_path /paths/~1a~1{y}/get No request can tell `GET /a/{y}` from `GET /a/{x}`: all of them count there.",
      "same_path /paths/~1a~1{z}.csv/get No request can tell `GET /a/{z}.csv` from `GET /a/{y}.csv`: all of them count there.",
      "same_path /paths/~1café/get No request can tell `GET /café` from `GET /caf%C3%A9`: all of them count there.",
    ],
  );
  const hit = map.report().operations.filter(({ hits }) => hits > 0).map(({ path }) => path);
  assert.deepEqual(hit, ["/a/{x}", "/a/{y}.csv", "/caf%C3%A9"]);
});
