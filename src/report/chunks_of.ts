const CHUNK = 1 << 16;

/** Joins short pieces of a report to chunks, since each costs something to write. */
export function* chunksOf(pieces: Iterable<string>): Generator<string, void, undefined> {
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length >= CHUNK) {
      yield chunk;
      chunk = "";
    }
  }
  if (chunk !== "") yield chunk;
}
