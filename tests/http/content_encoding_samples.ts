/** Bytes below `values` that are the same in every run. */
export function random(length: number, values: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * values);
  });
}

const WORDS =
  "the of and information United States Government first categories document.createElement( The Of THE " +
  "time down life left back code data show only site city open just like free work text year over body " +
  "человек который история القائمة 日本 中文 que está também the, and. \"the\" ='time' Time, TIME=";

/** Text that an encoder finds in Brotli's dictionary, in all the ways that it can be changed. */
export function encodePseudoText(length: number, seed = 1): Uint8Array {
  const words = WORDS.split(" ");
  const picks = random(Math.ceil(length / 2), words.length, seed);
  const text = Array.from(picks, (pick) => words[pick]).join(" ");
  return new TextEncoder().encode(text).slice(0, length);
}
