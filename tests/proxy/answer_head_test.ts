import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import {
  answerHead,
  http2Fields,
  statusProblem,
  trailerFields,
} from "../../src/proxy/answer_head.ts";

Deno.test("statusProblem() names a status that the client's version of HTTP does not have", () => {
  assert.equal(statusProblem(200, true), undefined);
  assert.equal(statusProblem(999, false), undefined);
  assert.match(statusProblem(600, true) ?? "", /600.*HTTP\/2/);
  assert.match(statusProblem(99, false) ?? "", /099.*HTTP$/);
  assert.match(statusProblem(101, false) ?? "", /switches protocols/);
});

Deno.test("http2Fields() joins fields that may occur only once, and keeps lists of others", () => {
  assert.deepEqual({
    ...http2Fields([
      "Date",
      "a",
      "date",
      "b",
      "ETag",
      "x",
      "ETag",
      "x",
      "Set-Cookie",
      "1",
      "Set-Cookie",
      "2",
    ]),
  }, { date: "a, b", etag: "x", "set-cookie": ["1", "2"] });
});

Deno.test("trailerFields() leaves out fields that frame or route a message", () => {
  assert.deepEqual(trailerFields(["X-Sum", "1", "Host", "h", "Content-Length", "3"]), [
    "X-Sum",
    "1",
  ]);
});

Deno.test("answerHead() gives no length for HEAD, and announces trailers only with chunks", () => {
  const answer = {
    rawHeaders: ["Content-Length", "3", "Trailer", "X-Sum"],
    statusMessage: "A\x1bB",
  } as unknown as IncomingMessage;
  const to = { isHttp2: false, takesChunks: true, method: "GET" };
  const head = answerHead(answer, 200, to);
  assert.deepEqual(head.fields, ["Content-Length", "3"]);
  assert.equal(head.reason, "A B");
  assert.equal(head.length, 3);
  assert.equal(answerHead(answer, 200, { ...to, method: "HEAD" }).length, undefined);
});
