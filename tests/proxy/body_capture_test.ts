import assert from "node:assert/strict";
import { BodyCapture } from "../../src/proxy/body_capture.ts";
import { buildInteraction } from "../../src/proxy/build_interaction.ts";

Deno.test("BodyCapture keeps bytes up to its limit, and counts all", () => {
  const capture = new BodyCapture(5);
  capture.add(Uint8Array.of(1, 2, 3));
  assert.ok(!capture.isCut);
  capture.add(Uint8Array.of(4, 5, 6, 7));
  assert.deepEqual([...capture.bytes()], [1, 2, 3, 4, 5]);
  assert.equal(capture.length, 7);
  assert.ok(capture.isCut);
});

Deno.test("buildInteraction() marks a body that is cut or incomplete, and has no response without a status", () => {
  const exchange = {
    method: undefined,
    url: "http://h/",
    fields: ["A", "1", "A", "2"],
    isComplete: true,
    status: undefined,
    timestamp: 7,
    started: performance.now(),
  };
  const plain = buildInteraction(exchange);
  assert.equal(plain.request.method, "GET");
  assert.deepEqual({ ...plain.request.headers }, { A: ["1", "2"] });
  assert.ok(!("response" in plain) && !("body_truncated" in plain.request));
  const capture = new BodyCapture(1);
  capture.add(Uint8Array.of(1, 2));
  for (const odd of [{ capture }, { isComplete: false }]) {
    assert.equal(buildInteraction({ ...exchange, ...odd }).request.body_truncated, true);
  }
  assert.equal(buildInteraction({ ...exchange, status: 204 }).response?.status_code, 204);
});
