import { readHitsLines } from "../../../src/traffic/read/read_recording.ts";
import assert from "node:assert/strict";
import { ByteCursor } from "../../../src/traffic/stream/byte_cursor.ts";
import { InputLimitError } from "../../../src/values/input_limits.ts";
import { encode, inPieces } from "../read_all.ts";

async function readLines(text: string, size: number, most?: number): Promise<string[]> {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  await readHitsLines(
    new ByteCursor(inPieces(encode(text), size)),
    (line) => lines.push(decoder.decode(line)),
    most,
  );
  return lines;
}

for (const size of [1, 7, 1_000]) {
  Deno.test(`hits lines that arrive in pieces of ${size} bytes are joined`, async () => {
    assert.deepEqual(await readLines("first line\n\n  \nsecond\r\nthird", size), [
      "first line",
      "second\r",
      "third",
    ]);
  });

  Deno.test(`a hits line beyond the limit is refused, and many short ones are not (${size} bytes)`, async () => {
    assert.equal((await readLines("1234567890\n".repeat(100), size, 10)).length, 100);
    for (const text of ["12345678901", "123\n12345678901\n456\n"]) {
      await assert.rejects(
        readLines(text, size, 10),
        (error) =>
          error instanceof InputLimitError &&
          /^One of its lines has more than 10 bytes, and a line has to fit into memory\. .*fewer tests/
            .test(error.message),
      );
    }
  });
}
