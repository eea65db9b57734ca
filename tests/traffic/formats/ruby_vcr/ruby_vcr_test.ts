import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import type { Interaction } from "../../../../src/http/interaction.ts";
import { readRecording } from "../../../../src/traffic/read/read_recording.ts";
import { RUBY_VCR } from "../../../../src/traffic/formats/vcr/vcr.ts";
import { parseYamlRecording } from "../../../../src/traffic/cassette/yaml_recording.ts";
import { recordingJson, recordingText, sentText, withoutContent } from "../../recordings.ts";
import { readAs, type WholeRecording } from "../../read_all.ts";

function readFile(name: string): WholeRecording {
  const path = `ruby-vcr/${name}`;
  const value = name.endsWith(".json")
    ? recordingJson(path)
    : parseYamlRecording(recordingText(path), name);
  assert.equal(RUBY_VCR.recognize(value), true);
  return readAs(RUBY_VCR, value, name);
}

function readOne(entry: object): Interaction {
  const [interaction] = readAs(RUBY_VCR, { http_interactions: [entry] }, "c.yml").interactions;
  assert.ok(interaction);
  return interaction;
}

const REQUEST = { method: "post", uri: "http://localhost/a", headers: {} };

Deno.test("RUBY_VCR reads requests from YAML", () => {
  const { interactions } = readFile("bookshop.yml");
  assert.deepEqual(withoutContent(interactions[0]), {
    request: {
      method: "GET",
      url: "http://127.0.0.1:8901/api/v1/books?genre=novel&min_price=1.5&sort=-price",
      headers: {
        "X-Request-Id": "abcdef01-2345",
        "Cookie": "session=longenough; theme=dark",
        "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3",
        "Accept": "*/*",
        "User-Agent": "Ruby",
        "Host": "127.0.0.1:8901",
      },
    },
    response: { status_code: 200 },
    timestamp: 1795214780,
  });
  assert.equal(
    sentText(interactions[3]),
    '{"title":"Cień wiatru","genre":"novel","price":19.9,"isbn":"9780000000001",' +
      '"authors":[{"name":"Zafón"}],"format":{"kind":"ebook","file_type":"epub"}}',
  );
  assert.equal(interactions[3]?.response?.status_code, 201);
  assert.equal(interactions[3]?.timestamp, 1795214781);
  assert.equal(interactions[36]?.request.method, "DELETE");
  assert.equal(interactions[36]?.response?.status_code, 204);
});

Deno.test("RUBY_VCR reads binary bodies", () => {
  for (const name of ["bookshop.yml", "nested/bookshop_bytes.yml"]) {
    const { interactions } = readFile(name);
    assert.deepEqual(interactions[19]?.request.body, Uint8Array.from({ length: 256 }, (_, i) => i));
    assert.equal(sentText(interactions[18]), "Latin-1: café");
    const form = sentText(interactions[16]) ?? "";
    assert.equal(form.length, 330);
    assert.ok(form.startsWith("------RubyFormBoundary7MA4YWxk\r\nContent-Disposition: form-data;"));
    assert.ok(form.endsWith("------RubyFormBoundary7MA4YWxk--\r\n"));
  }
});

Deno.test("RUBY_VCR reads the same requests from text, binary YAML, base64 and JSON", () => {
  const [text, bytes] = [readFile("bookshop.yml"), readFile("nested/bookshop_bytes.yml")];
  const sent = ({ request }: Interaction) => [request.method, request.headers];
  assert.deepEqual(text.interactions.map(sent), bytes.interactions.map(sent));
  assert.equal(sentText(text.interactions[30]), "Bardzo dobra: zażółć gęślą jaźń");
  assert.equal(sentText(bytes.interactions[30]), "Bardzo dobra: zażółć gęślą jaźń");
  const json = readFile("bookshop_json.json");
  assert.equal(sentText(json.interactions[27]), "Bardzo dobra: zażółć gęślą jaźń");
  // JSON has no bytes: the form was text, though Ruby called it binary.
  assert.match(sentText(json.interactions[16]) ?? "", /name="caption"\r\n\r\nOkładka\r\n/);
});

Deno.test("RUBY_VCR marks the body that Net::HTTP#set_form lost, never taking it for an empty one", () => {
  for (const name of ["bookshop.yml", "bookshop_json.json", "nested/bookshop_bytes.yml"]) {
    const { interactions, warnings } = readFile(name);
    const truncated = interactions.filter(({ request }) => request.body_truncated);
    assert.deepEqual(truncated, [interactions[15]]);
    assert.equal(interactions[15]?.request.body, undefined);
    assert.deepEqual(warnings, [
      `${name}: the body of a request is missing or damaged and counts as not recorded ` +
      "(at http_interactions[15].request).",
    ]);
  }
});

