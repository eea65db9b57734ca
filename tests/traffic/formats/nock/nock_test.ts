import assert from "node:assert/strict";
import type { HttpRequest } from "../../../../src/http/interaction.ts";
import { NO_REQUEST_HEADERS } from "../../../../src/http/visibility.ts";
import { NOCK } from "../../../../src/traffic/formats/nock/nock.ts";
import { recordingJson, sentText, withoutContent } from "../../recordings.ts";
import { readAs } from "../../read_all.ts";

const ENTRY = { scope: "http://localhost:80", method: "POST", path: "/a", body: "", status: 200 };

function sent(entry: object): HttpRequest {
  const [interaction] = readAs(NOCK, [{ ...ENTRY, ...entry }], "n.json").interactions;
  assert.ok(interaction);
  return interaction.request;
}

Deno.test("NOCK reads what the recorder and nock back wrote", () => {
  for (
    const [name, count] of [["bookshop.recorder.json", 11], ["bookshop.back.json", 10]] as const
  ) {
    const value = recordingJson(`nock/${name}`);
    assert.equal(NOCK.recognize(value), true);
    const { interactions, warnings } = readAs(NOCK, value, name);
    assert.equal(interactions.length, count);
    assert.deepEqual(warnings, []);
    assert.deepEqual(withoutContent(interactions[0]), {
      request: {
        method: "GET",
        url: "http://127.0.0.1:8901/api/v1/books?genre=poetry&genre=novel&q=%C3%A5%20b",
        headers: {},
      },
      response: { status_code: 200 },
      visibility: NO_REQUEST_HEADERS,
    });
    assert.equal(
      sentText(interactions[4]),
      '{"title":"雪","price":1,"isbn":"9780000000888","authors":[{"name":"N"}],' +
        '"format":{"kind":"print","pages":1}}',
    );
    assert.equal(sentText(interactions[5]), "username=a%26b&password=wrong");
  }
});

Deno.test("NOCK reads headers of requests where they were recorded", () => {
  const { interactions } = readAs(NOCK, recordingJson("nock/bookshop.recorder.json"), "n.json");
  assert.deepEqual(interactions[4]?.request.headers, { "content-type": "application/json" });
  assert.equal(interactions[4]?.visibility, undefined);
  assert.deepEqual(interactions[10]?.request.headers, {
    connection: "close",
    host: "127.0.0.1:8901",
  });
});

Deno.test("NOCK turns hexadecimal digits back into bytes, and finds the boundary in them", () => {
  for (
    const [name, boundary] of [
      ["bookshop.recorder.json", "----formdata-undici-072908467353"],
      ["bookshop.back.json", "----formdata-undici-098121826457"],
    ] as const
  ) {
    const { request } = readAs(NOCK, recordingJson(`nock/${name}`), name).interactions[6] ?? {};
    assert.deepEqual(request?.headers, {
      "content-type": `multipart/form-data; boundary=${boundary}`,
    });
    assert.equal(
      sentText(request && { request }),
      `--${boundary}\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n` +
        `Content-Type: image/png\r\n\r\n\x89P\x00\xff\r\n--${boundary}--\r\n`,
    );
  }
});

Deno.test("NOCK leaves text alone that looks like hexadecimal digits", () => {
  const reqheaders = { "content-type": "text/plain" };
  assert.equal(sentText({ request: sent({ body: "deadbeef", reqheaders }) }), "deadbeef");
  assert.equal(sentText({ request: sent({ body: "cafe" }) }), "\xca\xfe");
  // Bytes that are UTF-8 nock would have written as text.
  assert.equal(sentText({ request: sent({ body: "6869" }) }), '"6869"');
});

Deno.test("NOCK writes parsed JSON again", () => {
  const text = (body: unknown) => sentText({ request: sent({ body }) });
  assert.equal(text({ a: [1, null] }), '{"a":[1,null]}');
  assert.equal(text([]), "[]");
  assert.equal(text(["6869"]), '["6869"]');
  assert.equal(text(12), "12");
  assert.equal(text(false), "false");
  // Text that is JSON would have been parsed, so that it was in quotes.
  assert.equal(text("12"), '"12"');
  assert.equal(text("a=1"), "a=1");
  assert.equal(text(""), undefined);
});

Deno.test("NOCK undoes the list of pieces of a compressed body", () => {
  const body = ["1f8b0800000000000203", "cb48cdc9c9070086a6103605000000"];
  const reqheaders = { "Content-Encoding": "gzip", "Content-Type": "text/plain" };
  const request = sent({ body, reqheaders });
  assert.deepEqual(request.headers, { "Content-Type": "text/plain" });
  assert.equal(sentText({ request }), "hello");
  const bare = sent({ body });
  assert.deepEqual(bare.headers, {});
  assert.equal(sentText({ request: bare }), "hello");
});

Deno.test("NOCK skips patterns and values that aren't requests", () => {
  const entries = [ENTRY, 1, { ...ENTRY, path: {} }, { ...ENTRY, method: undefined }];
  const { interactions, warnings } = readAs(NOCK, entries, "n.json");
  assert.equal(interactions.length, 1);
  assert.deepEqual(warnings, [
    "n.json: an entry that is not an object is left out (at [1]).",
    "n.json: an entry without a string `scope` and `path` is left out (at [2]).",
    "n.json: an entry whose request has no method is left out (at [3]).",
  ]);
});

Deno.test("NOCK.recognize() wants a list whose first entry has a scope and a path", () => {
  assert.equal(NOCK.recognize([ENTRY]), true);
  assert.equal(NOCK.recognize([]), false);
  assert.equal(NOCK.recognize([{ request: {} }]), false);
  assert.equal(NOCK.recognize(ENTRY), false);
});
