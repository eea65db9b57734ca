const BASE = 36;
const MIN = 1;
const MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
const LAST_CODE = 0x10ffff;
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

function adapt(delta: number, count: number, first: boolean): number {
  let rest = first ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / count);
  let steps = 0;
  while (rest > ((BASE - MIN) * MAX) >> 1) {
    rest = Math.floor(rest / (BASE - MIN));
    steps += BASE;
  }
  return steps + Math.floor(((BASE - MIN + 1) * rest) / (rest + SKEW));
}

function threshold(digit: number, bias: number): number {
  return Math.min(MAX, Math.max(MIN, digit - bias));
}

/** Undoes Punycode (RFC 3492, section 6.2), without `xn--` and in lower case; null if it is broken. */
export function decodePunycode(text: string): string | null {
  const delimiter = text.lastIndexOf("-");
  const codes = Array.from(text.slice(0, Math.max(delimiter, 0)), (one) => one.charCodeAt(0));
  let code = FIRST_CODE;
  let index = 0;
  let bias = FIRST_BIAS;
  for (let at = delimiter + 1; at < text.length;) {
    const before = index;
    let weight = 1;
    for (let position = BASE;; position += BASE) {
      const digit = DIGITS.indexOf(text[at++] ?? "?");
      if (digit < 0) return null;
      index += digit * weight;
      const limit = threshold(position, bias);
      if (digit < limit) break;
      weight *= BASE - limit;
      if (index > Number.MAX_SAFE_INTEGER / BASE) return null;
    }
    const count = codes.length + 1;
    bias = adapt(index - before, count, before === 0);
    code += Math.floor(index / count);
    index %= count;
    if (code > LAST_CODE || (code >= 0xd800 && code <= 0xdfff)) return null;
    codes.splice(index++, 0, code);
  }
  return String.fromCodePoint(...codes);
}

/** Makes Punycode (RFC 3492, section 6.3), without `xn--`. */
export function encodePunycode(text: string): string {
  const codes = Array.from(text, (one) => one.codePointAt(0) ?? 0);
  const plain = codes.filter((code) => code < FIRST_CODE);
  let encoded = String.fromCodePoint(...plain) + (plain.length > 0 ? "-" : "");
  let bias = FIRST_BIAS;
  let delta = 0;
  let handled = plain.length;
  let next = FIRST_CODE;
  while (handled < codes.length) {
    const lowest = Math.min(...codes.filter((code) => code >= next));
    delta += (lowest - next) * (handled + 1);
    next = lowest;
    for (const code of codes) {
      if (code < next) delta++;
      if (code !== next) continue;
      let rest = delta;
      for (let position = BASE;; position += BASE) {
        const limit = threshold(position, bias);
        if (rest < limit) break;
        const digit = limit + ((rest - limit) % (BASE - limit));
        encoded += DIGITS.charAt(digit);
        rest = Math.floor((rest - limit) / (BASE - limit));
      }
      encoded += DIGITS.charAt(rest);
      bias = adapt(delta, handled + 1, handled === plain.length);
      delta = 0;
      handled++;
    }
    delta++;
    next++;
  }
  return encoded;
}
