import { RecordingError } from "../../values/errors.ts";
import { HITS_START } from "../../values/hits_start.ts";
import { VERSION } from "../../values/version.ts";
import { checkHits, HitsProblem } from "./check_hits.ts";
import { checksumOf } from "../checksum.ts";
import { CHECKSUM_START, HITS_FORMAT, type HitsFile } from "./hits_format.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
/** Without names; only the version that wrote it can read it. */
const FIRST_FORMAT = 1;
/** The longest distance of a checksum from the end of its line, in bytes. */
const LONGEST_ENDING = 100;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The hits of a file: those of each line, since files can be joined.
 *
 * @param location The name of the file in errors.
 * @param upgrade Makes today's format of format 1.
 * @throws {RecordingError} where they can't be read.
 * @throws {TypeError} where they are no bytes.
 */
export function readHits(
  bytes: Uint8Array,
  location: string,
  upgrade: (old: unknown) => HitsFile,
): HitsFile[] {
  if (!ArrayBuffer.isView(bytes)) {
    throw new TypeError("mergeHits() takes a Uint8Array: the bytes of one hits file or several.");
  }
  const files: HitsFile[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    const line = trimmed(bytes.subarray(start, end));
    if (line.length > 0) files.push(readLine(line, location, upgrade));
    start = end + 1;
  }
  if (files.length > 0) return files;
  throw failure("It is empty. Write the hits again.", "empty", location);
}

function readLine(
  line: Uint8Array,
  location: string,
  upgrade: (old: unknown) => HitsFile,
): HitsFile {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch (cause) {
    throw unreadable(line, location, cause);
  }
  if (typeof value !== "object" || value === null || !("covtool_hits" in value)) {
    throw failure(
      "This is no hits file. Pass what exportHits() returned, or a file that --format hits wrote.",
      "not_hits",
      location,
    );
  }
  const format = value.covtool_hits;
  const version: unknown = "covtool" in value ? value.covtool : undefined;
  const writer = typeof version === "string"
    ? `covtool ${version.slice(0, 40)}`
    : "another version of covtool";
  try {
    if (format === FIRST_FORMAT) return upgrade(value);
    if (format === HITS_FORMAT) {
      checkSum(line, location);
      checkHits(value);
      return value;
    }
  } catch (error) {
    if (!(error instanceof HitsProblem)) throw error;
    const advice = error.code === "unknown_member"
      ? `It was written by ${writer}, and this is ${VERSION}. Update covtool.`
      : "Write the hits again.";
    throw failure(`It ${error.message}. ${advice}`, error.code, location, error);
  }
  throw failure(
    `It has format ${
      JSON.stringify(format)
    } of hits, written by ${writer}. covtool ${VERSION} reads format ${HITS_FORMAT}. Use the same version of covtool to write and to merge hits.`,
    "hits_format",
    location,
  );
}

function checkSum(line: Uint8Array, location: string): void {
  const ending = decoder.decode(
    line.subarray(Math.max(0, line.length - LONGEST_ENDING)).filter(isAscii),
  );
  const start = ending.lastIndexOf(CHECKSUM_START);
  const said = start < 0
    ? undefined
    : /^([^"]*)"\}$/.exec(ending.slice(start + CHECKSUM_START.length))?.[1];
  const content = line.subarray(0, line.length - (ending.length - start));
  if (said !== undefined && said === checksumOf(content)) return;
  throw failure(
    "It is damaged: its checksum doesn't match its content. Copy the file again unchanged, or write the hits again.",
    "damaged",
    location,
  );
}

function isAscii(byte: number): boolean {
  return byte < 0x80;
}

/** The error for a line that is no JSON. */
function unreadable(line: Uint8Array, location: string, cause: unknown): RecordingError {
  const start = encoder.encode(HITS_START);
  if (!start.every((byte, index) => line[index] === byte)) {
    return failure(
      "This is no hits file. Pass what exportHits() returned, or a file that --format hits wrote.",
      "not_hits",
      location,
      cause,
    );
  }
  const isCut = line.at(-1) !== 0x7d;
  return failure(
    isCut
      ? `It is cut off after ${
        line.length.toLocaleString("en-US")
      } bytes. Copy the whole file again, or write the hits again.`
      : "It is damaged. Copy the file again unchanged, or write the hits again.",
    isCut ? "cut" : "damaged",
    location,
    cause,
  );
}

function failure(
  sentence: string,
  code: string,
  location: string,
  cause?: unknown,
): RecordingError {
  return new RecordingError(sentence, { code, location, cause });
}

/** Without the spaces around it. */
function trimmed(line: Uint8Array): Uint8Array {
  let start = 0;
  let end = line.length;
  while (start < end && isSpace(line[start] as number)) start++; // within its bounds
  while (end > start && isSpace(line[end - 1] as number)) end--;
  return line.subarray(start, end);
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === CARRIAGE_RETURN || byte === 0x09;
}
