import assert from "node:assert/strict";
import { parseEventStream } from "../../src/http/event_stream.ts";

Deno.test("an event has its fields, of which data may have several lines", () => {
  assert.deepEqual(
    parseEventStream("event: add\nid: 7\nretry: 100\ndata: 1\ndata\ndata:  2\n\ndata:3\n\n"),
    [{ event: "add", id: "7", retry: 100, data: "1\n\n 2" }, { data: "3" }],
  );
});

Deno.test("lines end as they like, and a colon in a value stays", () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    assert.deepEqual(parseEventStream(`data: a:b${end}${end}data: c${end}${end}`), [
      { data: "a:b" },
      { data: "c" },
    ]);
  }
});

Deno.test("empty lines, comments, unknown fields and bad numbers make no event", () => {
  assert.deepEqual(parseEventStream("\n\n: hello\n\nname: x\n\nretry: 5s\n\nid: a\0b\n\n"), []);
});

Deno.test("an event that is cut off is left out", () => {
  assert.deepEqual(parseEventStream("data: 1\n\ndata: 2\n"), [{ data: "1" }]);
  assert.deepEqual(parseEventStream("data: 1\n\ndata: 2"), [{ data: "1" }]);
  assert.deepEqual(parseEventStream(""), []);
});
