import assert from "node:assert/strict";
import { ErrorBoundary, Notices } from "../../src/proxy/error_boundary.ts";
Deno.test("a boundary only counts errors of handlers and of their recovery", () => {
  const errors: unknown[] = [];
  const boundary = new ErrorBoundary((error) => {
    errors.push(error);
    throw new Error("dropped");
  });
  boundary.run(() => {}, () => assert.fail());
  boundary.handler<number>((value) => {
    throw value;
  }, () => {
    throw 2;
  })(1);
  assert.deepEqual(errors, [1, 2]);
  assert.equal(boundary.failures, 2);
});

Deno.test("a notice is reported once per kind and key", () => {
  const said: string[] = [];
  const notices = new Notices(({ kind, message }) => said.push(`${kind} ${message}`));
  notices.report("loop", "a");
  notices.report("loop", "a");
  notices.report("body_cut", "a");
  notices.report("loop", "b", "a");
  assert.deepEqual(said, ["loop a", "body_cut a"]);
});
