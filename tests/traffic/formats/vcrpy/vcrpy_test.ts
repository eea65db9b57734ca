import assert from "node:assert/strict";
import type { HttpRequest, Interaction } from "../../../../src/http/interaction.ts";
import { VCRPY } from "../../../../src/traffic/formats/vcr/vcr.ts";
import { readAll, readAs, receivedText, sentText } from "../../read_all.ts";

function readOne(request: object, response?: object): Interaction {
  const entry = { request: { method: "POST", uri: "http://localhost/a", ...request }, response };
  const [interaction] = readAs(VCRPY, { version: 1, interactions: [entry] }, "c.yaml").interactions;
  assert.ok(interaction);
  return interaction;
}

function sent(request: object): HttpRequest {
  return readOne(request).request;
}

Deno.test("VCRPY reads Python streams that older versions wrote", () => {
  const body = { state: [new TextEncoder().encode("x=1"), 0, null] };
  assert.equal(sentText({ request: sent({ body }) }), "x=1");
});

Deno.test("VCRPY marks missing and damaged bodies as not recorded", () => {
  const lost = { body_truncated: true };
  const base = { method: "POST", url: "http://localhost/a" };
  const headers = { "Content-Length": "5" };
  assert.deepEqual(sent({ body: null, headers }), { ...base, headers, ...lost });
  assert.deepEqual(sent({ body: "a\ufffd", headers }), { ...base, headers, ...lost });
  assert.deepEqual(sent({ body: { unknown: 1 } }), { ...base, headers: {}, ...lost });
  // U+FFFD may have been sent, and secrets may have been replaced.
  assert.equal(sent({ body: "aa\ufffd", headers }).body_truncated, undefined);
  assert.equal(sent({ body: "<SECRET>", headers }).body_truncated, undefined);
  // Headers that say that there is no body are right.
  const empty = { "Content-Length": "0", "Content-Type": "multipart/form-data; boundary=x" };
  assert.equal(sent({ body: "", headers: empty }).body_truncated, undefined);
  const bare = { "Content-Type": "Multipart/Form-Data" };
  assert.equal(sent({ method: "GET", headers: bare }).body_truncated, undefined);
  assert.equal(sent({ headers: bare }).body_truncated, true);
});

Deno.test("VCRPY removes the Content-Encoding of a body that was stored decoded", () => {
  const headers = { "content-encoding": ["gzip"], "content-length": ["22"] };
  const request = sent({ body: '{"a": 1}', headers });
  assert.deepEqual(request.headers, { "content-length": "22" });
  assert.equal(sentText({ request }), '{"a": 1}');
  // With this length, the body is what was sent, although it is broken.
  assert.deepEqual(sent({ body: new Uint8Array(22), headers }).headers, {
    "content-encoding": "gzip",
    "content-length": "22",
  });
});

Deno.test("VCRPY reads the httpx status of vcrpy before version 6, and takes 0 and -1 as no response", () => {
  assert.deepEqual(readOne({}, { status_code: 201, content: "" }).response, {
    status_code: 201,
    body: "",
  });
  assert.equal(readOne({}, { status: { code: 0 } }).response, undefined);
  assert.equal(readOne({}, { status: { code: -1 } }).response, undefined);
  assert.equal(readOne({}, undefined).response, undefined);
});

Deno.test("VCRPY reads headers that are text, numbers, lists or bytes", () => {
  const headers = {
    "A": "1",
    "B": ["1", "2"],
    "C": 3,
    "D": new TextEncoder().encode("4"),
    "E": null,
    ":authority": "localhost",
  };
  assert.deepEqual(sent({ headers }).headers, { A: "1", B: ["1", "2"], C: "3", D: "4" });
  const cassette = {
    interactions: [
      { request: { method: "GET", uri: "/a", headers: { A: {} } } },
      { request: { method: "GET", uri: "/b", headers: "A: 1" } },
    ],
  };
  assert.deepEqual(readAs(VCRPY, cassette, "c.yaml").warnings, [
    "c.yaml: a header whose value is not text is ignored (at interactions[0].request).",
    "c.yaml: headers that are not an object of names and values are ignored (at interactions[1].request).",
  ]);
});

const GO_VCR = [
  "version: 2",
  "interactions:",
  "- id: 0",
  "  request:",
  "    host: localhost",
  "    body: name=Momo",
  "    form: { name: [Momo] }",
  "    headers: { Content-Type: [application/x-www-form-urlencoded] }",
  "    url: http://localhost/books?page=1",
  "    method: POST",
  "  response:",
  "    content_length: 8",
  "    body: !!binary H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==",
  "    headers: { Content-Encoding: [gzip] }",
  "    status: 201 Created",
  "    code: 201",
  "    duration: 1m2.5s",
].join("\n");

Deno.test("VCRPY reads go-vcr cassettes, with the status beside its phrase and with durations", async () => {
  const { interactions: [interaction], warnings } = await readAll(GO_VCR);
  assert.equal(interaction?.request.url, "http://localhost/books?page=1");
  assert.equal(sentText(interaction), "name=Momo");
  assert.equal(interaction?.response?.status_code, 201);
  assert.equal(receivedText(interaction?.response), "{}");
  assert.equal(interaction?.response?.elapsed, 62.5);
  const first = GO_VCR.replace("version: 2", "version: 1").replace("1m2.5s", '""');
  const { interactions: [old] } = await readAll(first);
  assert.equal(old?.response?.status_code, 201);
  assert.equal(old.response?.elapsed, undefined);
  assert.deepEqual(warnings, []);
});

Deno.test("VCRPY reads php-vcr cassettes, which are lists, in YAML and JSON", async () => {
  const url = "http://localhost/books";
  const response = { status: { code: 201, message: "Created" }, headers: {}, body: "{}" };
  const cassette = [
    { request: { method: "POST", url, body: '{"a": 1}' }, response },
    {
      request: { method: "POST", url, post_fields: { a: "1" } },
      response: { status: { code: "204" } },
    },
  ];
  const yaml = [
    "-",
    "    request: { method: POST, url: 'http://localhost/books', body: '{\"a\": 1}' }",
    "    response: { status: { code: 201, message: Created }, headers: {}, body: '{}' }",
    "-",
    "    request: { method: POST, url: 'http://localhost/books', post_fields: { a: '1' } }",
    "    response: { status: { code: '204' } }",
  ].join("\n");
  for (const text of [JSON.stringify(cassette), yaml]) {
    const { interactions: [first, second] } = await readAll(text);
    assert.equal(sentText(first), '{"a": 1}');
    assert.equal(first?.response?.status_code, 201);
    assert.equal(receivedText(first.response), "{}");
    assert.equal(second?.request.body_truncated, true);
    assert.equal(second.response?.status_code, 204);
  }
});

Deno.test("VCRPY reads the nested status in cassettes of vcr for R", () =>
  assert.equal(readOne({}, { status: { status_code: "201" } }).response?.status_code, 201));

Deno.test("VCRPY decompresses the bodies in cassettes of vcr for R", () => {
  const body = { raw_gzip: "eJyrVkpUsjKsBQAIKgIJ" };
  const interaction = readOne({ body }, { status: 200, body });
  assert.equal(sentText(interaction), '{"a":1}');
  assert.equal(receivedText(interaction.response), '{"a":1}');
  assert.equal(sent({ body: { raw_gzip: "eJwDAAAAAAE=" } }).body, undefined);
});
