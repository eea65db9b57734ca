import { readFileSync } from "node:fs";
import { decodeContent } from "../../src/http/content_encoding.ts";
import { headerLookup } from "../../src/http/headers.ts";
import type { HttpResponse, Interaction } from "../../src/http/interaction.ts";
import type { FormatOptions, RecordingFormat } from "../../src/traffic/formats/recording.ts";
import { type ReadOptions, ReadState } from "../../src/traffic/read/read_state.ts";
import { readDocuments } from "../../src/traffic/read/stream_entries.ts";
import { readRecording, type RecordingSource } from "../../src/traffic/read/read_recording.ts";

/** Everything in a recording. */
export interface WholeRecording {
  readonly interactions: readonly Interaction[];
  readonly warnings: readonly string[];
}

export async function readAll(
  source: RecordingSource,
  location = "traffic",
  options?: ReadOptions,
): Promise<WholeRecording> {
  const recording = readRecording(source, location, options);
  return { interactions: await Array.fromAsync(recording), warnings: recording.warnings };
}

/** Reads a parsed document in a given format. */
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

/** The bytes of a recording in the fixtures. */
export function fixtureBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/recordings/${path}`, import.meta.url)));
}

/** A JSON recording in the fixtures, parsed. */
export function recordingJson(path: string): unknown {
  return JSON.parse(new TextDecoder().decode(fixtureBytes(path)));
}

/** The body of an interaction as text, with one character for each byte that isn't UTF-8. */
export function sentText(interaction: Interaction | undefined): string | undefined {
  return bodyText(interaction?.request.body);
}

/** The body of a response as text, decoded by its Content-Encoding; undefined if there is none. */
export function receivedText(response: HttpResponse | undefined): string | undefined {
  const { body, headers } = response ?? {};
  const encoding = headerLookup(headers).get("content-encoding");
  const isEncoded = encoding !== undefined && body instanceof Uint8Array;
  return bodyText(isEncoded ? decodeContent(body, encoding) : body);
}

function bodyText(body: Interaction["request"]["body"]): string | undefined {
  if (!(body instanceof Uint8Array)) return body ?? undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return Array.from(body, (byte) => String.fromCharCode(byte)).join("");
  }
}

/** Yields bytes in pieces of a size. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.slice(start, start + size);
  }
}

/** Encodes text as UTF-8. */
export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Encodes text with one byte per character. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
