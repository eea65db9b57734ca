import assert from "node:assert/strict";
import { FULL_VISIBILITY } from "../../src/http/visibility.ts";
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import { shopApi } from "../shop_api.ts";

const answer = {
  responses: { 200: { description: "Fine" }, 401: { description: "Unauthorized" } },
};

const DESCRIPTION = shopApi({
  "/orders": { get: answer, options: answer },
  "/health": { get: { ...answer, security: [] } },
  "/optional": { get: { ...answer, security: [{ token: [] }, {}] } },
  "/either": { get: { ...answer, security: [{ token: [] }, { key: [] }] } },
  "/both": { get: { ...answer, security: [{ basic: [], key: [] }] } },
  "/query": { get: { ...answer, security: [{ query: [] }] } },
  "/session": { get: { ...answer, security: [{ session: [] }] } },
  "/oauth": { get: { ...answer, security: [{ oauth: ["read"] }] } },
  "/certificate": { get: { ...answer, security: [{ mutual: [] }] } },
  "/certificate-or": { get: { ...answer, security: [{ mutual: [] }, { token: [] }] } },
  "/unknown": { get: { ...answer, security: [{ missing: [] }] } },
  "/raw": { get: { ...answer, security: [{ raw: [] }] } },
}, {
  security: [{ token: [] }],
  components: {
    securitySchemes: {
      token: { type: "http", scheme: "Bearer" },
      basic: { type: "http", scheme: "basic" },
      key: { type: "apiKey", in: "header", name: "X-Api-Key" },
      query: { type: "apiKey", in: "query", name: "api_key" },
      session: { type: "apiKey", in: "cookie", name: "sid" },
      oauth: { type: "oauth2", flows: {} },
      mutual: { type: "mutualTLS" },
      raw: { type: "apiKey", in: "header", name: "Authorization" },
    },
  },
});

type Headers = Readonly<Record<string, string>>;

/** Counts of `GET path`: succeeded with credentials, refused without, succeeded without, unknown. */
function counts(map: CoverageMap, path: string): readonly number[] | undefined {
  const own = map.report().operations.find((one) => one.path === path && one.method === "GET");
  const { credentials } = own ?? {};
  return credentials && [
    credentials.with_credentials_succeeded,
    credentials.without_credentials_refused,
    credentials.without_credentials_succeeded,
    credentials.without_credentials_unknown,
  ];
}

function request(url: string, headers: Headers = {}): HttpRequest {
  return { method: "GET", url, headers: { host: "localhost", ...headers } };
}

function record(
  ...requests: readonly (readonly [url: string, headers: Headers, status: number])[]
): CoverageMap {
  const map = CoverageMap.fromDict(DESCRIPTION);
  requests.forEach(([url, headers, status_code], index) =>
    map.record(request(url, headers), { status_code }, 100 + index)
  );
  return map;
}

const TOKEN = { authorization: "Bearer abc" };

Deno.test("a 2xx response to a request without credentials is a finding", () => {
  const map = record(
    ["/orders", {}, 204],
    ["/orders", {}, 200],
    ["/orders", {}, 401],
    ["/orders", {}, 300],
    ["/orders", {}, 302],
    ["/orders", {}, 500],
    ["/orders", TOKEN, 200],
    ["/orders", TOKEN, 301],
    ["/orders", TOKEN, 401],
  );
  assert.deepEqual(counts(map, "/orders"), [2, 1, 2, 0]);
  assert.deepEqual(map.findings().filter(({ kind }) => kind === "credentials_not_required"), [{
    kind: "credentials_not_required",
    method: "GET",
    path: "/orders",
    count: 2,
    first_at: 100,
    example: { status_code: 200, request: { method: "GET", url: "/orders" } },
  }]);
});

Deno.test("a recording without any credentials proves nothing", () => {
  const map = record(["/orders", {}, 200], ["/orders", {}, 401]);
  assert.deepEqual(counts(map, "/orders"), [0, 0, 0, 2]);
  assert.deepEqual(map.findings().map(({ kind }) => kind), []);
});

