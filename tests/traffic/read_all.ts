import { readFileSync } from "node:fs";
import { decodeContent } from "../../src/http/content_encoding.ts";
import { headerLookup } from "../../src/http/headers.ts";
import type { HttpResponse, Interaction } from "../../src/http/interaction.ts";
import type { FormatOptions, RecordingFormat } from "../../src/traffic/formats/recording.ts";
import { type ReadOptions, ReadState } from "../../src/traffic/read/read_state.ts";
import { readDocuments } from "../../src/traffic/read/stream_entries.ts";
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
  options?: ReadOptions,
): Promise<WholeRecording> {
  const recording = readRecording(source, location, options);
  return { interactions: await Array.fromAsync(recording), warnings: recording.warnings };
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
  const interactions = readDocuments([value], state);
  state.finish();
  return { interactions, warnings: state.warnings };
}

/** The bytes of a recorded fixture. */
export function fixtureBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/recordings/${path}`, import.meta.url)));
}

/** A recorded fixture that is JSON. */
export function recordingJson(path: string): unknown {
  return JSON.parse(new TextDecoder().decode(fixtureBytes(path)));
}

/** The body of an interaction as text, one character for each byte that is no UTF-8. */
export function sentText(interaction: Interaction | undefined): string | undefined {
  return textOf(interaction?.request.body);
}

/** The body of a response as text, with its Content-Encoding undone; undefined if there is none. */
export function receivedText(response: HttpResponse | undefined): string | undefined {
  const { body, headers } = response ?? {};
  const encoding = headerLookup(headers).get("content-encoding");
  const isEncoded = encoding !== undefined && body instanceof Uint8Array;
  return textOf(isEncoded ? decodeContent(body, encoding) : body);
}

function textOf(body: Interaction["request"]["body"]): string | undefined {
  if (!(body instanceof Uint8Array)) return body ?? undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return Array.from(body, (byte) => String.fromCharCode(byte)).join("");
  }
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
