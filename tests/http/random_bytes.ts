/** Makes random bytes below `values`, the same in every run. */
export function randomBytes(length: number, values: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * values);
  });
}
