import assert from "node:assert/strict";
import {
  addForwardedHost,
  buildRequestFields,
  fieldRecord,
  fieldValue,
  hasNonAscii,
  isRepeated,
  joinCookies,
  lengthProblem,
  readEndToEnd,
  withField,
  withoutFields,
} from "../../src/proxy/header_fields.ts";
import type { ProxiedRequest } from "../../src/proxy/send_response.ts";
import { parseReverseUpstream, resolveTarget, type Target } from "../../src/proxy/target.ts";

Deno.test("readEndToEnd() drops fields that Connection lists, except those that frame or route the message", () => {
  const raw = [
    "Connection",
    "X-Hop, Host, content-length, content-type",
    "X-Hop",
    "1",
    "Host",
    "h",
  ];
  const framing = ["Content-Length", "3", "Content-Type", "text/plain"];
  const { fields, length } = readEndToEnd([...raw, ...framing]);
  assert.deepEqual(fields, ["Host", "h", ...framing]);
  assert.equal(length, 3);
});

Deno.test("field names are compared case-insensitively", () => {
  const raw = ["HOST", "a", "host", "b", "Accept", "*/*"];
  assert.ok(isRepeated(raw, "host"));
  assert.ok(!isRepeated(raw, "accept"));
  assert.equal(fieldValue(raw, "host"), "a");
  assert.equal(fieldValue(raw, "via"), undefined);
  assert.deepEqual(withoutFields(raw, "host"), ["Accept", "*/*"]);
});

Deno.test("hasNonAscii() is true from U+0080 on", () =>
  assert.deepEqual(["~", "\x7f", "\x80", "é"].map(hasNonAscii), [false, false, true, true]));

Deno.test("lengthProblem() describes an invalid or too large Content-Length", () => {
  const problem = (length: string) => lengthProblem(["content-LENGTH", length]);
  assert.deepEqual(["0", "003", "9007199254740991"].map(problem), [
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(lengthProblem(["Content-Type", "abc"]), undefined);
  for (const length of ["", "abc", "-1", "+1", "1.0", "0x1", "1 1", "1,1", "1e3"]) {
    assert.equal(problem(length), "is not a number of bytes", length);
  }
  for (const length of ["9007199254740992", "18446744073709551616", "9".repeat(400)]) {
    assert.equal(problem(length), "is too large to be counted exactly (2^53 bytes or more)");
  }
});

Deno.test("readEndToEnd() drops only fields about the connection", () => {
  const { fields, isChunked, expectsContinue, length } = readEndToEnd([
    ...[":path", "/", "TE", "gzip, trailers", "Transfer-Encoding", "chunked", "Expect"],
    ...["100-continue", "Proxy-Authorization", "Basic x", "Trailer", "X-Sum"],
  ]);
  assert.deepEqual(fields, ["Expect", "100-continue", "Trailer", "X-Sum", "TE", "trailers"]);
  assert.deepEqual([isChunked, expectsContinue, length], [true, true, undefined]);
});

Deno.test("withField() replaces all fields with a name by one, or adds it at the beginning", () => {
  assert.deepEqual(withField(["A", "1", "host", "x", "Host", "y"], "Host", "z"), [
    ...["A", "1", "host", "z"],
  ]);
  assert.deepEqual(withField(["A", "1"], "Host", "z"), ["Host", "z", "A", "1"]);
});

Deno.test("joinCookies() joins several cookie fields", () =>
  assert.deepEqual(joinCookies(["cookie", "a", "b", "1", "cookie", "c"]), [
    ...["cookie", "a; c", "b", "1"],
  ]));

Deno.test("fieldRecord() lists the values of repeated fields with any name", () => {
  const record = fieldRecord(["__proto__", "1", "A", "1", "A", "2", "A", "3"], "lower_case");
  assert.deepEqual(Object.entries(record), [["__proto__", "1"], ["a", ["1", "2", "3"]]]);
});

function sent(method: string, rawHeaders: string[], target: Target, major = 1): string[] {
  const request = { method, rawHeaders, httpVersionMajor: major } as unknown as ProxiedRequest;
  return buildRequestFields(request, readEndToEnd(rawHeaders), false, target);
}

const target = resolveTarget({ kind: "forward" }, "http://h/") ?? assert.fail();

Deno.test("a request without a body says so only if its method could have one", () => {
  assert.deepEqual(sent("GET", ["Host", "x"], target), ["Host", "h"]);
  assert.deepEqual(sent("POST", ["Host", "x"], target), ["Host", "h", "Content-Length", "0"]);
});

Deno.test("Host of an HTTP/2 request is its :authority, and its cookies are one field", () => {
  const tunnel = resolveTarget(
    { kind: "tunnel", server: { host: "h", port: 443 }, isSecure: true },
    "/",
  ) ?? assert.fail();
  assert.deepEqual(sent("GET", [":authority", "a", "host", "b"], tunnel, 2), ["host", "a"]);
  const cookies = [":authority", "a", "cookie", "x=1", "cookie", "y=2"];
  assert.deepEqual(sent("GET", cookies, tunnel, 2), ["Host", "a", "cookie", "x=1; y=2"]);
});

Deno.test("a reverse proxy adds X-Forwarded-Host unless the client sent it", () => {
  const upstream = parseReverseUpstream("http://server:1");
  const reverse = resolveTarget({ kind: "reverse", upstream }, "/") ?? assert.fail();
  const rawHeaders = ["Host", "client"];
  assert.deepEqual(addForwardedHost(["Host", "server:1"], { rawHeaders }, reverse), [
    ...["Host", "server:1"],
    ...["X-Forwarded-Host", "client"],
  ]);
  const own = ["Host", "server:1", "X-Forwarded-Host", "other"];
  assert.deepEqual(addForwardedHost(own, { rawHeaders }, reverse), own);
});
