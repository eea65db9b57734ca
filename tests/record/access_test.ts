import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest, type Identity, type Interaction } from "../../mod.ts";
import type { AccessCell } from "../../src/map/results.ts";
import { shopApi } from "../shop_api.ts";

const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const ok = { responses: { 200: { description: "Fine" }, 201: { description: "Made" } } };
const DESCRIPTION = shopApi({
  "/books": { get: { ...ok, security: [] }, post: { ...ok, tags: ["staff"] } },
  "/loans": { post: ok },
  "/loans/{id}": { get: { ...ok, parameters: [id] }, put: { ...ok, parameters: [id] } },
  "/loans/{loan}/notes": { get: { ...ok, parameters: [{ ...id, name: "loan" }] } },
  "/reports": { "x-covtool-access": ["admin"], get: ok },
  "/exports": { get: { ...ok, "x-covtool-access": { allow: "admin" } } },
  "/scoped": { get: { ...ok, security: [{ oauth: ["read", "write"] }] } },
  "/scoped-or-key": { get: { ...ok, security: [{ key: [] }, { oauth: ["read", "write"] }] } },
  "/signed-in": { get: ok },
}, {
  servers: [{ url: "http://localhost/v1" }],
  security: [{ token: [] }],
  components: {
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      oauth: { type: "oauth2", flows: {} },
      key: { type: "apiKey", in: "header", name: "X-Key" },
    },
  },
});
const IDENTITIES: readonly Identity[] = ["alice", "bob", "admin"].map((name) => ({
  name,
  header: "Authorization",
  value: `${name}-key`,
  ...(name !== "bob" && { scopes: name === "admin" ? ["read", "write"] : ["read"] }),
}));
const ACCESS = [
  { pattern: "tag:staff", allow: ["alice"] },
  { pattern: "POST /**", allow: ["alice", "bob", "admin"] },
  { pattern: "POST /books", allow: ["admin"] },
  { pattern: "/loans/**", allow: ["alice:own", "bob:own", "admin"], refusesWith: [404] },
];

interface Sent {
  readonly by?: string;
  readonly body?: unknown;
  readonly location?: string;
  readonly test?: string;
}

