import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import {
  buildHttp2Fields,
  buildResponseHead,
  buildTrailerFields,
  ResponseEndFinder,
  statusProblem,
} from "../../src/proxy/upstream_response.ts";

Deno.test("statusProblem() describes a status that the client's version of HTTP doesn't have", () => {
  assert.equal(statusProblem(200, true), undefined);
  assert.equal(statusProblem(999, false), undefined);
  assert.match(statusProblem(600, true) ?? "", /600.*HTTP\/2/);
  assert.match(statusProblem(99, false) ?? "", /099.*HTTP$/);
  assert.match(statusProblem(101, false) ?? "", /switches protocols/);
});

Deno.test("buildHttp2Fields() joins fields that are allowed only once, and keeps lists of others", () =>
  assert.deepEqual({
    ...buildHttp2Fields([
      ...["Date", "a", "date", "b", "ETag", "x", "ETag", "x", "Set-Cookie", "1", "Set-Cookie", "2"],
    ]),
  }, { date: "a, b", etag: "x", "set-cookie": ["1", "2"] }));

Deno.test("buildTrailerFields() leaves out fields that frame or route a message", () =>
  assert.deepEqual(buildTrailerFields(["X-Sum", "1", "Host", "h", "Content-Length", "3"]), [
    "X-Sum",
    "1",
  ]));

Deno.test("buildResponseHead() gives no length for HEAD, and announces trailers only with chunks", () => {
  const answer = {
    rawHeaders: ["Content-Length", "3", "Trailer", "X-Sum"],
    statusMessage: "A\x1bB",
  } as unknown as IncomingMessage;
  const to = { isHttp2: false, supportsChunks: true, method: "GET" };
  const head = buildResponseHead(answer, 200, to);
  assert.deepEqual(head.fields, ["Content-Length", "3"]);
  assert.equal(head.reason, "A B");
  assert.equal(head.length, 3);
  assert.equal(buildResponseHead(answer, 200, { ...to, method: "HEAD" }).length, undefined);
});

Deno.test("buildResponseHead() gives HTTP/2 clients no length of a missing body", () => {
  const answer = { rawHeaders: ["ETag", "x", "Content-Length", "3"] } as unknown as IncomingMessage;
  for (const status of [204, 205, 304]) {
    const to = { isHttp2: true, supportsChunks: true, method: "GET" };
    assert.deepEqual(buildResponseHead(answer, status, to).fields, ["ETag", "x"]);
  }
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes of a text that belong to the first response, given at once and one by one. */
function lengths(method: string, text: string): number[] {
  const whole = new ResponseEndFinder(method).add(bytes(text));
  const pieces = new ResponseEndFinder(method);
  let count = 0;
  for (const byte of bytes(text)) count += pieces.add(Uint8Array.of(byte));
  return [whole, count];
}

Deno.test("UpstreamResponseEnd finds the end of a response by its length, chunks, method and status", () => {
  const next = "HTTP/1.1 200 OK\r\n";
  for (
    const [method, response] of [
      ["GET", "HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno"],
      [
        "GET",
        "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n2;x=1\r\nno\r\n0\r\nT: 1\r\n\r\n",
      ],
      ["HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"],
      ["GET", "HTTP/1.1 204 None\r\n\r\n"],
      ["GET", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"],
      ["GET", "HTTP/1.1 101 Switching\r\n\r\n"],
    ] as const
  ) {
    assert.deepEqual(
      lengths(method, response + next),
      [response.length, response.length],
      response,
    );
  }
});

Deno.test("UpstreamResponseEnd reads a response without a length until the connection closes", () => {
  for (
    const response of [
      "HTTP/1.1 200 OK\r\n\r\nrest",
      "What?\r\n\r\nrest",
      "HTTP/1.0 200 OK\r\n\r\nx",
    ]
  ) {
    const end = new ResponseEndFinder("GET");
    assert.equal(end.add(bytes(response)), response.length);
    assert.ok(end.endsConnection && !end.isDone, response);
  }
});
