import assert from "node:assert/strict";
import { recognizePacking } from "../../../src/traffic/read/unpack.ts";

Deno.test("recognizePacking() checks all bytes that identify a kind of file", () => {
  const cases = [
    [[0x1f, 0x8b, 8, 0], "gzip"],
    [[0x1f, 0x8c, 8, 0], "utf-8"],
    [[0x50, 0x4b, 3, 4], "zip"],
    [[0x51, 0x4b, 3, 4], "utf-8"],
    [[0x50, 0x4c, 3, 4], "utf-8"],
    [[0x50, 0x4b, 5, 4], "utf-8"],
    [[0x50, 0x4b, 3, 3], "utf-8"],
    [[0x78, 0x01], "zlib"],
    [[0x78, 0x9c], "zlib"],
    [[0x78, 0xda], "zlib"],
    [[0x78, 0x9d], "utf-8"], // wrong check bits
    [[0x78, 0x20], "utf-8"], // needs a dictionary
    [[0x58, 0x09], "utf-8"], // a smaller window
    [[0xff, 0xfe, 0x7b, 0], "utf-16le"],
    [[0xfe, 0xff, 0, 0x7b], "utf-16be"],
    [[0xff, 0xff], "utf-8"],
    [[], "utf-8"],
  ] as const;
  for (const [bytes, expected] of cases) {
    assert.equal(recognizePacking(Uint8Array.from(bytes)), expected, bytes.join(" "));
  }
});
