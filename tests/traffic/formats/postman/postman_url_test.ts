import assert from "node:assert/strict";
import {
  postmanUrlTemplate,
  resolvePostmanUrl,
  withQueryParameter,
} from "../../../../src/traffic/formats/postman/postman_url.ts";

function resolve(template: string, pathVariables: Record<string, string> = {}): unknown {
  const unresolved: string[] = [];
  const withValues = (text: string) => text.replaceAll("{{base}}", "http://localhost:81/v1");
  const url = resolvePostmanUrl(template, {
    resolve: withValues,
    resolveUrl: withValues,
    pathVariables: new Map(Object.entries(pathVariables)),
    onUnresolved: (written) => unresolved.push(written),
  });
  return unresolved.length === 0 ? url : [url, ...unresolved];
}

Deno.test("postmanUrlTemplate() builds a URL from its parts", () => {
  const url = {
    raw: "not used",
    protocol: "https",
    host: ["api", "example", "com"],
    port: "8443",
    path: ["a", { type: "string", value: "b" }, "c d"],
  };
  assert.equal(postmanUrlTemplate(url), "https://api.example.com:8443/a/b/c d");
  assert.equal(postmanUrlTemplate({ host: "example.com", path: "/a/b" }), "example.com/a/b");
  assert.equal(postmanUrlTemplate({ host: ["{{base}}"] }), "{{base}}");
});

Deno.test("postmanUrlTemplate() uses the raw URL if there are no parts", () => {
  assert.equal(postmanUrlTemplate("http://localhost/a?b"), "http://localhost/a?b");
  assert.equal(postmanUrlTemplate({ raw: "http://localhost/a?b" }), "http://localhost/a?b");
  const query = [{ key: "c", value: "1" }, { key: "d", value: "2", disabled: true }];
  assert.equal(
    postmanUrlTemplate({ raw: "http://localhost/a?b", query }),
    "http://localhost/a?c=1",
  );
  assert.equal(postmanUrlTemplate({}), undefined);
  assert.equal(postmanUrlTemplate(null), undefined);
});

Deno.test("postmanUrlTemplate() escapes delimiters in parameters, but nothing in variables", () => {
  const query = [
    { key: "a=b", value: "c=d&e#f" },
    { key: "{{n=1}}", value: "{{v&1}}&" },
    { key: "n", value: null },
    { key: "e", value: "" },
    { key: null, value: 1 },
    "x=1",
  ];
  assert.equal(
    postmanUrlTemplate({ host: ["h"], path: [], query }),
    "h/?a%3Db=c=d%26e%23f&{{n=1}}={{v&1}}%26&n&e=&=1&x=1",
  );
});

Deno.test("resolvePostmanUrl() escapes characters that aren't allowed in URLs, and keeps escapes", () => {
  assert.equal(
    resolve("{{base}}/a b/é%20<x>?q=a b&r=\"é\"&s='%41'&t={x}#part"),
    "http://localhost:81/v1/a%20b/%C3%A9%20%3Cx%3E?q=a%20b&r=%22%C3%A9%22&s=%27%41%27&t={x}",
  );
  assert.equal(resolve("{{base}}/{x}"), "http://localhost:81/v1/%7Bx%7D");
});

Deno.test("resolvePostmanUrl() keeps variables without a value", () => {
  assert.equal(resolve("{{base}}/{{a b}}/?q={{c d}}"), "http://localhost:81/v1/{{a b}}/?q={{c d}}");
  assert.equal(resolve("{{host}}/a"), "{{host}}/a");
});

Deno.test("resolvePostmanUrl() fills in path variables, also before a dot", () => {
  const variables = { id: "7", file: "a/b?", base: "{{base}}" };
  assert.equal(
    resolve("http://localhost:80/:id/:id.json/x:id/:file", variables),
    "http://localhost:80/7/7.json/x:id/a/b%3F",
  );
  assert.deepEqual(resolve("http://localhost/:id/:", { id: "" }), [
    "http://localhost/:id/:",
    ":id",
  ]);
});

Deno.test("resolvePostmanUrl() uses http if there is no scheme", () => {
  assert.equal(resolve("localhost:80/a"), "http://localhost:80/a");
  assert.equal(resolve(" HTTPS://localhost "), "HTTPS://localhost");
  assert.equal(resolve("/a?b"), "/a?b");
});

Deno.test("withQueryParameter() replaces all parameters of the same name", () => {
  assert.equal(withQueryParameter("http://h/?a=1&k=2&k", "k", "3"), "http://h/?a=1&k=3");
  assert.equal(withQueryParameter("http://h/", "a b", "c&d"), "http://h/?a%20b=c%26d");
});
