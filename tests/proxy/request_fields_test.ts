import assert from "node:assert/strict";
import { endToEnd } from "../../src/proxy/header_fields.ts";
import type { ProxiedRequest } from "../../src/proxy/proxied_message.ts";
import { forwardedFields, requestFields } from "../../src/proxy/request_fields.ts";
import { parseReverseUpstream, type Target, targetOf } from "../../src/proxy/target.ts";

function sent(method: string, rawHeaders: string[], target: Target, major = 1): string[] {
  const request = { method, rawHeaders, httpVersionMajor: major } as unknown as ProxiedRequest;
  return requestFields(request, endToEnd(rawHeaders), false, target);
}

const target = targetOf({ kind: "forward" }, "http://h/") ?? assert.fail();

Deno.test("a request without a body says so only if its method could have one", () => {
  assert.deepEqual(sent("GET", ["Host", "x"], target), ["Host", "h"]);
  assert.deepEqual(sent("POST", ["Host", "x"], target), ["Host", "h", "Content-Length", "0"]);
});

Deno.test("Host of an HTTP/2 request is its :authority", () => {
  const tunnel = targetOf(
    { kind: "tunnel", server: { host: "h", port: 443 }, isSecure: true },
    "/",
  ) ?? assert.fail();
  assert.deepEqual(sent("GET", [":authority", "a", "host", "b"], tunnel, 2), ["host", "a"]);
});

Deno.test("a reverse proxy adds X-Forwarded-Host unless the client sent it", () => {
  const upstream = parseReverseUpstream("http://server:1");
  const reverse = targetOf({ kind: "reverse", upstream }, "/") ?? assert.fail();
  const rawHeaders = ["Host", "client"];
  assert.deepEqual(forwardedFields(["Host", "server:1"], { rawHeaders }, reverse), [
    ...["Host", "server:1"],
    ...["X-Forwarded-Host", "client"],
  ]);
  const own = ["Host", "server:1", "X-Forwarded-Host", "other"];
  assert.deepEqual(forwardedFields(own, { rawHeaders }, reverse), own);
});