Deno.test("credentials in other operations show that a recording has them, in any order", () => {
  for (const late of [false, true]) {
    const requests = [["/orders", {}, 200], ["/oauth", TOKEN, 401]] as const;
    const map = record(...(late ? requests : requests.toReversed()));
    assert.deepEqual(counts(map, "/orders"), [0, 0, 1, 0]);
  }
});

Deno.test("operations that need no credentials or unknown ones have no counts", () => {
  const paths = ["/health", "/optional", "/certificate", "/unknown"];
  const map = record(["/orders", TOKEN, 200], ...paths.map((path) => [path, {}, 200] as const));
  for (const path of paths) assert.equal(counts(map, path), undefined, path);
  assert.deepEqual(map.findings(), []);
  assert.equal(counts(map, "/either"), undefined, "never called");
});

Deno.test("a request uses a security scheme if its header, parameter or cookie is there", () => {
  const shown: readonly (readonly [url: string, headers: Headers])[] = [
    ["/orders", { Authorization: "bearer abc" }],
    ["/oauth", TOKEN],
    ["/raw", { authorization: "anything at all" }],
    ["/query?api_key=1", {}],
    ["/session", { cookie: "theme=dark; sid=1" }],
    ["/both", { authorization: "Basic YTpi", "x-api-key": "1" }],
    ["/either", { "X-API-KEY": "1" }],
    ["/certificate-or", TOKEN],
  ];
  for (const [url, headers] of shown) {
    const map = record([url, headers, 200]);
    assert.deepEqual(counts(map, url.replace(/\?.*/, "")), [1, 0, 0, 0], url);
  }
});

Deno.test("a scheme without a credential counts neither as with nor as without credentials", () => {
  for (const authorization of ["Bearer", "Bearer ", "bearer", "Basic", "Basic "]) {
    for (const status of [200, 401]) {
      const map = record(["/orders", { authorization }, status], ["/oauth", TOKEN, 200]);
      assert.deepEqual(counts(map, "/orders"), [0, 0, 0, 0], `${authorization}: ${status}`);
    }
  }
});

Deno.test("placeholders and masked values count as credentials", () => {
  const shown: readonly (readonly [url: string, headers: Headers])[] = [
    ["/orders", { authorization: "[redacted]" }],
    ["/orders", { authorization: "<AUTH>" }],
    ["/orders", { authorization: "Bearer a1aa1a" }],
    ["/orders", { authorization: "Bearer [Filtered]" }],
    ["/both", { authorization: "REDACTED", "x-api-key": "[Filtered]" }],
    ["/query?api_key=%5BFiltered%5D", {}],
    ["/session", { cookie: "[Filtered]" }],
    ["/session", { cookie: "sid=[Filtered]" }],
  ];
  for (const [url, headers] of shown) {
    const map = record([url, headers, 200]);
    assert.deepEqual(counts(map, url.replace(/\?.*/, "")), [1, 0, 0, 0], JSON.stringify(headers));
  }
});

Deno.test("requests with part of the credentials, or with other ones, count neither way", () => {
  const TELLING = [["/orders", TOKEN, 401], ["/both", {
    authorization: "Basic YTpi",
    "x-api-key": "1",
  }, 401]] as const;
  const map = record(
    ...TELLING,
    ["/both", { "x-api-key": "1" }, 200],
    ["/orders", { authorization: "Basic YTpi" }, 200],
    ["/orders?access_token=abc", {}, 200],
    ["http://ann:secret@localhost/orders", {}, 200],
  );
  assert.deepEqual(counts(map, "/both"), [0, 0, 0, 0]);
  assert.deepEqual(counts(map, "/orders"), [0, 0, 0, 0]);
});