Deno.test("RUBY_VCR keeps the repeated parameters that Faraday recorded", () => {
  const { interactions } = readFile("faraday_hook.yml");
  assert.equal(
    interactions[0]?.request.url,
    "http://127.0.0.1:8901/api/v1/books?genre=poetry&genre=novel&q=lem+%26+co",
  );
  assert.equal(sentText(interactions[2]), "password=pass+word&scope=read&scope=write&username=ann");
  assert.deepEqual(interactions.map(({ response }) => response?.status_code), [
    ...[200, 200, 200, 201, 404, 405, 404],
  ]);
});

Deno.test("RUBY_VCR undoes the Content-Encoding of a body", () => {
  const body = { encoding: "ASCII-8BIT", base64_string: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA==\n" };
  const headers = { "Content-Encoding": ["gzip"], "Content-Type": ["text/plain"] };
  const { request } = readOne({ request: { ...REQUEST, headers, body } });
  assert.deepEqual(request.headers, { "Content-Type": "text/plain" });
  assert.equal(sentText({ request }), "hello");
});

Deno.test("RUBY_VCR gives text back in the charset that Ruby had it in", () => {
  const body = { encoding: "ISO-8859-1", string: "café" };
  const { request } = readOne({ request: { ...REQUEST, body } });
  assert.deepEqual(request.body, new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
});

Deno.test("RUBY_VCR reads cassettes of VCR 1", () => {
  const text = [
    "- !ruby/struct:VCR::HTTPInteraction",
    "  request: !ruby/struct:VCR::Request",
    "    method: :put",
    "    uri: http://localhost:80/a",
    "    body: x=1",
    "    headers:",
    "      content-type:",
    "      - text/plain",
    "  response: !ruby/struct:VCR::Response",
    "    status: !ruby/struct:VCR::ResponseStatus",
    "      code: 200",
  ].join("\n");
  const value = parseYamlRecording(text, "c.yml");
  assert.equal(RUBY_VCR.recognize(value), true);
  assert.deepEqual(readAs(RUBY_VCR, value, "c.yml").interactions, [{
    request: {
      method: "PUT",
      url: "http://localhost:80/a",
      headers: { "content-type": "text/plain" },
      body: new TextEncoder().encode("x=1"),
    },
    response: { status_code: 200 },
  }]);
});

Deno.test("a cassette that VCR compressed is read as the one that it did not", async () => {
  const text = recordingText("ruby-vcr/faraday_hook.yml");
  const interactions: Interaction[] = [];
  for await (const interaction of readRecording(deflateSync(text), "faraday_hook.zz")) {
    interactions.push(interaction);
  }
  assert.deepEqual(interactions, readFile("faraday_hook.yml").interactions);
});

Deno.test("RUBY_VCR counts what it cannot use, by kind", () => {
  const cassette = {
    http_interactions: [
      { request: REQUEST },
      null,
      { request: { ...REQUEST, method: "" } },
      { request: { ...REQUEST, uri: undefined } },
      { response: {} },
    ],
  };
  const { interactions, warnings } = readAs(RUBY_VCR, cassette, "c.yml");
  assert.equal(interactions.length, 1);
  assert.deepEqual(warnings, [
    "c.yml: an entry without a request is left out (2 times, first at http_interactions[1]).",
    "c.yml: an entry whose request has no method is left out (at http_interactions[2].request).",
    "c.yml: an entry whose request has no URL is left out (at http_interactions[3].request).",
  ]);
});

Deno.test("RUBY_VCR rejects cassettes without a usable interaction", () => {
  assert.throws(
    () => readAs(RUBY_VCR, { http_interactions: [{}] }, "c.yml"),
    { message: /^Cannot read c\.yml: Its only entry can't be used: an entry without / },
  );
  assert.deepEqual(readAs(RUBY_VCR, { http_interactions: [] }, "c.yml").interactions, []);
});

Deno.test("RUBY_VCR.recognize() tells its cassettes from those of vcrpy", () => {
  assert.equal(RUBY_VCR.recognize({ http_interactions: [], recorded_with: "VCR 5.0.0" }), true);
  assert.equal(RUBY_VCR.recognize({ log: {} }), false);
  assert.equal(RUBY_VCR.recognize({ interactions: [{ request: { uri: "/" } }] }), false);
  assert.equal(RUBY_VCR.recognize([{ request: { url: "/" } }]), false);
  assert.equal(RUBY_VCR.recognize(null), false);
});

Deno.test("a body that is a string of another class, and a time with a fraction of zero, are read", () => {
  const text = [
    "http_interactions:",
    "- request:",
    "    method: post",
    "    uri: http://localhost/a",
    "    body:",
    "      encoding: UTF-8",
    "      string: !ruby/string:ActiveSupport::SafeBuffer",
    "        str: 12e3",
    "  response: { status: { code: 200 } }",
    "  recorded_at: 1795214780.0",
  ].join("\n");
  const [interaction] = readAs(RUBY_VCR, parseYamlRecording(text, "c.yml"), "c.yml").interactions;
  assert.deepEqual(interaction?.request.body, new TextEncoder().encode("12e3"));
  assert.equal(interaction?.timestamp, 1795214780);
});
