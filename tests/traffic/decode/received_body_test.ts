import assert from "node:assert/strict";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { HttpResponse } from "../../../src/http/interaction.ts";
import {
  type ReceivedBody,
  type ReceivedResponse,
  receivedResponse,
} from "../../../src/traffic/decode/received_body.ts";
import { Place, Problems } from "../../../src/traffic/formats/recording.ts";
import { receivedText } from "../read_all.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const TEXT = '{"title":"Пикник"}';

const bytes = (value: Uint8Array): Uint8Array => new Uint8Array(value);

function base64(value: Uint8Array): string {
  return btoa(String.fromCharCode(...value));
}

/** A zstd frame with one raw block (RFC 8878, section 3.1.1). */
function zstdFrame(content: Uint8Array): Uint8Array {
  const size = content.length;
  return Uint8Array.of(
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0x20,
    size,
    (size << 3) | 1,
    size >> 5,
    0,
    ...content,
  );
}

/** The response with the problem that was reported. */
function received(
  body: ReceivedBody,
  headers: ReceivedResponse["headers"] = JSON_TYPE,
  more: Partial<ReceivedResponse> = {},
): [HttpResponse, string | undefined] {
  const problems = new Problems("a.har");
  const response = receivedResponse(
    { method: "GET", status: 200, headers, body, ...more },
    new Place("response", problems),
  );
  return [response, problems.kinds()[0]?.message];
}

Deno.test("text is kept as text, whatever its Content-Encoding was", () => {
  const headers = { ...JSON_TYPE, "Content-Encoding": "br", "Content-Length": "7" };
  assert.deepEqual(received({ kind: "text", text: TEXT }, headers), [
    { status_code: 200, headers, body: TEXT },
    undefined,
  ]);
});

Deno.test("bytes keep a Content-Encoding that still applies, and lose one that was decoded", () => {
  const encoders = {
    gzip: gzipSync,
    "x-gzip": gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdFrame,
  };
  const plain = new TextEncoder().encode(TEXT);
  for (const [name, encode] of Object.entries(encoders)) {
    const encoded = bytes(encode(plain));
    const headers = { ...JSON_TYPE, "content-encoding": name };
    for (const content of [plain, encoded]) {
      for (
        const body of [
          { kind: "bytes", bytes: content },
          { kind: "base64", text: base64(content) },
        ] as const
      ) {
        const [response, problem] = received(body, headers);
        assert.equal(problem, undefined);
        assert.equal(receivedText(response), TEXT, `${name}, ${body.kind}`);
        assert.equal(
          receivedText(received(body, Object.entries(headers))[0]),
          TEXT,
          `${name}, ${body.kind} with pairs`,
        );
      }
    }
  }
});

Deno.test("compressed bytes that a recorder decoded as characters are bytes again", () => {
  const text = String.fromCharCode(...gzipSync(TEXT));
  const [response] = received({ kind: "text", text }, {
    ...JSON_TYPE,
    "Content-Encoding": "gzip",
    "Content-Length": String(text.length),
  });
  assert.equal(receivedText(response), TEXT);
});

Deno.test("UTF-8 that a recorder decoded byte by byte is text again", () => {
  const utf8 = new TextEncoder().encode(TEXT);
  const text = String.fromCharCode(...utf8);
  const [response] = received({ kind: "text", text, size: utf8.length });
  assert.equal(receivedText(response), TEXT);
  // With a declared charset, the same text is used as it is.
  const headers = { "Content-Type": "text/plain; charset=iso-8859-1" };
  assert.equal(received({ kind: "text", text: "é", size: 1 }, headers)[0].body, "é");
});

Deno.test("a truncated body counts as not recorded, with a problem", () => {
  const cut = "the body of a response is cut or damaged and counts as not recorded";
  const lost: HttpResponse = { status_code: 200, headers: JSON_TYPE, body_truncated: true };
  assert.deepEqual(received({ kind: "text", text: '[{"a":1},{"b"', size: 40 }), [lost, cut]);
  assert.deepEqual(received({ kind: "lost" }), [lost, cut]);
  assert.deepEqual(received({ kind: "base64", text: "#" }), [
    lost,
    "the body of a response is not valid base64 and counts as not recorded",
  ]);
  // For this encoding, only decoding shows whether the body is still encoded.
  const brotli = { ...JSON_TYPE, "Content-Encoding": "br" };
  assert.equal(received({ kind: "base64", text: "#" }, brotli)[0].body_truncated, true);
  const headers = { ...JSON_TYPE, "Content-Length": "40" };
  assert.equal(received({ kind: "text", text: "" }, headers)[0].body_truncated, true);
  assert.equal(received({ kind: "text", text: "[1, 2" }, headers)[0].body_truncated, true);
});

Deno.test("a text that is shorter than the body was, but looks complete, is used", () => {
  for (
    const [text, size, type] of [
      ['{"password":"<PASSWORD>"}', 90, "application/json"],
      ["  [1,\n2]\n", 13, "application/json"],
      ["a line\nand another\n", 21, "text/plain"],
      ["a", 4, "text/plain; charset=utf-16"],
    ] as const
  ) {
    const [response] = received({ kind: "text", text, size }, { "Content-Type": type });
    assert.equal(response.body, text);
  }
});

Deno.test("a body that isn't in the recording is missing if there was one, otherwise unknown", () => {
  const unknown = { kind: "unknown" } as const;
  assert.deepEqual(received(unknown), [{ status_code: 200, headers: JSON_TYPE }, undefined]);
  assert.deepEqual(received(unknown, { "Content-Length": "2" })[0], {
    status_code: 200,
    headers: { "Content-Length": "2" },
    body_truncated: true,
  });
  assert.equal(received({ ...unknown, size: 3 })[0].body_truncated, true);
  assert.equal(received(unknown, { "Content-Length": "0" })[0].body, "");
});

Deno.test("responses to HEAD and with status 204 or 304 have no body", () => {
  for (const more of [{ method: "HEAD" }, { status: 204 }, { status: 304 }, { status: 101 }]) {
    const headers = { "Content-Length": "9" };
    const [response, problem] = received({ kind: "text", text: "cached" }, headers, more);
    assert.deepEqual(response, { status_code: more.status ?? 200, headers });
    assert.equal(problem, undefined);
  }
});
