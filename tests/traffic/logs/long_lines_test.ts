import assert from "node:assert/strict";
import { readLog } from "./read_log.ts";

const lineOf = (target: string) =>
  `192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] "GET ${target} HTTP/1.1" 200 0 "-" "-"\n`;

Deno.test("a log whose first line is longer than what formats are told apart by is read to its end", async () => {
  for (const length of [1_000, 70_000, 1_000_000]) {
    const { interactions, warnings } = await readLog(
      lineOf(`/books?q=${"a".repeat(length)}`) + lineOf("/books").repeat(3),
    );
    assert.equal(interactions.length, 4, String(length));
    assert.deepEqual(warnings, []);
  }
});

Deno.test("a first line that is longer than any line of a log costs that line only", async () => {
  const { lines, warnings } = await readLog(
    lineOf(`/books?q=${"a".repeat(1 << 21)}`) + lineOf("/books").repeat(3),
  );
  assert.deepEqual(lines, Array(3).fill("GET /books 200"));
  assert.deepEqual(warnings, [
    "access.log: a line of more than 1 MiB is left out (at line 1).",
  ]);
});

Deno.test("a log that cannot be told from YAML is refused, not read as one line", async () => {
  await assert.rejects(
    readLog(lineOf(`/books?q=${"a".repeat(1 << 23)}`) + lineOf("/books").repeat(3)),
    /not a recording/,
  );
});

Deno.test("nothing of a text of an unknown format is shown, as there may be addresses in it", async () => {
  for (const text of ["192.0.2.1 alice GET /books", "192.0.2.1 - alice [x] /a: b\n  - c: d: e"]) {
    await assert.rejects(readLog(text), (error: Error) => {
      assert.match(error.message, /If it is an access log, say with --log-format/);
      assert.doesNotMatch(error.message, /192|alice/);
      return true;
    });
  }
});
