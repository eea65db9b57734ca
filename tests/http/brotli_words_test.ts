import assert from "node:assert/strict";
import zlib from "node:zlib";
import { decodeContent } from "../../src/http/content_encoding.ts";

/** Bits of the dictionary's word numbers, by the length of the words (RFC 7932, section 8). */
const INDEX_BITS: Readonly<Record<number, number>> = {
  4: 10,
  5: 10,
  6: 11,
  7: 11,
  8: 10,
  9: 10,
  10: 10,
};

const TRANSFORMS = 121;

/** Adds bits of a number to a stream, the lowest first. */
type AddBits = (value: number, count: number) => void;

/** A stream with one command: a word of the dictionary, transformed, of which `length` bytes result (section 9.2). */
function wordStream(
  wordLength: number,
  word: number,
  transform: number,
  length: number,
  addLiterals?: (add: AddBits) => void,
): Uint8Array {
  const bits: number[] = [];
  const add: AddBits = (value, count) => {
    for (let bit = 0; bit < count; bit++) bits.push((value >> bit) & 1);
  };
  /** A prefix code of one symbol, which takes no bits. */
  const only = (symbol: number, count: number) => {
    add(1, 2);
    add(0, 2);
    add(symbol, count);
  };
  add(0, 1); // a window of 16 bits
  add(1, 1); // the last block
  add(0, 1); // which isn't empty
  add(0, 2); // has a length of 16 bits
  add(length - 1, 16);
  add(0, 3); // one type of each block
  add(0, 6); // no postfix, no direct distances
  add(0, 2); // the first way to find contexts
  add(0, 2); // one tree for literals, one for distances
  if (addLiterals === undefined) only(0, 8);
  else addLiterals(add);
  // No literals, a copy, a distance of its own; a copy of ten bytes has an extra bit.
  only(wordLength === 10 ? 192 : 128 + wordLength - 2, 10);
  const distance = 1 + word + transform * 2 ** (INDEX_BITS[wordLength] ?? 0);
  for (let code = 0;; code++) {
    const extra = 1 + (code >> 1);
    const first = ((2 + (code & 1)) << extra) - 3;
    if (distance >= first + 2 ** extra) continue;
    only(16 + code, 6);
    if (wordLength === 10) add(0, 1);
    add(distance - first, extra);
    break;
  }
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) {
    bytes[index >> 3] = (bytes[index >> 3] ?? 0) | bit << (index & 7);
  }
  return bytes;
}

/** What node:zlib makes of a word, and the stream that says so: it accepts the right length only. */
function transformed(wordLength: number, word: number, transform: number) {
  for (let length = 1; length < 40; length++) {
    const stream = wordStream(wordLength, word, transform, length);
    try {
      const expected = zlib.brotliDecompressSync(stream).toString("latin1");
      // Deno's gives nothing where Node.js's throws.
      if (expected.length === length) return { stream, expected };
    } catch {
      // another length
    }
  }
  return undefined;
}

Deno.test("each transformation of a word of br is that of node:zlib", () => {
  const seen = new Set<string>();
  for (let transform = 0; transform < TRANSFORMS; transform++) {
    for (const [length, word] of [[4, 0], [6, 3], [10, 700]] as const) {
      const found = transformed(length, word, transform);
      // A transformation that leaves nothing of a word can't be the only thing in a stream.
      if (found === undefined) continue;
      const decoded = new TextDecoder("latin1").decode(decodeContent(found.stream, "br"));
      assert.equal(decoded, found.expected, `transformation ${transform} of ${length}, ${word}`);
      seen.add(`${transform}`);
    }
  }
  assert.equal(seen.size, TRANSFORMS);
});

Deno.test("a transformation that doesn't exist is corrupt", () => {
  assert.equal(transformed(4, 0, TRANSFORMS), undefined);
  assert.throws(() => decodeContent(wordStream(4, 0, TRANSFORMS, 4), "br"), { code: "corrupt" });
});

Deno.test("a prefix code of more symbols than there are, or of none, is corrupt", () => {
  /** Literals whose lengths are all told by one symbol, which stands at an index of the order of section 3.5. */
  const literals = (at: number, bits: number, lengths: readonly number[]) =>
    wordStream(4, 0, 0, 4, (add) => {
      add(0, 2);
      for (let index = 0; index < 18; index++) add(index === at ? 2 : 0, 2);
      for (const length of lengths) add(length, bits);
    });
  // Symbol 16 repeats the last length, of 8 bits at first: 5, then 17, 65 and 256 or 257 times in all.
  assert.equal(decodeContent(literals(8, 2, [2, 2, 2, 1]), "br").length, 4);
  assert.throws(() => decodeContent(literals(8, 2, [2, 2, 2, 2]), "br"), {
    code: "corrupt",
    message: /a code has too many symbols/,
  });
  // Symbol 17 repeats that there is no code: 5, then 33 and 256 times in all.
  assert.throws(() => decodeContent(literals(6, 3, [2, 6, 5]), "br"), {
    code: "corrupt",
    message: /a prefix code is not complete/,
  });
});
