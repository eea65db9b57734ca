import type { Random } from "../corpus/random.ts";

/** Tokens that parsers treat specially. */
const TOKENS = [
  ...["{", "}", "[", "]", '"', ",", ":", "\n", "\r\n", "\t", "\\", "\\u0000", "\u0000", "%", "%zz"],
  ...["'", "-", "- ", "#", "&a", "*a", "|", ">", "!!", "<<: *a", "---\n", "...", "? ", "\ufeff"],
  ...["\ufffd", "\ud7ff", "1e999", "-0", "null", "NaN", "\x1f\x8b", "PK\x03\x04", " ", "=", "&"],
  ";",
].map((token) => new TextEncoder().encode(token));

/** A copy of bytes with a few changes: bits flipped; pieces removed, repeated or moved; tokens inserted; a cut end. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let all: Uint8Array = bytes.slice();
  for (let count = 1 + random.below(6); count > 0; count--) {
    const at = random.below(all.length + 1);
    const end = Math.min(all.length, at + 1 + random.below(random.oneIn(4) ? 2000 : 20));
    switch (random.below(6)) {
      case 0:
        if (at < all.length) all[at] = (all[at] as number) ^ (1 << random.below(8)); // within its bounds
        break;
      case 1:
        all = join(all.subarray(0, at), all.subarray(end));
        break;
      case 2:
        all = join(all.subarray(0, end), all.subarray(at));
        break;
      case 3:
        all = join(all.subarray(0, at), random.pick(TOKENS), all.subarray(at));
        break;
      case 4: {
        const to = random.below(all.length + 1);
        all = join(all.subarray(0, to), all.subarray(at, end), all.subarray(to));
        break;
      }
      default:
        if (random.oneIn(3)) all = all.slice(0, at);
    }
  }
  return all;
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
