// Tests small files that are large when unpacked or parsed: each is an error, and memory is limited.
import assert from "node:assert/strict";
import { zipSync } from "fflate";
import { Deflate, gzip } from "pako";
import { RecordingError } from "../../src/values/errors.ts";
import { readRecording } from "../../src/traffic/read/read_recording.ts";

/** zlib's `Z_FULL_FLUSH`: the data after it doesn't refer to the data before it. */
const FULL_FLUSH = 3;
const MIB = 2 ** 20;

/** Compresses a text and then the same bytes many times: a few kilobytes, made quickly. */
function bomb(text: string, filler: string, mebibytes: number): Uint8Array {
  const packed = (data: string): Uint8Array => {
    const deflate = new Deflate({ raw: true });
    const parts: Uint8Array[] = [];
    deflate.onData = (bytes) => void parts.push(bytes as Uint8Array);
    deflate.push(new TextEncoder().encode(data), FULL_FLUSH);
    return new Uint8Array(parts.flatMap((part) => [...part]));
  };
  const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
  const block = packed(filler.repeat(MIB / filler.length));
  const start = packed(text);
  const bytes = new Uint8Array(header.length + start.length + block.length * mebibytes);
  bytes.set(header);
  bytes.set(start, header.length);
  for (let index = 0; index < mebibytes; index++) {
    bytes.set(block, header.length + start.length + index * block.length);
  }
  return bytes;
}

async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    for await (const _batch of readRecording(bytes, "bomb").batches());
  } catch (error) {
    assert.ok(error instanceof RecordingError, String(error));
    assert.equal(error.code, "too_large");
    return error.message;
  }
  return "";
}

Deno.test("a gzip that expands to 900 MB is an error of one sentence, whatever its content", async () => {
  const entry = '{"interactions": [{"request": {"method": "POST", "url": "/", "body": "';
  for (
    const [text, filler] of [
      [entry, "aaaa"], // one endless body
      ['{"info": {"schema": "', "aaaa"], // a format that is read as a whole
      ["http_interactions:\n- request: ", "aaaa"], // YAML
      ["", "    "], // only white space
      ['{"request": {"url": "', "aaaa"], // one line
    ] as const
  ) {
    const bytes = bomb(text, filler, 900);
    assert.ok(bytes.length < 3_000_000, `${bytes.length}`);
    assert.match(
      await refusal(bytes),
      /^Cannot read bomb: More than 256 MiB of it would have to be/,
    );
  }
});

Deno.test("small text that is large when parsed is an error of one sentence", async () => {
  const many = 2 ** 24 + 1;
  const cases = [
    `[${"[],".repeat(many)}1]`,
    `{"interactions": [{"request": {"method": "GET", "url": "/", "x": [${"{},".repeat(many)}1]}}]}`,
    `http_interactions:\n${"- {}\n".repeat(2 ** 23 / 2 + 1)}`,
  ];
  for (const text of cases) {
    assert.match(
      await refusal(new TextEncoder().encode(text)),
      /^Cannot read bomb: It has more than [\d,]+ parts \(lists, objects, lines\)/,
    );
  }
  // Brackets in a string don't count.
  const long = JSON.stringify([{
    request: { method: "POST", url: "/", body: "[{".repeat(2 ** 23) },
  }]);
  let interactions = 0;
  for await (const batch of readRecording(long, "long").batches()) interactions += batch.length;
  assert.equal(interactions, 1);
});

Deno.test("a zip is unpacked up to a limit of the size that it declares", async () => {
  const zip = zipSync({ "har.har": new Uint8Array(10) });
  const view = new DataView(zip.buffer, zip.byteOffset);
  const central = zip.findIndex((_, at) =>
    at > 0 && view.getUint32(Math.min(at, zip.length - 4), true) === 0x02014b50
  );
  view.setUint32(central + 24, 900 * MIB, true);
  assert.match(
    await refusal(zip),
    /^Cannot read bomb: The recording in the zip has more than 256 MiB/,
  );
});

Deno.test("data that is compressed several times over is an error of one sentence", async () => {
  let bytes = new TextEncoder().encode('[{"request": {"method": "GET", "url": "/"}}]');
  for (let times = 0; times < 3; times++) bytes = gzip(bytes);
  assert.equal(await refusal(bytes), "");
  assert.match(await refusal(gzip(bytes)), /compressed more than 3 times over/);
});