function sent(request: string, status_code: number, more: Sent = {}): Interaction {
  const [method = "", path = ""] = request.split(" ");
  const { by, body, location, test } = more;
  const headers = { accept: "*/*", ...(by !== undefined && { authorization: `Bearer ${by}-key` }) };
  return {
    request: { method, url: `http://localhost/v1${path}`, headers } satisfies HttpRequest,
    response: {
      status_code,
      headers: { "content-type": "application/json", ...(location !== undefined && { location }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    test,
  };
}

function record(traffic: readonly Interaction[], options = {}): CoverageMap {
  const map = CoverageMap.fromDict(DESCRIPTION, {
    identities: IDENTITIES,
    access: ACCESS,
    ...options,
  });
  for (const one of traffic) map.record(one.request, one.response, undefined, one.test, one);
  return map;
}

function findCell(map: CoverageMap, operation: string, identity: string): AccessCell | undefined {
  return map.report().access?.operations
    .find(({ method, path }) => `${method} ${path}` === operation)?.cells
    .find((cell) => cell.identity === identity);
}

/** Access findings in short: `bob GET /loans/{id} read of alice`. */
function found(map: CoverageMap): readonly string[] {
  return map.findings().flatMap((one) => {
    if (one.kind !== "allowed_unexpectedly" && one.kind !== "refused_unexpectedly") return [];
    const { kind, identity, method, path, foreign_object: object, owner } = one;
    const what = object === undefined ? "" : ` ${object} of ${owner}`;
    return [`${kind.split("_")[0]} ${identity} ${method} ${path}${what}`];
  });
}

const LOAN = [
  sent("POST /loans", 201, { by: "alice", body: { id: 7 } }),
  sent("GET /loans/7", 200, { by: "alice" }),
  sent("GET /loans/7", 200, { by: "bob" }),
  sent("GET /loans/7", 200, { by: "admin" }),
];

Deno.test("responses are counted by operation and identity", () => {
  const map = record([
    sent("GET /books", 200),
    sent("GET /books", 302),
    sent("POST /books", 403, { by: "bob" }),
    sent("POST /books", 400, { by: "bob" }),
    sent("POST /books", 401, { by: "mallory" }),
  ]);
  const { access, summary } = map.report();
  const [counts] = [findCell(map, "POST /books", "bob")];
  assert.deepEqual([counts?.allowed, counts?.refused, counts?.other], [0, 1, 1]);
  assert.equal(findCell(map, "GET /books", "anonymous")?.allowed, 2);
  assert.deepEqual(access?.identities, ["anonymous", "alice", "bob", "admin"]);
  assert.deepEqual([access?.unknown, access?.hidden], [1, undefined]);
  assert.equal(summary.access?.measured, true);
  assert.deepEqual(found(map), []);
});

Deno.test("expected access comes from the last matching pattern, then the description, then required scopes", () => {
  const map = record([]);
  const expected = (operation: string) =>
    ["anonymous", "alice", "bob", "admin"].map((name) => {
      const cell = findCell(map, operation, name);
      return `${cell?.expected ?? "–"}${cell?.expected_foreign === undefined ? "" : " own"}`;
    }).join(", ");
  assert.equal(expected("POST /books"), "refused, refused, refused, allowed");
  assert.equal(expected("POST /loans"), "refused, allowed, allowed, allowed");
  assert.equal(expected("GET /loans/{id}"), "refused, allowed own, allowed own, allowed");
  assert.equal(expected("GET /reports"), "refused, refused, refused, allowed");
  assert.equal(expected("GET /exports"), "refused, –, –, –");
  assert.equal(expected("GET /scoped"), "refused, refused, –, allowed");
  assert.equal(expected("GET /scoped-or-key"), "refused, –, –, allowed");
  assert.equal(expected("GET /signed-in"), "refused, –, –, –");
  assert.equal(expected("GET /books"), "allowed, –, –, –");
});

Deno.test("an object belongs to the identity that created it, by the response's body or Location", () => {
  const [, ...asks] = LOAN;
  const creations: readonly (readonly [string, Interaction])[] = [
    ["body", sent("POST /loans", 201, { by: "alice", body: { id: 7 } })],
    ["data", sent("POST /loans", 200, { by: "alice", body: { data: { id: "7" } } })],
    ["list", sent("POST /loans", 200, { by: "alice", body: [{ id: 6 }, { id: 7 }] })],
    ["location", sent("POST /loans", 201, { by: "alice", location: "/v1/loans/7" })],
    ["relative", sent("POST /loans", 201, { by: "alice", location: "loans/7" })],
    ["put", sent("PUT /loans/7", 201, { by: "alice" })],
  ];
  const finding = "allowed bob GET /loans/{id} read of alice";
  for (const [name, creation] of creations) {
    assert.deepEqual(found(record([creation, ...asks])), [finding], name);
    // The order of the traffic makes no difference.
    assert.deepEqual(found(record([...asks, creation])), [finding], name);
  }
  const others: readonly Interaction[] = [
    sent("POST /loans", 400, { by: "alice", body: { id: 7 } }),
    sent("POST /loans", 201, { by: "bob", body: { id: 7 } }),
    // An identity that may see everything often creates objects for others.
    sent("POST /loans", 201, { by: "admin", body: { id: 7 } }),
    sent("POST /loans", 201, { body: { id: 7 } }),
    sent("POST /loans", 201, { by: "alice", body: { id: 8 } }),
  ];
  for (const creation of others) {
    const map = record([creation, ...asks.slice(1)]);
    assert.deepEqual(found(map).filter((one) => one.includes("/loans/{id}")), []);
  }
});

Deno.test("an object belongs to its creator if its id in JSON is a number that JavaScript would round", () => {
  const creation = sent("POST /loans", 201, { by: "alice" });
  const response = { ...creation.response, status_code: 201, body: '{"id":9007199254740993}' };
  const asked = (id: string) =>
    found(record([
      { ...creation, response },
      sent(`GET /loans/${id}`, 200, { by: "bob" }),
    ]));
  assert.deepEqual(asked("9007199254740993"), ["allowed bob GET /loans/{id} read of alice"]);
  assert.deepEqual(asked("9007199254740992"), []);
});

Deno.test("a response's body that the client has parsed names no object, and its response counts", () => {
  const creation = sent("POST /loans", 201, { by: "alice" });
  const response = { ...creation.response, body: { id: 7 } as unknown as string };
  const map = record([{ ...creation, response }]);
  assert.equal(findCell(map, "POST /loans", "alice")?.allowed, 1);
});

Deno.test("paths below an object belong to its owner, and changing an object is a separate finding", () => {
  const map = record([
    sent("POST /loans", 201, { by: "alice", body: { id: 7 } }),
    sent("GET /loans/7/notes", 200, { by: "bob" }),
    sent("PUT /loans/7", 200, { by: "bob" }),
    sent("GET /loans/7", 404, { by: "bob" }),
    sent("GET /loans/7", 403, { by: "alice" }),
  ]);
  assert.deepEqual(found(map), [
    "refused alice GET /loans/{id}",
    "allowed bob PUT /loans/{id} changed of alice",
    "allowed bob GET /loans/{loan}/notes read of alice",
  ]);
  const cell = findCell(map, "GET /loans/{id}", "bob");
  assert.deepEqual([cell?.refused, cell?.foreign_refused], [1, 1]);
});

Deno.test("where ids are reused, an object belongs to the identity that created it in the same test", () => {
  const asked = (test: string) => [
    sent("POST /loans", 201, { by: "alice", body: { id: 1 }, test: "one" }),
    sent("POST /loans", 201, { by: "bob", body: { id: 1 }, test: "two" }),
    sent("GET /loans/1", 200, { by: "bob", test }),
  ];
  assert.deepEqual(found(record(asked("one"))), ["allowed bob GET /loans/{id} read of alice"]);
  assert.deepEqual(found(record(asked("two"))), []);
  assert.deepEqual(found(record(asked("three"))), []);
});

Deno.test("access that should be refused is a finding, and so is refused access that should be allowed", () => {
  const map = record([
    sent("POST /books", 201, { by: "bob" }),
    sent("GET /reports", 200, { by: "alice" }),
    sent("GET /reports", 403, { by: "admin" }),
    sent("GET /scoped", 200, { by: "alice" }),
    sent("GET /scoped", 200, { by: "bob" }),
    sent("GET /signed-in", 403, { by: "bob" }),
    // This is the finding credentials_not_required instead.
    sent("GET /signed-in", 200),
  ]);
  assert.deepEqual(found(map), [
    "allowed bob POST /books",
    "allowed alice GET /reports",
    "refused admin GET /reports",
    "allowed alice GET /scoped",
  ]);
});

Deno.test("percent is the share of expectations that a response settled", () => {
  const only = { access: [{ pattern: "GET /loans/*", allow: ["alice:own", "admin"] }] };
  const scope = { include: ["GET /loans/*"], ...only };
  // Expectations of four identities, and of alice for objects of others, which no request tried.
  const figures = (traffic: readonly Interaction[]) => {
    const { tried, total, percent, measured } = record(traffic, scope).report().summary.access ??
      assert.fail();
    return [tried, total, percent, measured];
  };
  assert.deepEqual(figures(LOAN), [3, 5, 60, true]);
  assert.deepEqual(figures([sent("GET /loans/7", 400, { by: "bob" })]), [0, 5, 0, true]);
  assert.deepEqual(figures([]), [0, 0, null, false]);
});

Deno.test("masked credentials leave an identity unmeasured unless the recording names it", () => {
  const masked = sent("GET /reports", 200, { by: "aaaaa-aaa" });
  const hidden = {
    ...masked,
    request: { ...masked.request, headers: { authorization: "Bearer aaaaa-aaa" } },
  };
  const map = record([hidden, sent("GET /reports", 403, { by: "bob" })]);
  const { access, summary } = map.report();
  assert.equal(access?.hidden, 1);
  assert.deepEqual(access?.not_measured, ["anonymous", "alice", "admin"]);
  assert.ok((summary.access?.not_measured ?? 0) > 0);
  assert.deepEqual(found(map), []);
  assert.deepEqual(record([hidden]).report().summary.access?.measured, false);
  // The name of an identity that was recorded before masking is used.
  const marked = record([{ ...hidden, identity: "alice" }]);
  assert.deepEqual(found(marked), ["allowed alice GET /reports"]);
});

Deno.test("merged hits give the access of the whole, in any order and after the description changed", () => {
  const traffic = [
    ...LOAN,
    sent("GET /reports", 200, { by: "alice" }),
    sent("GET /reports", 401, { by: "mallory" }),
  ];
  const whole = record(traffic);
  for (const order of [[0, 1], [1, 0]]) {
    const merged = record([]);
    const parts = [record(traffic.slice(0, 2)), record(traffic.slice(2))];
    for (const index of order) merged.mergeHits(parts[index]?.exportHits() ?? assert.fail());
    assert.deepEqual(merged.report().access, whole.report().access);
    assert.deepEqual(found(merged), found(whole));
  }
  // A reader of hits need not know the identities; objects are kept as hashes.
  const reader = CoverageMap.fromDict(DESCRIPTION);
  const bytes = whole.exportHits();
  reader.mergeHits(bytes);
  assert.deepEqual(reader.report().access?.identities, ["anonymous", "admin", "alice", "bob"]);
  assert.ok(!new TextDecoder().decode(bytes).includes("-key"));
  const { "/reports": _reports, "/loans/{id}": loan, ...paths } = DESCRIPTION.paths;
  const renamed = { get: { ...ok, parameters: [{ ...id, name: "no" }] } };
  for (const one of [{ "/loans/{id}": loan }, { "/loans/{no}": renamed }]) {
    const description = { ...DESCRIPTION, paths: { ...paths, ...one } };
    const options = { identities: IDENTITIES, access: ACCESS };
    const later = CoverageMap.fromDict(description, options);
    later.mergeHits(bytes, { carry: true });
    const [path] = Object.keys(one);
    assert.deepEqual(found(later), [`allowed bob GET ${path} read of alice`]);
  }
});

Deno.test("hits fit a description whose x-covtool-access was changed", () => {
  const bare: unknown = JSON.parse(
    JSON.stringify(DESCRIPTION, (name, value) => name === "x-covtool-access" ? undefined : value),
  );
  const bytes = CoverageMap.fromDict(bare).exportHits();
  assert.deepEqual(CoverageMap.fromDict(DESCRIPTION).mergeHits(bytes), []);
});

Deno.test("without identities, access is neither reported nor measured", () => {
  const map = CoverageMap.fromDict(DESCRIPTION);
  for (const { request, response } of LOAN) map.record(request, response);
  assert.equal(map.report().access, undefined);
  assert.equal(map.report().summary.access, undefined);
});

Deno.test("access rules that can't be used are refused or reported", () => {
  const make = (access: readonly unknown[]) => () =>
    CoverageMap.fromDict(DESCRIPTION, { identities: IDENTITIES, access: access as typeof ACCESS });
  const source = "covtool.yaml:9";
  assert.throws(
    make([{ pattern: "/books", allow: ["alise"], source }]),
    /^TypeError: covtool\.yaml:9: There is no identity "alise"\. Did you mean alice\?$/,
  );
  assert.throws(make([{ pattern: "response:200", allow: [] }]), /is not about operations/);
  assert.throws(make([{ pattern: "books", allow: [] }]), /is not a pattern/);
  const messages = make([{ pattern: "/book/**", allow: [], source }])().diagnostics()
    .map(({ message }) => message).join("\n");
  assert.match(messages, /"\/book\/\*\*" \(covtool\.yaml:9\) matches no operation/);
  assert.match(messages, /`x-covtool-access` is ignored\. Write a list/);
});
