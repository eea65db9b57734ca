/**
 * The fingerprint of values as format 1 of hits has it: FNV-1a over what each says as JSON, and its length.
 */
export function firstFingerprint(values: Iterable<unknown>): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  let length = 0;
  for (const value of values) {
    const text = JSON.stringify(value) ?? "";
    length += text.length;
    for (let index = 0; index < text.length; index++) {
      // Two lanes of 32 bits, each FNV-1a with its own start.
      high = Math.imul(high ^ text.charCodeAt(index), 0x01000193);
      low = Math.imul(low ^ (text.charCodeAt(index) + 0x5bd1), 0x01000193);
    }
  }
  return `${(high >>> 0).toString(16)}${(low >>> 0).toString(16)}-${length}`;
}
