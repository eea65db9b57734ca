import { BROTLI_DICTIONARY } from "./brotli_dictionary.ts";
import { BROTLI_TRANSFORMS } from "./brotli_transforms.ts";
import { decodeBareDeflate } from "./inflate.ts";

const DICTIONARY_SIZE = 122_784;
const SHORTEST = 4;
/** The number of bits that number the words of each length, beginning with the shortest (section 8). */
const INDEX_BITS = [10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5];

let dictionary: Uint8Array | undefined;

/** Unpacked when the first body refers to it. */
function getDictionary(): Uint8Array {
  return dictionary ??= decodeBareDeflate(
    Uint8Array.from(atob(BROTLI_DICTIONARY), (character) => character.charCodeAt(0)),
    DICTIONARY_SIZE,
  );
}

function bytesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

/** Changes letters of one, two and three bytes as section 8 does: what it does is upper case for most. */
function raise(word: Uint8Array, all: boolean): void {
  for (let at = 0; at < word.length;) {
    const byte = word[at] ?? 0;
    const size = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : 3;
    const changed = at + size - 1;
    const old = word[changed];
    if (old !== undefined && (size > 1 || (byte >= 0x61 && byte <= 0x7a))) {
      word[changed] = old ^ (size === 3 ? 5 : 32);
    }
    if (!all) return;
    at += size;
  }
}

/**
 * The bytes that a reference to the dictionary stands for (RFC 7932, section 8).
 *
 * @param reference How far the distance goes beyond the output: number of the word and of its transformation.
 * @returns null if there is no such word.
 */
export function transformWord(reference: number, length: number): Uint8Array | null {
  const bits = INDEX_BITS[length - SHORTEST];
  if (bits === undefined) return null;
  const [before, change, after] = BROTLI_TRANSFORMS[reference >> bits] ?? [];
  if (before === undefined || change === undefined || after === undefined) return null;
  const words = INDEX_BITS.slice(0, length - SHORTEST);
  const first = words.reduce((sum, count, index) => sum + (index + SHORTEST) * 2 ** count, 0);
  const start = first + (reference & ((1 << bits) - 1)) * length;
  const word = getDictionary().slice(start, start + length);
  if (change.startsWith("^")) raise(word, change === "^^");
  const count = Number(change.slice(1)) || 0;
  const kept = change.startsWith("<")
    ? word.subarray(count)
    : change.startsWith(">")
    ? word.subarray(0, Math.max(0, length - count))
    : word;
  return Uint8Array.from([...bytesOf(before), ...kept, ...bytesOf(after)]);
}
