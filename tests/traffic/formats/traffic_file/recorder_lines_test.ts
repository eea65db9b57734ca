import assert from "node:assert/strict";
import { FULL_VISIBILITY } from "../../../../src/http/visibility.ts";
import type { Interaction } from "../../../../src/http/interaction.ts";
import { readPart } from "../../../../src/traffic/read/stream_entries.ts";
import { encode, inPieces, readAll } from "../../read_all.ts";

const LINE = { request: { method: "GET", url: "http://testserver/books" } };

function jsonLines(lines: readonly unknown[]): string {
  return lines.map((line) => JSON.stringify(line) + "\n").join("");
}

const read = (...lines: unknown[]) => readAll(jsonLines(lines), "a.ndjson");

Deno.test("a recorder's header line says what the lines after it can show", async () => {
  const head = { covtool: 1, recorder: "go 1.0", shows: { response_headers: ["ETag"] } };
  const own = { ...LINE, visibility: { time: false } };
  const { interactions, warnings } = await read(head, LINE, own);
  assert.deepEqual(warnings, []);
  assert.deepEqual(interactions.map(({ visibility }) => visibility), [
    { ...FULL_VISIBILITY, response_headers: ["etag"] },
    { ...FULL_VISIBILITY, time: false },
  ]);
});

Deno.test("files of several recorders can be concatenated: each header line applies until the next", async () => {
  const { interactions } = await read(
    { covtool: 1, recorder: "a" },
    LINE,
    { covtool: 1, recorder: "b", shows: { time: false } },
    LINE,
    { covtool: 1, recorder: "a" },
    LINE,
  );
  assert.deepEqual(interactions.map(({ visibility }) => visibility?.time), [true, false, true]);
});

Deno.test("a file with only a recorder's header line is a recording without requests", async () => {
  assert.deepEqual(await read({ covtool: 1, recorder: "pytest 0.1.0" }), {
    interactions: [],
    warnings: [],
  });
});

Deno.test("unknown members of a header line are ignored with a warning", async () => {
  const { warnings } = await read({ covtool: 1, shows: { times: 1 }, host: "ci-1" }, LINE);
  assert.deepEqual(warnings, [
    "a.ndjson: `shows.times` is not known and is ignored (at line 1.shows).",
  ]);
});

Deno.test("a header line of a newer version is refused with a message that says what to update", async () => {
  for (const lines of [[LINE], []]) {
    await assert.rejects(read({ covtool: 2, recorder: "pytest 9.1" }, ...lines), {
      code: "version",
      message:
        "Cannot read a.ndjson: pytest 9.1 wrote version 2 of the protocol, and this covtool reads version 1. Update covtool.",
    });
  }
  await assert.rejects(read({ covtool: "one" }, LINE), {
    message:
      'Cannot read a.ndjson: A recorder wrote "one" as the version of the protocol instead of 1. Update the recorder.',
  });
});

Deno.test("header fields may be pairs, and a test may be an object", async () => {
  const headers = [["X-Tag", "a"], ["x-tag", "b"]];
  const { interactions, warnings } = await read(
    { covtool: 1 },
    {
      ...LINE,
      request: { ...LINE.request, headers },
      test: { name: "TestBooks/empty", file: "a_test.go", line: 3 },
    },
    { ...LINE, test: { name: "tests/test_a.py::test_a", file: "tests/test_a.py" } },
    { ...LINE, request: { ...LINE.request, headers: [["a"], ["b", "c"]] }, test: { line: 1 } },
  );
  assert.deepEqual(interactions.map(({ request, test }) => [request.headers, test]), [
    [headers, "a_test.go > TestBooks/empty"],
    [undefined, "tests/test_a.py::test_a"],
    [[["b", "c"]], undefined],
  ]);
  assert.deepEqual(warnings, [
    "a.ndjson: a header that is not a pair of name and value is ignored (at line 4.request.headers).",
    "a.ndjson: `test` is neither a string nor an object with a `name` and is ignored (at line 4.test).",
  ]);
});

Deno.test("parts of a file use its header line, and a part with another one isn't read separately", async () => {
  const shown = { ...FULL_VISIBILITY, time: false };
  const list = { format: "a traffic file", isOnLines: true, visibility: shown };
  const separator = { bytes: Uint8Array.of(10), length: 1 };
  const part = async (...lines: unknown[]) => {
    const batches = readPart(inPieces(encode(jsonLines(lines)), 50), list, separator);
    const interactions: Interaction[] = [];
    let next = await batches.next();
    for (; next.done !== true; next = await batches.next()) interactions.push(...next.value);
    return { interactions, result: next.value };
  };
  const { interactions, result } = await part({ covtool: 1, shows: { time: false } }, LINE);
  assert.deepEqual(interactions, [{ ...LINE, visibility: shown }]);
  assert.deepEqual(result, { items: 2, entries: 1, used: 1, problems: [] });
  assert.equal((await part(LINE, { covtool: 1 }, LINE)).result, undefined);
});
