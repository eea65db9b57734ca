/** Finds a small input that still fails, by leaving out pieces, the largest first. */
export async function minimise(
  input: Uint8Array,
  fails: (input: Uint8Array) => Promise<boolean>,
  attempts = 2000,
): Promise<Uint8Array> {
  let best = input;
  let left = attempts;
  for (let size = best.length >> 1; size > 0;) {
    let isSmaller = false;
    for (let at = 0; at < best.length && left > 0;) {
      const shorter = without(best, at, at + size);
      left--;
      if (await fails(shorter)) {
        best = shorter;
        isSmaller = true;
      } else at += size;
    }
    if (left <= 0) return best;
    if (!isSmaller) size >>= 1;
    else size = Math.min(size, best.length >> 1);
  }
  return best;
}

function without(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const after = bytes.subarray(end);
  const all = new Uint8Array(start + after.length);
  all.set(bytes.subarray(0, start));
  all.set(after, start);
  return all;
}
