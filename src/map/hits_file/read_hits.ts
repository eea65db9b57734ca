import { RecordingError } from "../../values/errors.ts";
import { HITS_START, VERSION } from "../../values/version.ts";
import { HitsProblem } from "./content_check.ts";
import { isEvidenceKind } from "../evidence.ts";
import { checksum } from "../value_hash.ts";
import { PART_ITSELF } from "./evidence_entry.ts";
import {
  checkHits,
  CHECKSUM_START,
  HITS_FORMAT,
  type HitsDescription,
  type HitsFile,
} from "./hits_format.ts";

/** The format before the current one, with hashes in evidence and violations. */
const FORMAT_WITH_HASHES = 3;

const LINE_FEED = 0x0a;
const SPACE = 0x20;
/** The maximum length in bytes of a line from the checksum to its end. */
const MAX_ENDING_LENGTH = 100;

const NO_HITS =
  "This is no hits file. Pass what exportHits() returned, or a file that --format hits wrote.";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the hits of each line, as files can be joined. Throws a RecordingError, or a TypeError unless given bytes. */
export function readHits(bytes: Uint8Array, location: string): HitsFile[] {
  if (!ArrayBuffer.isView(bytes)) {
    throw new TypeError("mergeHits() takes a Uint8Array: the bytes of one hits file or several.");
  }
  const lines = splitHitsLines(bytes).map(trimLine);
  if (lines.every(({ length }) => length === 0)) {
    throw hitsError("It is empty. Write the hits again.", "empty", location);
  }
  return lines.map((line) => readLine(line, location));
}

function readLine(line: Uint8Array, location: string): HitsFile {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch (cause) {
    throw unreadableError(line, location, cause);
  }
  if (typeof value !== "object" || value === null || !("covtool_hits" in value)) {
    throw hitsError(NO_HITS, "not_hits", location);
  }
  const format = value.covtool_hits;
  const version: unknown = "covtool" in value ? value.covtool : undefined;
  const writer = typeof version === "string"
    ? `covtool ${version.slice(0, 40)}`
    : "another version of covtool";
  try {
    if (format === HITS_FORMAT || format === FORMAT_WITH_HASHES) {
      verifyChecksum(line, location);
      if (format !== HITS_FORMAT) value = JSON.parse(decoder.decode(line), withoutHashes);
      checkHits(value);
      return value;
    }
  } catch (error) {
    if (!(error instanceof HitsProblem)) throw error;
    const advice = error.code === "unknown_member"
      ? `It was written by ${writer}, and this is ${VERSION}. Update covtool.`
      : "Write the hits again.";
    throw hitsError(`It ${error.message}. ${advice}`, error.code, location, error);
  }
  throw hitsError(
    `It has format ${
      JSON.stringify(format)
    } of hits, written by ${writer}. covtool ${VERSION} reads formats ${FORMAT_WITH_HASHES} and ${HITS_FORMAT}. Use the same version of covtool to write and to merge hits.`,
    "hits_format",
    location,
  );
}

/** Removes the hashes of keywords that evidence and violations had; an empty one was for `required` of a parameter. */
function withoutHashes(name: string, value: unknown): unknown {
  const at = name === "violations" ? 4 : isEvidenceKind(name) ? 5 : -1;
  if (at < 0 || !Array.isArray(value)) return value;
  return value.map((entry: unknown) => {
    if (!Array.isArray(entry)) return entry;
    const kept = entry.toSpliced(at, 1);
    return at === 5 && entry[at] === "" ? kept.with(2, PART_ITSELF) : kept;
  });
}

function verifyChecksum(line: Uint8Array, location: string): void {
  const ending = decoder.decode(
    line.subarray(Math.max(0, line.length - MAX_ENDING_LENGTH)).filter((byte) => byte < 0x80),
  );
  const start = ending.lastIndexOf(CHECKSUM_START);
  const content = line.subarray(0, line.length - (ending.length - start));
  if (start >= 0 && ending.slice(start + CHECKSUM_START.length) === `${checksum(content)}"}`) {
    return;
  }
  throw hitsError(
    "It is damaged: its checksum doesn't match its content. Copy the file again unchanged, or write the hits again.",
    "damaged",
    location,
  );
}

function unreadableError(line: Uint8Array, location: string, cause: unknown): RecordingError {
  const start = encoder.encode(HITS_START);
  if (!start.every((byte, index) => line[index] === byte)) {
    return hitsError(NO_HITS, "not_hits", location, cause);
  }
  const isTruncated = line.at(-1) !== 0x7d;
  return hitsError(
    isTruncated
      ? `It is cut off after ${
        line.length.toLocaleString("en-US")
      } bytes. Copy the whole file again, or write the hits again.`
      : "It is damaged. Copy the file again unchanged, or write the hits again.",
    isTruncated ? "cut" : "damaged",
    location,
    cause,
  );
}

function hitsError(
  sentence: string,
  code: string,
  location: string,
  cause?: unknown,
): RecordingError {
  return new RecordingError(sentence, { code, location, cause });
}

function trimLine(line: Uint8Array): Uint8Array {
  const isText = (byte: number): boolean => byte > SPACE;
  return line.subarray(Math.max(0, line.findIndex(isText)), line.findLastIndex(isText) + 1);
}

/** The description precedes all members that can be long. */
const HEAD_BYTES = 1 << 16;
const DESCRIPTION = /"description":(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/;

/** Reads the description at the start of a line; undefined if unreadable, as a full read reports what is wrong. */
export function readHitsHead(line: Uint8Array): Partial<HitsDescription> | undefined {
  const text = new TextDecoder().decode(line.subarray(0, HEAD_BYTES));
  const [, description] = DESCRIPTION.exec(text) ?? [];
  if (description === undefined) return undefined;
  try {
    const value = JSON.parse(description) as Readonly<Record<string, unknown>>;
    const texts = Object.entries(value).filter(([, member]) => typeof member === "string");
    return Object.fromEntries(texts);
  } catch {
    return undefined;
  }
}

/** Returns nonempty lines. Bytes without any are returned as one line, so that reading it reports the error. */
export function splitHitsLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => byte > 0x20)) lines.push(line);
    start = end;
  }
  return lines.length > 0 ? lines : [bytes];
}