Deno.test("a request of a test that bypasses authentication isn't one without credentials", () => {
  const map = record(["/orders", TOKEN, 200], ["/orders", { "covtool-identity": "anna" }, 200]);
  const tag = (identity: string | readonly string[] | undefined) =>
    map.record(request("/orders"), { status_code: 200 }, undefined, undefined, { identity });
  tag("anna");
  tag(["anna", "admins"]);
  assert.deepEqual(counts(map, "/orders"), [1, 0, 0, 0]);
  tag("anonymous");
  tag(undefined);
  assert.deepEqual(counts(map, "/orders"), [1, 0, 2, 0]);
});

Deno.test("empty credentials count as none", () => {
  const map = record(
    ["/orders", TOKEN, 200],
    ["/orders", { authorization: " " }, 200],
    ["/query?api_key=1", {}, 200],
    ["/query?api_key=", {}, 200],
    ["/session", { cookie: "sid=1" }, 200],
    ["/session", { cookie: "sid=" }, 200],
  );
  for (const path of ["/orders", "/query", "/session"]) {
    assert.deepEqual(counts(map, path), [1, 0, 1, 0], path);
  }
});

Deno.test("a source that can't show the credentials' field proves nothing, whatever others show", () => {
  const map = record(["/orders", TOKEN, 200], ["/query?api_key=1", {}, 200]);
  const visibility = { ...FULL_VISIBILITY, request_headers: ["user-agent"] };
  for (const url of ["/orders", "/query"]) {
    map.record(request(url), { status_code: 200 }, 100, undefined, { visibility });
  }
  assert.deepEqual(counts(map, "/orders"), [1, 0, 0, 1]);
  assert.deepEqual(counts(map, "/query"), [1, 0, 1, 0]);
});

Deno.test("every alternative needs a place for credentials that the recording shows", () => {
  const half = record(["/orders", TOKEN, 200], ["/either", {}, 200]);
  assert.deepEqual(counts(half, "/either"), [0, 0, 0, 1]);
  const whole = record(
    ["/orders", TOKEN, 200],
    ["/either", { "x-api-key": "1" }, 200],
    ["/either", {}, 200],
  );
  assert.deepEqual(counts(whole, "/either"), [1, 0, 1, 0]);
});

Deno.test("CORS preflights are not expected to have credentials", () => {
  const map = record(["/orders", TOKEN, 200]);
  const headers = { origin: "http://shop", "access-control-request-method": "GET" };
  for (const method of ["OPTIONS", "options"]) {
    map.record({ method, url: "/orders", headers }, { status_code: 204 });
  }
  assert.deepEqual(map.findings().map(({ kind }) => kind), ["undocumented_status"]);
  map.record({ method: "OPTIONS", url: "/orders", headers: { origin: "http://shop" } }, {
    status_code: 200,
  });
  assert.ok(map.findings().some(({ kind }) => kind === "credentials_not_required"));
});

Deno.test("Swagger 2.0 has basic, apiKey and oauth2, for the document or an operation", () => {
  const map = CoverageMap.fromDict({
    swagger: "2.0",
    info: { title: "Shop", version: "1" },
    security: [{ basic: [] }],
    securityDefinitions: {
      basic: { type: "basic" },
      key: { type: "apiKey", in: "query", name: "key" },
    },
    paths: { "/a": { get: answer }, "/b": { get: { ...answer, security: [{ key: [] }] } } },
  });
  map.record(request("/a", { authorization: "Basic YTpi" }), { status_code: 200 });
  map.record(request("/a"), { status_code: 200 });
  map.record(request("/b"), { status_code: 200 });
  map.record(request("/b?key=1"), { status_code: 200 });
  assert.deepEqual(counts(map, "/a"), [1, 0, 1, 0]);
  assert.deepEqual(counts(map, "/b"), [1, 0, 1, 0]);
});

