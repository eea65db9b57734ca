import assert from "node:assert/strict";
import { Hits } from "../../src/map/hits.ts";

Deno.test("hits of an operation, a parameter and a response are made when first asked for", () => {
  const hits = new Hits();
  const operation = hits.operation(2);
  assert.deepEqual(Object.keys(hits.operations), ["2"]);
  assert.equal(hits.operation(2), operation);
  assert.equal(operation.parameter(1), operation.parameter(1));
  assert.deepEqual(Object.keys(operation.parameters), ["1"]);
  operation.response(0).merge(1, Infinity);
  assert.deepEqual([operation.response(0).hits, operation.responses.length], [1, 1]);
});

Deno.test("seen times are the first and the last, and null while none is known", () => {
  const hits = new Hits();
  hits.seeAt(null);
  assert.deepEqual([hits.firstAt, hits.lastAt], [null, null]);
  for (const time of [5, 3, 4]) hits.seeAt(time);
  assert.deepEqual([hits.firstAt, hits.lastAt], [3, 5]);
});
