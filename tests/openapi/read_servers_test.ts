import assert from "node:assert/strict";
import { loadFromDict, loadFromUrl } from "../../src/openapi/load.ts";
import type { ApiModel } from "../../src/openapi/model.ts";
import { readModel } from "../../src/openapi/read_model.ts";

function api(servers: unknown, item: object = { get: {} }): ApiModel {
  return readModel(loadFromDict({ openapi: "3.1.0", servers, paths: { "/a": item } }));
}

function basePaths(...servers: (string | object)[]): readonly string[] | undefined {
  const list = servers.map((server) => typeof server === "string" ? { url: server } : server);
  return api(list).basePaths;
}

function codes({ diagnostics }: ApiModel): string[] {
  return diagnostics.map(({ code, schema_path }) => `${code} ${schema_path}`);
}

Deno.test("readModel() reads the paths of absolute and relative server URLs once each", () =>
  assert.deepEqual(
    basePaths(
      ...["https://example.com/v1/", "http://localhost:8080/v1", "/v2", "v3/x", "//example.com/v4"],
      ...["https://example.com", "/", "https://example.com//a//b/", "https://example.com/q?x=1#y"],
    ),
    ["/v1", "/v2", "/v3/x", "/v4", "/a/b", "/q"],
  ));

Deno.test("readModel() recognizes a host without a scheme", () =>
  assert.deepEqual(
    basePaths("api.example.com/v1", "localhost:3000/v2", "127.0.0.1/v3", "v4.1/x"),
    ["/v1", "/v2", "/v3", "/v4.1/x"],
  ));

Deno.test("readModel() fills server variables with defaults and every enum value", () =>
  assert.deepEqual(
    basePaths({
      url: "https://{region}.example.com/{version}/{stage}",
      variables: {
        region: { default: "eu", enum: ["eu", "us"] },
        version: { default: "v2", enum: ["v1", "v2"] },
        stage: { default: "" },
      },
    }, { url: "{root}/api", variables: { root: { default: "https://example.com/base" } } }),
    ["/v2", "/v1", "/base/api"],
  ));

Deno.test("readModel() combines the servers of operation, path item and document", () => {
  const { basePaths } = api([{ url: "/doc" }], {
    servers: [{ url: "/item" }],
    get: { servers: [{ url: "/operation" }, { url: "/doc" }] },
    put: {},
  });
  assert.deepEqual(basePaths, ["/doc", "/item", "/operation"]);
});

Deno.test("readModel() reports servers that it cannot use", () => {
  const broken = api([
    null,
    {},
    { url: "https://{host}/x" },
    { url: "/{v}", variables: { v: {} } },
    { url: "http://[" },
    { url: "/fine" },
  ]);
  assert.deepEqual(broken.basePaths, ["/fine"]);
  assert.deepEqual(codes(broken), [
    "wrong_type /servers/0",
    "server_without_url /servers/1",
    "undefined_server_variable /servers/2/url",
    "undefined_server_variable /servers/3/variables/v",
    "invalid_server_url /servers/4/url",
  ]);
  assert.deepEqual(codes(api({ url: "/x" })), ["wrong_type /servers"]);
});

Deno.test("readModel() limits the number of URLs that variables make", () => {
  const values = Array.from({ length: 100 }, (_, index) => `v${index}`);
  const variable = { default: "v0", enum: values };
  const many = api([{ url: "/{a}/{b}", variables: { a: variable, b: variable } }]);
  assert.equal(many.basePaths.length, 100);
  assert.deepEqual(codes(many), ["too_many_server_urls /servers/0"]);
});

Deno.test("readModel() resolves relative server URLs against the URL of the description", async () => {
  const text = JSON.stringify({
    openapi: "3.0.3",
    servers: [{ url: "." }, { url: "../v2" }, { url: "/v3" }],
    paths: { "/a": { get: {} } },
  });
  const set = await loadFromUrl("https://example.com/docs/api/openapi.json", {
    fetch: () => Promise.resolve(new Response(text)),
  });
  assert.deepEqual(readModel(set).basePaths, ["/docs/api", "/docs/v2", "/v3"]);
});
