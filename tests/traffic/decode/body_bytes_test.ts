import assert from "node:assert/strict";
import { restoreBytes } from "../../../src/traffic/decode/body_bytes.ts";
import { encode, latin1 } from "../read_all.ts";

function bytes(text: string, contentType: string, length?: number): Uint8Array | undefined {
  return restoreBytes(text, { contentType, length })?.bytes;
}

Deno.test("the length decides between UTF-8 and one character per byte", () => {
  assert.deepEqual(bytes("é", "text/plain", 2), latin1("\xc3\xa9"));
  assert.deepEqual(bytes("é", "text/plain", 1), latin1("\xe9"));
  assert.deepEqual(bytes("Ã©", "text/plain", 4), encode("Ã©"));
  assert.deepEqual(bytes("Ã©", "text/plain", 2), encode("é"));
});

Deno.test("without a length, valid UTF-8 or control characters mean one character per byte", () => {
  assert.deepEqual(bytes("Ã©", "application/json"), encode("é"));
  assert.deepEqual(bytes("é", "application/json"), encode("é"));
  assert.deepEqual(bytes("\x00\xff", "image/png"), latin1("\x00\xff"));
  assert.deepEqual(bytes("雪Ã©", "application/json"), encode("雪Ã©"));
});

Deno.test("a body is encoded in the charset of its Content-Type if the length fits", () => {
  assert.deepEqual(bytes("café", "text/plain; charset=iso-8859-1"), latin1("caf\xe9"));
  assert.deepEqual(bytes("Ж", "text/plain; charset=koi8-r", 1), latin1("\xf6"));
  assert.deepEqual(bytes("雪", "text/plain; charset=shift_jis", 2), latin1("\x90\xe1"));
  assert.deepEqual(bytes("café", "text/plain; charset=utf-8", 5), encode("café"));
  assert.deepEqual(bytes("雪", "text/plain; charset=iso-8859-1", 3), encode("雪"));
});

Deno.test("bytes that a recorder decoded as windows-1252 are restored", () =>
  assert.deepEqual(bytes("\u20ac\u0153", "application/octet-stream", 2), latin1("\x80\x9c")));

Deno.test("lone surrogates stand for bytes that aren't UTF-8", () => {
  assert.deepEqual(bytes("a\udcff\udc80é", "text/plain", 5), latin1("a\xff\x80\xc3\xa9"));
  assert.deepEqual(bytes("📿", "text/plain", 4), encode("📿"));
});

Deno.test("CR is restored in line breaks if the length fits", () => {
  assert.deepEqual(bytes("a\nb\n", "text/plain", 6), encode("a\r\nb\r\n"));
  assert.deepEqual(bytes("a\nb\n", "text/plain", 4), encode("a\nb\n"));
});

Deno.test("undeclared base64 is decoded if the length fits", () => {
  assert.deepEqual(bytes("aGVsbG8=", "text/plain", 5), encode("hello"));
  assert.deepEqual(bytes("aGVsbG8=", "text/plain", 8), encode("aGVsbG8="));
  assert.deepEqual(bytes("aGVsbG8=", "text/plain"), encode("aGVsbG8="));
});

Deno.test("a truncated or damaged body is not recorded", () => {
  assert.equal(bytes("hel", "text/plain", 5), undefined);
  assert.equal(bytes('{"a": "x', "application/json", 30), undefined);
  assert.equal(bytes("\ufffd\ufffd]", "application/json", 3), undefined);
  assert.equal(bytes("\ufffdPNG", "image/png"), undefined);
});

Deno.test("a body that was changed after its length was taken is kept", () => {
  assert.deepEqual(bytes("password=[Filtered]", "text/plain", 12), encode("password=[Filtered]"));
  assert.deepEqual(bytes('{"a":1}', "application/json", 30), encode('{"a":1}'));
});

Deno.test("U+FFFD that was really sent is kept", () => {
  assert.deepEqual(bytes("\ufffd", "text/plain", 3), encode("\ufffd"));
  assert.deepEqual(bytes('"\ufffd"', "application/json"), encode('"\ufffd"'));
});

Deno.test("compressed bytes that a recorder decoded as text are not recorded", () => {
  const evidence = { contentType: "application/json", contentEncoding: "gzip" };
  assert.equal(restoreBytes("\x1f\ufffd\b\x00", evidence), undefined);
});
