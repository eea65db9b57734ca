import assert from "node:assert/strict";
import type { Interaction } from "../../../../src/http/interaction.ts";
import { RUBY_VCR } from "../../../../src/traffic/formats/vcr/vcr.ts";
import { parseYamlRecording } from "../../../../src/traffic/cassette/yaml_recording.ts";
import { readAs, sentText } from "../../read_all.ts";

function readOne(entry: object): Interaction {
  const [interaction] = readAs(RUBY_VCR, { http_interactions: [entry] }, "c.yml").interactions;
  assert.ok(interaction);
  return interaction;
}

const REQUEST = { method: "post", uri: "http://localhost/a", headers: {} };

Deno.test("RUBY_VCR decodes the Content-Encoding of a body", () => {
  const body = { encoding: "ASCII-8BIT", base64_string: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA==\n" };
  const headers = { "Content-Encoding": ["gzip"], "Content-Type": ["text/plain"] };
  const { request } = readOne({ request: { ...REQUEST, headers, body } });
  assert.deepEqual(request.headers, { "Content-Type": "text/plain" });
  assert.equal(sentText({ request }), "hello");
});

Deno.test("RUBY_VCR encodes text in the charset that Ruby had it in", () => {
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
  const value = parseYamlRecording(text, "c.yml")[0];
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

Deno.test("RUBY_VCR counts entries that it can't use by kind", () => {
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

Deno.test("RUBY_VCR reads a body of another string class, and a time with a fraction of zero", () => {
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
  const [interaction] =
    readAs(RUBY_VCR, parseYamlRecording(text, "c.yml")[0], "c.yml").interactions;
  assert.deepEqual(interaction?.request.body, new TextEncoder().encode("12e3"));
  assert.equal(interaction?.timestamp, 1795214780);
});
