import assert from "node:assert/strict";
import { POSTMAN } from "../../../../src/traffic/formats/postman/postman.ts";
import { unresolvedUrl } from "../../../../src/traffic/formats/postman/postman_variables.ts";
import { readAs } from "../../read_all.ts";

Deno.test("unresolvedUrl() takes text that isn't a path for scheme and host", () => {
  const urls: Readonly<Record<string, readonly [origin: string, path: string]>> = {
    "{{baseUrl}}": ["{{baseUrl}}", "/"],
    "{{baseUrl}}/tags": ["{{baseUrl}}", "/tags"],
    "{{baseUrl}}tags/7": ["{{baseUrl}}", "/tags/7"],
    "{{baseUrl}}?q=1": ["{{baseUrl}}", "/?q=1"],
    "{{baseUrl}}{{path}}/7": ["{{baseUrl}}", "/{{path}}/7"],
    "{{proto}}{{host}}/tags": ["{{proto}}{{host}}", "/tags"],
    "{{ Protocol }}{{host}}:81/tags": ["{{ Protocol }}{{host}}:81", "/tags"],
    "{{scheme}}/tags": ["{{scheme}}", "/tags"],
    "{{base/url}}/{{version}}/tags": ["{{base/url}}", "/{{version}}/tags"],
    "{{host}}:8080/tags": ["{{host}}:8080", "/tags"],
    "{{host}}:{{port}}/tags": ["{{host}}:{{port}}", "/tags"],
    "{{tenant}}.example.com/tags": ["{{tenant}}.example.com", "/tags"],
    "{{scheme}}://localhost/tags": ["{{scheme}}://localhost", "/tags"],
    "{{scheme}}://{{host}}/tags": ["{{scheme}}://{{host}}", "/tags"],
    "http://{{host}}/tags?q={{q}}": ["http://{{host}}", "/tags?q={{q}}"],
    "https://api.{{domain}}:81/tags": ["https://api.{{domain}}:81", "/tags"],
    "localhost:{{port}}/tags": ["localhost:{{port}}", "/tags"],
  };
  for (const [url, [origin, path]] of Object.entries(urls)) {
    assert.deepEqual(unresolvedUrl(url), { origin, path }, url);
  }
});

Deno.test("unresolvedUrl() leaves URLs whose host is known", () => {
  for (
    const url of [
      ...["http://localhost/{{version}}/tags", "http://localhost?q={{q}}", "localhost:80/{{a}}"],
      ...["/{{a}}", "", "{{"],
    ]
  ) assert.equal(unresolvedUrl(url), undefined, url);
});

Deno.test("POSTMAN takes an unresolved variable at the beginning of URLs for scheme and host, and warns once", () => {
  const { interactions, warnings } = readAs(POSTMAN, {
    info: {},
    item: [
      { request: "{{baseUrl}}/tags?limit={{limit}}" },
      { request: { url: { host: ["{{baseUrl}}"], path: ["tags", ":id"] } } },
      { request: "{{api}}/tags", variable: [{ key: "api", value: "{{baseUrl}}/v1" }] },
    ],
  }, "tags.json");
  assert.deepEqual(interactions.map(({ request }) => request.url), [
    "/tags?limit={{limit}}",
    "/tags/:id",
    "/v1/tags",
  ]);
  assert.deepEqual(warnings, [
    "tags.json: a URL begins with a variable that has no value, which is read as scheme and host: " +
    "{{baseUrl}}. An environment (`--env`) gives it one (3 times, first at item[0].request).",
    "tags.json: variables have no value in the collection and stay as written: {{limit}}, :id " +
    "(2 times, first at item[0].request).",
  ]);
});

Deno.test("POSTMAN reads a URL of version 1.0 that begins with an unresolved variable", () => {
  const collection = {
    id: "1",
    name: "tags",
    order: ["a"],
    requests: [{ id: "a", method: "GET", url: "{{baseUrl}}/tags" }],
  };
  const { interactions } = readAs(POSTMAN, collection, "tags.json");
  assert.equal(interactions[0]?.request.url, "/tags");
});
