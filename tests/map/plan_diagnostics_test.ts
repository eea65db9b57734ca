import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { shopApi } from "../shop_api.ts";

const OPERATION = { responses: {} };

Deno.test("operations whose paths differ only in template names get a diagnostic and don't count", () => {
  const map = CoverageMap.fromDict(shopApi({
    "/a/{x}": { get: OPERATION, put: OPERATION },
    "/a/{y}": { get: OPERATION, post: OPERATION },
    "/a/{y}/": { get: OPERATION },
    "/a/{y}.csv": { get: OPERATION },
    "/a/{z}.csv": { get: OPERATION },
    "/caf%C3%A9": { get: OPERATION },
    "/café": { get: OPERATION },
    "/Café": { get: OPERATION },
  }));
  for (const url of ["/a/1", "/a/2.csv", "/café"]) map.record({ method: "GET", url });
  assert.deepEqual(
    map.diagnostics().filter(({ code }) => code === "indistinguishable").map((
      { code, schema_path, message },
    ) => `${code} ${schema_path} ${message}`),
    [
      "indistinguishable /paths/~1a~1{y}/get `GET /a/{y}` takes the same requests as `GET /a/{x}`, for which all of them count. It is left out of every number.",
      "indistinguishable /paths/~1a~1{z}.csv/get `GET /a/{z}.csv` takes the same requests as `GET /a/{y}.csv`, for which all of them count. It is left out of every number.",
      "indistinguishable /paths/~1café/get `GET /café` takes the same requests as `GET /caf%C3%A9`, for which all of them count. It is left out of every number.",
    ],
  );
  assert.deepEqual(map.statistic().operations, { seen: 3, total: 7 });
  const hit = map.report().operations.filter(({ hits }) => hits > 0).map(({ path }) => path);
  assert.deepEqual(hit, ["/a/{x}", "/a/{y}.csv", "/caf%C3%A9"]);
});

Deno.test("a message stays short however long the name in it is", () => {
  const schema = { $ref: `#/components/schemas/${"N".repeat(1e6)}` };
  const map = CoverageMap.fromDict(
    shopApi({ "/": { get: { parameters: [{ name: "q", in: "query", schema }] } } }),
  );
  const [found] = map.diagnostics();
  assert.match(
    found?.message ?? "",
    /^The reference `#\/components\/schemas\/N+…N+` .*accepted here\.$/,
  );
  assert.ok((found?.message.length ?? 0) < 1_100);
});

Deno.test("a multipleOf that is too large for a number is ignored with a diagnostic", () => {
  const schema = JSON.parse('{ "type": "number", "multipleOf": 1e400 }');
  const map = CoverageMap.fromDict(
    shopApi({ "/n": { get: { parameters: [{ name: "n", in: "query", schema }], responses: {} } } }),
  );
  for (const value of ["5", "1.5", "1e400", "-1e-400"]) {
    map.record({ method: "GET", url: `/n?n=${value}` });
  }
  assert.deepEqual(map.diagnostics().map(({ code }) => code), ["invalid_keyword"]);
  assert.deepEqual(map.statistic().keywords, { partial: 1, full: 0, total: 1 });
});
