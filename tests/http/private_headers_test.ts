import assert from "node:assert/strict";
import { isPrivateHeader } from "../../src/http/private_headers.ts";

/** Fields as clients, proxies, load balancers and identity providers send them. */
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

Deno.test("fields that say who sent a request are private, in any case", () => {
  for (const name of PRIVATE) {
    assert.equal(isPrivateHeader(name), true, name);
    assert.equal(isPrivateHeader(name.toLowerCase()), true, name);
  }
});

Deno.test("fields that say how a request was sent aren't private, nor is an empty name", () => {
  for (const name of PUBLIC) assert.equal(isPrivateHeader(name), false, name);
  assert.equal(isPrivateHeader(""), false);
});
