import assert from "node:assert/strict";
import type { Interaction } from "../../src/http/interaction.ts";
import { NO_REQUEST_HEADERS } from "../../src/http/visibility.ts";
import { recordBatch, recordBatches } from "../../src/record/record_batches.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";

function interaction(url: string): Interaction {
  return {
    request: { method: "GET", url },
    response: { status_code: 200 },
    timestamp: 7,
    test: "t",
  };
}

Deno.test("recordBatches() records every batch in order and returns the count and the reader's result", async () => {
  const calls: unknown[][] = [];
  const target = { record: (...args: unknown[]) => void calls.push(args) };
  async function* read() {
    yield [interaction("/a"), interaction("/b")];
    yield [];
    yield [interaction("/c")];
    return ["a warning"];
  }
  assert.deepEqual(await recordBatches(target, read()), { interactions: 3, result: ["a warning"] });
  assert.deepEqual(
    calls,
    ["/a", "/b", "/c"].map((url) => [
      { method: "GET", url },
      { status_code: 200 },
      7,
      "t",
      interaction(url),
    ]),
  );
});

Deno.test("recordBatches() closes the reader if the map throws", async () => {
  let isClosed = false;
  async function* read() {
    try {
      yield [interaction("/a")];
      yield [interaction("/b")];
    } finally {
      isClosed = true;
    }
  }
  const target = {
    record: () => {
      throw new RangeError("full");
    },
  };
  await assert.rejects(recordBatches(target, read()), RangeError);
  assert.equal(isClosed, true);
});

Deno.test("recordBatches() rethrows errors of the reader", async () => {
  async function* read(): AsyncGenerator<readonly Interaction[], void> {
    yield [interaction("/a")];
    throw new SyntaxError("broken");
  }
  const urls: string[] = [];
  const target = { record: ({ url }: { url: string }) => void urls.push(url) };
  await assert.rejects(recordBatches(target, read()), SyntaxError);
  assert.deepEqual(urls, ["/a"]);
});

Deno.test("recordBatch() passes on the time, the test and the details of each interaction", () => {
  const calls: unknown[][] = [];
  const hidden = { ...interaction("/a"), visibility: NO_REQUEST_HEADERS };
  recordBatch({ record: (...args) => void calls.push(args) }, [hidden]);
  assert.deepEqual(calls, [[{ method: "GET", url: "/a" }, { status_code: 200 }, 7, "t", hidden]]);
});

Deno.test("only one loop in src records interactions into a map", async () => {
  const loops: string[] = [];
  for (const path of await sourceFiles(ROOT, [".ts"])) {
    if (!path.startsWith("src/")) continue;
    const source = await Deno.readTextFile(`${ROOT}/${path}`);
    const loop =
      /for (?:await )?\(const [^)]* of [^)]*\) \{\s*(?:const [^;]*;\s*)?[\w.#]+\.record\(/;
    if (loop.test(source)) loops.push(path);
  }
  assert.deepEqual(loops, ["src/record/record_batches.ts"]);
});
