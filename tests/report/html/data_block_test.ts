import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { gzipBytes } from "../../../src/values/builtin.ts";
import { dataBlock } from "../../../src/report/html/data_block.ts";

/** More JSON than is left uncompressed, with characters of two and more bytes. */
const LARGE = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => `ä€${index}`));

function* pieces(): Generator<string> {
  for (let at = 0; at < LARGE.length; at += 1000) yield LARGE.slice(at, at + 1000);
}

function unpack(block: string): string {
  const [, content = ""] = /data-encoding="gzip">([^<]*)</.exec(block) ?? [];
  return gunzipSync(Buffer.from(content, "base64")).toString();
}

Deno.test("dataBlock() passes large data to the platform's compressor in one piece", () => {
  const sizes: number[] = [];
  const block = dataBlock("report", pieces(), (bytes) => {
    sizes.push(bytes.length);
    return gzipBytes(bytes);
  });
  assert.equal(unpack(block), LARGE);
  assert.deepEqual(sizes, [new TextEncoder().encode(LARGE).length]);
});

Deno.test("dataBlock() compresses by itself if the platform can't", () => {
  for (const compress of [undefined, () => undefined]) {
    assert.equal(unpack(dataBlock("report", pieces(), compress)), LARGE);
  }
});

Deno.test("dataBlock() leaves small data uncompressed", () => {
  const block = dataBlock("report", ['{"a":', '"<b>"}'], () => assert.fail("nothing to compress"));
  assert.match(
    block,
    /^<script type="application\/json" id="report">\{"a":"\\u003cb>"\}<\/script>$/,
  );
});
