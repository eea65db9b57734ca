import { completeRecords, isSequence, parseEventStream } from "../../src/http/complete_records.ts";
import assert from "node:assert/strict";

Deno.test("an event has its fields, and data may have several lines", () =>
  assert.deepEqual(
    parseEventStream("event: add\nid: 7\nretry: 100\ndata: 1\ndata\ndata:  2\n\ndata:3\n\n"),
    [{ event: "add", id: "7", retry: 100, data: "1\n\n 2" }, { data: "3" }],
  ));

Deno.test("lines may end with LF, CR or both, and a colon in a value is kept", () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    assert.deepEqual(parseEventStream(`data: a:b${end}${end}data: c${end}${end}`), [
      { data: "a:b" },
      { data: "c" },
    ]);
  }
});

Deno.test("empty lines, comments, unknown fields and invalid numbers make no event", () =>
  assert.deepEqual(parseEventStream("\n\n: hello\n\nname: x\n\nretry: 5s\n\nid: a\0b\n\n"), []));

Deno.test("fields without data make no event: they only set the time to reconnect or the last id", () => {
  assert.deepEqual(parseEventStream("retry: 3000\n\nid: 7\n\nevent: ping\n\ndata\n\n"), [
    { data: "" },
  ]);
});

Deno.test("an event that is cut off is left out", () => {
  assert.deepEqual(parseEventStream("data: 1\n\ndata: 2\n"), [{ data: "1" }]);
  assert.deepEqual(parseEventStream("data: 1\n\ndata: 2"), [{ data: "1" }]);
  assert.deepEqual(parseEventStream(""), []);
});

/** The complete records at the start of a text that broke off. */
function completeText(contentType: string, text: string): string | undefined {
  const whole = completeRecords(contentType, new TextEncoder().encode(text));
  return whole === undefined ? undefined : new TextDecoder().decode(whole);
}

Deno.test("event streams, JSON lines and JSON text sequences have no end marker", () => {
  for (
    const type of [
      ...["text/event-stream", "Text/Event-Stream; charset=utf-8", "application/jsonl"],
      ...["application/x-ndjson", "application/json-seq", "application/geo+json-seq"],
    ]
  ) assert.equal(isSequence(type), true, type);
  for (const type of ["application/json", "text/plain", "text/html", ""]) {
    assert.equal(isSequence(type), false, type);
    assert.equal(completeText(type, "[1]\n\n"), undefined, type);
  }
});

/** Texts whose part before `|` is complete: an event ends with the empty line after it. */
const WHOLE: readonly (readonly [type: string, ...texts: readonly string[]])[] = [
  [
    "text/event-stream",
    ...["data: 1\n\n|data: 2\n", "data: 1\n\ndata: 2\n\n|", "data: 1\r\n\r\n|da\r\nta"],
    ...["data: 1\r\r|data: 2\r", "data: 1\n\r|data: 2", "data: 1\r\n\r|data: 2"],
    ...["data: 1\r\r\n|data: 2\r\n", "|data: 1\ndata: 2\n", "|data: 1\rdata: 2\r\n"],
    ...["\n\n|data", "|data"],
  ],
  // A JSON line is complete at its line end, a value in a text sequence at the next value.
  ["application/jsonl", "1\n2\n|3", "|1"],
  ["application/json-seq", "\x1e1\n|\x1e2\n", "|\x1e1\n"],
  ["application/geo+json-seq", "\x1e1\n|\x1e{"],
];

for (const [type, ...texts] of WHOLE) {
  Deno.test(`of a ${type} body that broke off, the complete records are kept`, () => {
    for (const text of texts) {
      const [whole] = text.split("|");
      assert.equal(completeText(type, text.replace("|", "")), whole, JSON.stringify(text));
    }
  });
}
