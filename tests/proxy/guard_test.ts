import assert from "node:assert/strict";
import { Guard } from "../../src/proxy/guard.ts";
import { Notices } from "../../src/proxy/notices.ts";

Deno.test("a guard counts errors of handlers, of their recovery and of nothing else", () => {
  const errors: unknown[] = [];
  const guard = new Guard((error) => {
    errors.push(error);
    throw new Error("dropped");
  });
  guard.run(() => {}, () => assert.fail());
  guard.handler<number>((value) => {
    throw value;
  }, () => {
    throw 2;
  })(1);
  assert.deepEqual(errors, [1, 2]);
  assert.equal(guard.failures, 2);
});

Deno.test("a notice is passed on once for each kind and key", () => {
  const said: string[] = [];
  const notices = new Notices(({ kind, message }) => said.push(`${kind} ${message}`));
  notices.say("loop", "a");
  notices.say("loop", "a");
  notices.say("body_cut", "a");
  notices.say("loop", "b", "a");
  assert.deepEqual(said, ["loop a", "body_cut a"]);
});