/** Makes a HAR of requests. */
function har(...requests: readonly (readonly [url: string, headers: Headers, status: number])[]) {
  const entries = requests.map(([url, headers, status]) => ({
    startedDateTime: "2026-01-31T12:00:00Z",
    time: 1,
    request: {
      method: "GET",
      url: `http://localhost${url}`,
      headers: Object.entries({ host: "localhost", ...headers }).map(([name, value]) => ({
        name,
        value,
      })),
      queryString: [],
    },
    response: { status, headers: [], content: {} },
  }));
  return { log: { version: "1.2", creator: { name: "test", version: "1" }, entries } };
}

Deno.test("credentials in one recording prove nothing about another", () => {
  const map = CoverageMap.fromDict(DESCRIPTION);
  map.archive.recordFromDict(har(["/orders", TOKEN, 200]));
  map.archive.recordFromDict(har(["/orders", {}, 200]));
  map.record(request("/orders"), { status_code: 200 });
  assert.deepEqual(counts(map, "/orders"), [1, 0, 0, 2]);
  map.archive.recordFromDict(har(["/orders", TOKEN, 200], ["/orders", {}, 200]));
  assert.deepEqual(counts(map, "/orders"), [2, 0, 1, 2]);
});

Deno.test("a request that was recorded without header fields may have had credentials", () => {
  const map = record(["/orders", TOKEN, 200], ["/query?api_key=1", {}, 200]);
  for (const headers of [{}, undefined]) {
    map.record({ method: "GET", url: "/orders", headers }, { status_code: 200 });
    map.record({ method: "GET", url: "/query", headers }, { status_code: 200 });
  }
  assert.deepEqual(counts(map, "/orders"), [1, 0, 0, 2]);
  assert.deepEqual(counts(map, "/query"), [1, 0, 2, 0], "its query shows that it had none");
});

Deno.test("credentials in a request without a response show that the recording has them", () => {
  const map = record(["/orders", {}, 200]);
  map.record(request("/orders", TOKEN));
  map.record(request("/orders", TOKEN), undefined, undefined, undefined, { count: 2 });
  assert.deepEqual(counts(map, "/orders"), [0, 0, 1, 0]);
});

Deno.test("carried hits keep counts of credentials where the operation needs the same ones", () => {
  const map = record(["/orders", TOKEN, 200], ["/orders", {}, 200], ["/oauth", {}, 200]);
  map.archive.recordFromDict(har(["/oauth", TOKEN, 200], ["/oauth", {}, 200]));
  const changed = CoverageMap.fromDict({
    ...DESCRIPTION,
    paths: { ...DESCRIPTION.paths, "/oauth": { get: { ...answer, security: [{ key: [] }] } } },
  });
  changed.mergeHits(map.exportHits(), { carry: true });
  assert.deepEqual(counts(changed, "/orders"), [1, 0, 1, 0]);
  assert.deepEqual(counts(changed, "/oauth"), [0, 0, 0, 0]);
  const { operations, credentials } = JSON.parse(new TextDecoder().decode(changed.exportHits()));
  const named = (name: string) => name === "GET /oauth";
  const oauth = operations.find(({ operation }: { operation: string }) => named(operation));
  assert.equal(oauth.evidence, undefined);
  const pending = credentials.flatMap((one: { pending?: [string][] }) => one.pending ?? []);
  assert.deepEqual(pending.filter(([name]: [string]) => named(name)), []);
});

Deno.test("credential values are never kept", () => {
  const secret = "Lovelace1815";
  const map = record(
    ["/orders", { authorization: `Bearer ${secret}` }, 200],
    ["/both", { authorization: `Basic ${secret}`, "x-api-key": secret }, 200],
    [`/query?api_key=${secret}`, {}, 200],
    ["/session", { cookie: `sid=${secret}` }, 200],
    ["/orders", {}, 200],
  );
  assert.ok(!new TextDecoder().decode(map.exportHits()).includes(secret));
  for (const format of ["json", "html"] as const) {
    assert.ok(!map.generateReport({ format }).includes(secret));
  }
});
