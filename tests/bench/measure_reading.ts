import { createReadStream, readFileSync, statSync } from "node:fs";
import { readRecording } from "../../src/traffic/read/read_recording.ts";
import { megabytes } from "./measured.ts";

const CHUNK_BYTES = 1 << 18;

/** Megabytes per second of wall-clock time to read or `JSON.parse` a recording, and the peak of memory. */
export async function measureReading(how: string, path: string) {
  let interactions = 0;
  const text = how === "parse" ? readFileSync(path, "utf8") : "";
  const document = path.endsWith("lines") ? `[${text.trimEnd().replaceAll("\n", ",")}]` : text;
  const start = performance.now();
  if (how === "parse") JSON.parse(document);
  else {
    const recording = readRecording(createReadStream(path, { highWaterMark: CHUNK_BYTES }), path);
    for await (const batch of recording.batches()) interactions += batch.length;
    if (recording.warnings.length > 0) throw new Error(recording.warnings.join("\n"));
  }
  const seconds = (performance.now() - start) / 1000;
  return { rate: statSync(path).size / 1e6 / seconds, interactions, peak: megabytes() };
}
