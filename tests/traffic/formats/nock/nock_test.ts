import assert from "node:assert/strict";
import type { HttpRequest } from "../../../../src/http/interaction.ts";
import { NOCK } from "../../../../src/traffic/formats/nock/nock.ts";
import { readAs, sentText } from "../../read_all.ts";

const ENTRY = { scope: "http://localhost:80", method: "POST", path: "/a", body: "", status: 200 };

function sent(entry: object): HttpRequest {
  const [interaction] = readAs(NOCK, [{ ...ENTRY, ...entry }], "n.json").interactions;
  assert.ok(interaction);
  return interaction.request;
}

Deno.test("NOCK keeps text that only looks like hexadecimal", () => {
  const reqheaders = { "content-type": "text/plain" };
  assert.equal(sentText({ request: sent({ body: "deadbeef", reqheaders }) }), "deadbeef");
  assert.equal(sentText({ request: sent({ body: "cafe" }) }), "\xca\xfe");
  // nock would have written these bytes as text, because they are UTF-8.
  assert.equal(sentText({ request: sent({ body: "6869" }) }), '"6869"');
});

Deno.test("NOCK serializes parsed JSON", () => {
  const text = (body: unknown) => sentText({ request: sent({ body }) });
  assert.equal(text({ a: [1, null] }), '{"a":[1,null]}');
  assert.equal(text([]), "[]");
  assert.equal(text(["6869"]), '["6869"]');
  assert.equal(text(12), "12");
  assert.equal(text(false), "false");
  // nock would have parsed JSON text, so the quotes were part of it.
  assert.equal(text("12"), '"12"');
  assert.equal(text("a=1"), "a=1");
  assert.equal(text(""), undefined);
});

Deno.test("NOCK joins and decodes the chunks of a compressed body", () => {
  const body = ["1f8b0800000000000203", "cb48cdc9c9070086a6103605000000"];
  const reqheaders = { "Content-Encoding": "gzip", "Content-Type": "text/plain" };
  const request = sent({ body, reqheaders });
  assert.deepEqual(request.headers, { "Content-Type": "text/plain" });
  assert.equal(sentText({ request }), "hello");
  const bare = sent({ body });
  assert.deepEqual(bare.headers, {});
  assert.equal(sentText({ request: bare }), "hello");
});

Deno.test("NOCK skips patterns and entries that aren't requests", () => {
  const entries = [ENTRY, 1, { ...ENTRY, path: {} }, { ...ENTRY, method: undefined }];
  const { interactions, warnings } = readAs(NOCK, entries, "n.json");
  assert.equal(interactions.length, 1);
  assert.deepEqual(warnings, [
    "n.json: an entry that is not an object is left out (at [1]).",
    "n.json: an entry without a string `scope` and `path` is left out (at [2]).",
    "n.json: an entry whose request has no method is left out (at [3]).",
  ]);
});
