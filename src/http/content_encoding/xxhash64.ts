// 64-bit numbers are kept as two halves: BigInt would take most of the time that decoding takes.

interface Wide {
  readonly high: number;
  readonly low: number;
}

function wide(high: number, low: number): Wide {
  return { high: high >>> 0, low: low >>> 0 };
}

const PRIME_1 = wide(0x9e3779b1, 0x85ebca87);
const PRIME_2 = wide(0xc2b2ae3d, 0x27d4eb4f);
const PRIME_3 = wide(0x165667b1, 0x9e3779f9);
const PRIME_4 = wide(0x85ebca77, 0xc2b2ae63);
const PRIME_5 = wide(0x27d4eb2f, 0x165667c5);
const ZERO = wide(0, 0);

function add(one: Wide, other: Wide): Wide {
  const low = one.low + other.low;
  return wide(one.high + other.high + (low > 0xffffffff ? 1 : 0), low);
}

function multiply(one: Wide, other: Wide): Wide {
  const [a, b] = [one.low & 0xffff, one.low >>> 16];
  const [c, d] = [other.low & 0xffff, other.low >>> 16];
  const middle = b * c + ((a * c) >>> 16);
  const rest = a * d + (middle & 0xffff);
  const carried = b * d + Math.floor(middle / 0x10000) + Math.floor(rest / 0x10000);
  return wide(
    carried + Math.imul(one.high, other.low) + Math.imul(one.low, other.high),
    Math.imul(one.low, other.low),
  );
}

function xor(one: Wide, other: Wide): Wide {
  return wide(one.high ^ other.high, one.low ^ other.low);
}

/** Rotates to the left by fewer than 32 bits. */
function rotate({ high, low }: Wide, bits: number): Wide {
  return wide(high << bits | low >>> (32 - bits), low << bits | high >>> (32 - bits));
}

function shiftRight({ high, low }: Wide, bits: number): Wide {
  return bits >= 32
    ? wide(0, high >>> (bits - 32))
    : wide(high >>> bits, low >>> bits | high << (32 - bits));
}

function round(lane: Wide, input: Wide): Wide {
  return multiply(rotate(add(lane, multiply(input, PRIME_2)), 31), PRIME_1);
}

function merge(hash: Wide, lane: Wide): Wide {
  return add(multiply(xor(hash, round(ZERO, lane)), PRIME_1), PRIME_4);
}

/** The low 32 bits of XXH64 with the seed 0: the checksum of Zstandard (RFC 8878, section 3.1.1). */
export function xxhash64(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wideAt = (at: number): Wide => wide(view.getUint32(at + 4, true), view.getUint32(at, true));
  let at = 0;
  let hash = PRIME_5;
  if (bytes.length >= 32) {
    let one = add(PRIME_1, PRIME_2);
    let two = PRIME_2;
    let three = ZERO;
    let four = wide(~PRIME_1.high + (PRIME_1.low === 0 ? 1 : 0), -PRIME_1.low);
    for (; at + 32 <= bytes.length; at += 32) {
      one = round(one, wideAt(at));
      two = round(two, wideAt(at + 8));
      three = round(three, wideAt(at + 16));
      four = round(four, wideAt(at + 24));
    }
    hash = add(add(rotate(one, 1), rotate(two, 7)), add(rotate(three, 12), rotate(four, 18)));
    for (const lane of [one, two, three, four]) hash = merge(hash, lane);
  }
  hash = add(hash, wide(0, bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = add(multiply(rotate(xor(hash, round(ZERO, wideAt(at))), 27), PRIME_1), PRIME_4);
  }
  if (at + 4 <= bytes.length) {
    const mixed = xor(hash, multiply(wide(0, view.getUint32(at, true)), PRIME_1));
    hash = add(multiply(rotate(mixed, 23), PRIME_2), PRIME_3);
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash = multiply(rotate(xor(hash, multiply(wide(0, view.getUint8(at)), PRIME_5)), 11), PRIME_1);
  }
  hash = multiply(xor(hash, shiftRight(hash, 33)), PRIME_2);
  hash = multiply(xor(hash, shiftRight(hash, 29)), PRIME_3);
  return xor(hash, shiftRight(hash, 32)).low;
}
