import {
  isPrivateHeader,
  PUBLIC_HEADERS,
  showsHeader,
  uniteHeaders,
  type VisibleHeaders,
} from "../../src/http/visibility.ts";
import assert from "node:assert/strict";
import fc from "fast-check";

/** Header fields of clients, proxies, load balancers and identity providers. */
const PRIVATE = `
  Authorization Proxy-Authorization Cookie Cookie2 Set-Cookie Set-Cookie2
  Referer Referrer From Forwarded Via
  X-Forwarded X-Forwarded-For X-Forwarded-User X-Forwarded-Email X-Original-Forwarded-For
  X-Real-IP X-Client-IP X-Client-Cert X-Cluster-Client-IP Client-IP True-Client-IP
  CF-Connecting-IP CF-Connecting-IPv6 CF-Pseudo-IPv4 CF-Visitor CF-Ray CF-IPCountry
  Fastly-Client-IP X-Envoy-External-Address X-Azure-ClientIP X-Azure-SocketIP
  X-Remote-User Remote-User X-Consumer-ID X-Credential-Identifier X-Authenticated-UserID
  X-Auth-Request-Email X-User X-User-ID X-MS-Client-Principal X-MS-Client-Principal-Name
  X-Amzn-OIDC-Identity X-Goog-Authenticated-User-Email
`.trim().split(/\s+/);

const PUBLIC = `
  Accept Content-Type Content-Length Host User-Agent X-Request-ID ETag Location
  X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Host X-Forwarded-Path X-Forwarded-Prefix
  Viable Fromage X-Real-IPs My-Cookie X-Api-Version
`.trim().split(/\s+/);

Deno.test("header fields about the sender of a request are private, in any case", () => {
  for (const name of PRIVATE) {
    assert.equal(isPrivateHeader(name), true, name);
    assert.equal(isPrivateHeader(name.toLowerCase()), true, name);
  }
});

Deno.test("header fields about the message aren't private, and neither is an empty name", () => {
  for (const name of PUBLIC) assert.equal(isPrivateHeader(name), false, name);
  assert.equal(isPrivateHeader(""), false);
});

const NAMES = ["a", "b", "x-user", "x-user-id", "x-user-name", "cookie", "x-forwarded-proto"];

const names = fc.subarray(NAMES);
const patterns = fc.subarray(["a", "x-*", "x-user*", "x-user-*", "x-user-id", "cookie", "*"]);
const headers: fc.Arbitrary<VisibleHeaders> = fc.oneof(
  fc.constantFrom<VisibleHeaders>("all", "none", "public"),
  names,
  fc.record({ all_but: patterns, and: names }),
);

Deno.test("eitherHeaders() shows a header if one of two sources shows it", () => {
  fc.assert(fc.property(headers, headers, (one, other) => {
    const expected = NAMES.filter((name) => showsHeader(one, name) || showsHeader(other, name));
    const shown = uniteHeaders(one, other);
    assert.deepEqual(NAMES.filter((name) => showsHeader(shown, name)), expected);
  }));
});

Deno.test("eitherHeaders() gives equal results in any order and grouping of sources", () => {
  fc.assert(fc.property(fc.array(headers, { minLength: 1, maxLength: 5 }), (sources) => {
    const inOrder = sources.reduce(uniteHeaders, "none");
    assert.deepEqual(sources.toReversed().reduce(uniteHeaders, "none"), inOrder);
    const [first = "none", ...rest] = sources;
    assert.deepEqual(uniteHeaders(first, rest.reduce(uniteHeaders, "none")), inOrder);
    assert.deepEqual(uniteHeaders(inOrder, inOrder), inOrder);
  }));
});

Deno.test("eitherHeaders() compares names in lowercase", () =>
  assert.deepEqual(uniteHeaders({ all_but: ["Cookie", "VIA"] }, ["cookie"]), {
    all_but: ["via"],
  }));

Deno.test("header fields that aren't kept of logs are those that logs can't show", () => {
  const { all_but, and } = PUBLIC_HEADERS;
  for (const pattern of all_but) {
    const name = pattern.replace("*", "-for");
    assert.ok(isPrivateHeader(name) && isPrivateHeader(name.toUpperCase()), name);
    assert.equal(showsHeader("public", name), false, name);
  }
  for (const name of [...and, "accept", "x-tenant", "x-api-key", "fromage"]) {
    assert.equal(isPrivateHeader(name), false, name);
    assert.equal(showsHeader("public", name), true, name);
  }
});
