import { readFileSync } from "node:fs";
import type { Interaction } from "../../src/http/interaction.ts";
import type { FormatOptions, RecordingFormat } from "../../src/traffic/formats/recording.ts";
import { ReadState } from "../../src/traffic/read/read_state.ts";
import { readDocument } from "../../src/traffic/read/stream_entries.ts";
import { readRecording, type RecordingSource } from "../../src/traffic/read/read_recording.ts";

/** Everything that a recording has. */
export interface WholeRecording {
  readonly interactions: readonly Interaction[];
  readonly warnings: readonly string[];
}

/** Reads a recording to its end. */
export async function readAll(
  source: RecordingSource,
  location = "traffic",
): Promise<WholeRecording> {
  const recording = readRecording(source, location);
  const interactions: Interaction[] = [];
  for await (const interaction of recording) interactions.push(interaction);
  return { interactions, warnings: recording.warnings };
}

/** Reads a parsed document that is taken to be of a format. */
export function readAs(
  format: RecordingFormat,
  value: unknown,
  location = "traffic",
  options: FormatOptions = {},
): WholeRecording {
  const formats = [{ ...format, recognize: () => true }];
  const state = new ReadState(location, { ...options, formats });
  const interactions = readDocument(value, state);
  state.finish();
  return { interactions, warnings: state.warnings };
}

/** The bytes of a recorded fixture. */
export function fixtureBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/recordings/${path}`, import.meta.url)));
}

/** Bytes that arrive in pieces of a size. */
export async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.slice(start, start + size);
  }
}

/** The bytes of a text, in UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** One character per byte. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
