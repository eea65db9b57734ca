import assert from "node:assert/strict";
import { AnswerEnd } from "../../src/proxy/answer_end.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The bytes of a text that belong to the first response, given at once and one by one. */
function lengths(method: string, text: string): number[] {
  const whole = new AnswerEnd(method).add(bytes(text));
  const pieces = new AnswerEnd(method);
  let count = 0;
  for (const byte of bytes(text)) count += pieces.add(Uint8Array.of(byte));
  return [whole, count];
}

Deno.test("AnswerEnd finds the end of a response by its length, chunks, method and status", () => {
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

Deno.test("AnswerEnd takes a response that it cannot delimit to last until the connection closes", () => {
  for (
    const response of [
      "HTTP/1.1 200 OK\r\n\r\nrest",
      "What?\r\n\r\nrest",
      "HTTP/1.0 200 OK\r\n\r\nx",
    ]
  ) {
    const end = new AnswerEnd("GET");
    assert.equal(end.add(bytes(response)), response.length);
    assert.ok(end.isLast && !end.isDone, response);
  }
});
