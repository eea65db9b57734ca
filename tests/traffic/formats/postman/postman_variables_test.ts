import assert from "node:assert/strict";
import { POSTMAN } from "../../../../src/traffic/formats/postman/postman.ts";
import {
  postmanDynamicVariable,
  PostmanVariables,
  unresolvedUrl,
} from "../../../../src/traffic/formats/postman/postman_variables.ts";
import { Problems } from "../../../../src/traffic/formats/recording.ts";
import { readAs } from "../../read_all.ts";

function warnings(variables: PostmanVariables): readonly string[] {
  const problems = new Problems("c.json");
  variables.report(problems);
  return problems.sentences();
}

Deno.test("PostmanVariables resolves variables in values, and stops at cycles", () => {
  const variables = new PostmanVariables().extend([
    { key: "a", value: "{{b}}{{b}}" },
    { key: "b", value: "1" },
    { key: "x", value: "{{y}}" },
    { key: "y", value: "{{x}}" },
    { key: "part", value: "b" },
  ]);
  assert.equal(variables.resolve("{{a}} {{ b }} {{{{part}}}}", "p"), "11 1 1");
  assert.match(variables.resolve("{{x}}", "p"), /^\{\{[xy]\}\}$/);
});

Deno.test("PostmanVariables keeps variables that would multiply in a cycle", () => {
  const variables = new PostmanVariables({ environment: { a: "{{b}}", b: "{{a}}{{a}}" } });
  assert.equal(variables.resolve("{{a}}/tags", "p"), "{{a}}{{a}}/tags");
  assert.match(warnings(variables).join(), /\{\{a\}\}/);
});

Deno.test("PostmanVariables limits how far variables expand", () => {
  const list = Array.from({ length: 19 }, (_, index) => ({
    key: `v${index}`,
    value: `{{v${index + 1}}}`.repeat(8),
  }));
  const text = new PostmanVariables().extend(list).resolve("{{v0}}", "p");
  assert.ok(text.length < 1 << 25);
});

Deno.test("PostmanVariables keeps empty values, and treats null as missing", () => {
  const variables = new PostmanVariables().extend([
    { key: "empty", value: "" },
    { key: "none", value: null },
    { key: "list", value: [1] },
  ]);
  assert.equal(variables.resolve("[{{empty}}] {{none}} {{list}}", "p"), "[] {{none}} [1]");
});

Deno.test("PostmanVariables gives each dynamic identifier its own reproducible value", () => {
  const texts = [1, 2].map(() =>
    new PostmanVariables().resolve("{{$guid}} {{$randomUUID}} {{$timestamp}}", "p")
  );
  assert.equal(
    texts[0],
    "7f3d9a52-6c1e-4b08-9a4d-000000000001 7f3d9a52-6c1e-4b08-9a4d-000000000002 1767268800",
  );
  assert.equal(texts[0], texts[1]);
});

Deno.test("postmanDynamicVariable() returns values of the right kind", () => {
  const value = (name: string, occurrence = 1) => postmanDynamicVariable(name, occurrence) ?? "";
  assert.equal(value("$isoTimestamp"), "2026-01-01T12:00:00.000Z");
  assert.equal(value("$timestamp"), String(Date.parse(value("$isoTimestamp")) / 1000));
  for (const occurrence of [1, 2, 27, 28, 1000]) {
    assert.match(value("$randomInt", occurrence), /^(?:\d{1,3}|1000)$/);
    assert.match(value("$randomAlphaNumeric", occurrence), /^[a-z\d]$/);
    assert.match(value("$randomBoolean", occurrence), /^(?:true|false)$/);
    assert.match(
      value("$guid", occurrence),
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  }
  assert.ok(URL.canParse(value("$randomUrl")));
  assert.match(value("$randomEmail"), /^[^@]+@example\.com$/);
  assert.match(value("$randomFileExt"), /^[a-z]+$/);
  assert.equal(postmanDynamicVariable("$toString", 1), undefined);
  assert.equal(postmanDynamicVariable("toString", 1), undefined);
});

Deno.test("PostmanVariables lists variables without a value in one warning", () => {
  const variables = new PostmanVariables();
  assert.deepEqual(warnings(variables), []);
  variables.resolve("{{a}} {{}}", "item[0]");
  assert.deepEqual(warnings(variables), [
    "c.json: the variable has no value in the collection and stays as written: {{a}} (at item[0]).",
  ]);
  const text = Array.from({ length: 14 }, (_, index) => `{{v${index}}}`).join("");
  variables.extend([{ key: "b", value: "1" }]).resolve(`${text}{{$unknown}}{{a}}`, "item[1]");
  assert.deepEqual(warnings(variables), [
    "c.json: variables have no value in the collection and stay as written: {{a}}, {{v0}}, " +
    "{{v1}}, {{v2}}, {{v3}}, {{v4}}, {{v5}}, {{v6}}, {{v7}}, {{v8}}, {{v9}}, {{v10}} and 4 more " +
    "(17 times, first at item[0]).",
  ]);
});

Deno.test("unresolvedUrl() reads leading text that isn't a path as scheme and host", () => {
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

Deno.test("unresolvedUrl() ignores URLs whose host is known", () => {
  for (
    const url of [
      ...["http://localhost/{{version}}/tags", "http://localhost?q={{q}}", "localhost:80/{{a}}"],
      ...["/{{a}}", "", "{{"],
    ]
  ) assert.equal(unresolvedUrl(url), undefined, url);
});

Deno.test("POSTMAN reads a leading unresolved variable as scheme and host, and warns once", () => {
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

Deno.test("POSTMAN reads a path alone after a variable that is a slash, as of descriptions without servers", () => {
  const { interactions, warnings } = readAs(POSTMAN, {
    info: {},
    variable: [{ key: "baseUrl", value: "/" }, { key: "host", value: "//example.com" }],
    item: ["{{baseUrl}}/tags", "{{baseUrl}}tags", "{{host}}/tags"].map((request) => ({ request })),
  });
  const urls = interactions.map(({ request }) => request.url);
  assert.deepEqual(urls, ["/tags", "/tags", "//example.com/tags"]);
  assert.deepEqual(warnings, []);
});

Deno.test("POSTMAN reads a version 1.0 URL that begins with an unresolved variable", () => {
  const requests = [{ id: "a", method: "GET", url: "{{baseUrl}}/tags" }];
  const collection = { id: "1", name: "tags", order: ["a"], requests };
  const { interactions } = readAs(POSTMAN, collection, "tags.json");
  assert.equal(interactions[0]?.request.url, "/tags");
});
