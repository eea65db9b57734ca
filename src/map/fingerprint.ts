/**
 * A text that differs for values that differ: FNV-1a over what each says as JSON, and its length.
 * It tells slips apart, and isn't proof against intent.
 *
 * @param ignored The name of members that make no difference.
 */
export function fingerprint(values: Iterable<unknown>, ignored: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  let length = 0;
  for (const value of values) {
    const text = textOf(value, ignored);
    length += text.length;
    for (let index = 0; index < text.length; index++) {
      // Two lanes of 32 bits, each FNV-1a with its own start.
      high = Math.imul(high ^ text.charCodeAt(index), 0x01000193);
      low = Math.imul(low ^ (text.charCodeAt(index) + 0x5bd1), 0x01000193);
    }
  }
  return `${(high >>> 0).toString(16)}${(low >>> 0).toString(16)}-${length}`;
}

function textOf(value: unknown, ignored: string): string {
  const text = JSON.stringify(value) ?? "";
  // Leaving something out takes several times as long, and most descriptions have none of it.
  if (!text.includes(JSON.stringify(ignored))) return text;
  return JSON.stringify(value, (name, member) => name === ignored ? undefined : member) ?? "";
}
