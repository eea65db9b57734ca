/** Chooses one of 64 codes for a literal by the two bytes before it (RFC 7932, section 7.1). */
export type Context = (last: number, beforeLast: number) => number;

/** Classes of the last byte where it is ASCII: digits of base 16, to be taken times four. */
const ASCII_CLASSES =
  "000000000110010000000000000000002343353467338393bbbbbbbbbb886a733cdddcdddcdddddcdddddcddddd637333efffefffefffffefffffefffff63730";

function lastClass(byte: number): number {
  if (byte < 0x80) return Number.parseInt(ASCII_CLASSES.charAt(byte), 16) * 4;
  return (byte < 0xc0 ? 0 : 2) + (byte & 1);
}

function beforeLastClass(byte: number): number {
  if (byte >= 0xe0) return 2;
  if (byte <= 0x20 || byte >= 0x7f) return 0;
  const character = String.fromCharCode(byte);
  if (/[a-z]/.test(character)) return 3;
  return /[A-Z\d]/.test(character) ? 2 : 1;
}

function signedClass(byte: number): number {
  const steps = [0x01, 0x10, 0x40, 0x80, 0xc0, 0xf0, 0xff];
  return steps.filter((step) => byte >= step).length;
}

function tableOf(classOf: (byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => classOf(byte));
}

let contexts: readonly Context[] | undefined;

function createContexts(): readonly Context[] {
  const last = tableOf(lastClass);
  const beforeLast = tableOf(beforeLastClass);
  const signed = tableOf(signedClass);
  return [
    (one) => one & 0x3f,
    (one) => one >> 2,
    (one, other) => (last[one] ?? 0) | (beforeLast[other] ?? 0),
    (one, other) => (signed[one] ?? 0) << 3 | (signed[other] ?? 0),
  ];
}

/** The context of a mode, 0 to 3: the low bits, the high bits, UTF-8, or signed numbers. */
export function contextOf(mode: number): Context {
  contexts ??= createContexts();
  return contexts[mode] ?? (() => 0);
}
