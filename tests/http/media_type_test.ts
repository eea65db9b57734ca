import assert from "node:assert/strict";
import {
  mediaEssence,
  mediaKind,
  parseMediaType,
  selectMediaType,
} from "../../src/http/media_type.ts";

Deno.test("parseMediaType() reads essence and parameters, quoted or not", () => {
  const type = parseMediaType('Text/HTML ; Charset = x;charset=UTF-8; q="a;\\"b"; empty=');
  assert.equal(type.essence, "text/html");
  assert.deepEqual([...type.parameters], [["charset", "UTF-8"], ["q", 'a;"b'], ["empty", ""]]);
  assert.equal(parseMediaType("").essence, "");
  assert.equal(mediaEssence(" Application/JSON;charset=utf-8"), "application/json");
});

const SELECTIONS: readonly (readonly [string, readonly string[], number])[] = [
  ["application/json", ["text/plain", "application/json"], 1],
  ["Application/JSON; charset=utf-8", ["application/json"], 0],
  ["application/json", ["application/json; charset=utf-8"], 0],
  ["application/json;v=2", ["*/*", "application/json; v=1", "application/json; V=2"], 2],
  ["application/json;V=2", ["application/json; v=1", "application/json; v=2", "text/csv"], 1],
  ["application/json; v=3", ["application/json; v=1", "application/json; v=2"], 0],
  ["application/json; charset=utf-8", ["application/json; v=1", "application/json"], 1],
  ["application/json; v=1; Charset=utf-8", ["application/json", "application/json;V=1"], 1],
  ["application/json; v=1; b=2", ["application/json; v=1; c=3", "application/json; v=1"], 1],
  ["application/problem+json", ["application/json", "application/*+json"], 1],
  ["application/problem+json", ["application/*", "application/json"], 1],
  ["image/svg+json", ["application/*+json", "image/*", "*/*"], 1],
  ["image/svg+json", ["image/*", "application/json"], 1],
  ["text/csv", ["*/*", "text/*"], 1],
  ["text/csv", ["*/*"], 0],
  ["TEXT/CSV", ["Text/Csv"], 0],
  ["application/json", ["application/problem+json"], -1],
  ["application/xml", ["application/json"], -1],
  ["nonsense", ["application/json", "text/*"], -1],
  ["", ["application/json"], -1],
  ["text/csv", [], -1],
];

for (const [contentType, documented, expected] of SELECTIONS) {
  const selected = expected === -1 ? "nothing" : documented[expected];
  Deno.test(`"${contentType}" selects ${selected} of ${documented.join(" | ")}`, () =>
    assert.equal(selectMediaType(contentType, documented), expected));
}

Deno.test("mediaKind() returns how bodies of a media type are read", () => {
  const kinds = {
    "application/json": "json",
    "application/vnd.api+json": "json",
    "application/*+json": "json",
    "application/x-www-form-urlencoded": "form",
    "multipart/form-data": "multipart",
    "multipart/mixed": "other",
    "text/csv": "text",
    "text/json": "json",
    "text/x+json": "json",
    "image/svg+json": "json",
    "text/jsonl": "text",
    "text/*": "text",
    "application/jsonl": "sequence",
    "application/x-ndjson": "sequence",
    "application/json-seq": "sequence",
    "application/geo+json-seq": "sequence",
    "application/xml": "xml",
    "text/xml": "xml",
    "image/svg+xml": "xml",
    "application/*+xml": "xml",
    "*/*": "other",
    "": "other",
  };
  for (const [essence, kind] of Object.entries(kinds)) {
    assert.equal(mediaKind(essence), kind, essence);
  }
});
