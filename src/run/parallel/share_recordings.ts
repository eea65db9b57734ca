import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { readFilePieces } from "../../files/files.ts";
import { STANDARD_INPUT } from "../../files/file_identity.ts";
import { formatOfText } from "../../traffic/read/read_text_log.ts";
import type { FoundRecording } from "../find_recordings.ts";

/** Bytes of traffic from which several threads are faster: with less, starting them takes longer than they save. */
const WORTH_IT = 1 << 27;
/** Most threads by default. */
const MOST = 4;
/** Files that would have fewer parts are not cut. */
const FEWEST_PARTS = 4;

/** The division of recordings among threads. */
export interface Shares {
  /** The number of threads, including the main one. */
  readonly threads: number;
  /** Each read by one thread, the largest first. */
  readonly whole: readonly FoundRecording[];
  /** Read by all threads in parts if their lists allow it, with their sizes in bytes. */
  readonly cut: ReadonlyMap<FoundRecording, number>;
  /** About how many bytes a part has. */
  readonly partBytes: number;
}

/**
 * Divides recordings among threads.
 *
 * @param threads The number that the user asked for; undefined if covtool decides.
 * @param partBytes About how many bytes a part of a file has.
 * @param logFormat The log format of nginx or Apache that access logs have.
 * @returns Undefined if one thread is as fast.
 */
export async function shareRecordings(
  found: readonly FoundRecording[],
  threads: number | undefined,
  partBytes: number,
  logFormat?: string,
): Promise<Shares | undefined> {
  const count = threads ?? Math.min(MOST, availableParallelism());
  if (count < 2) return undefined;
  const whole: { readonly recording: FoundRecording; readonly size: number }[] = [];
  const cut = new Map<FoundRecording, number>();
  let total = 0;
  for (const recording of found) {
    const size = await sizeOf(recording);
    // If several threads fail, one has to be able to read it again.
    if (size === undefined) return undefined;
    total += size;
    if (size >= FEWEST_PARTS * partBytes && await isPlain(recording, logFormat)) {
      cut.set(recording, size);
    } else whole.push({ recording, size });
  }
  if (whole.length < 2) whole.pop();
  if (whole.length + cut.size === 0 || (threads === undefined && total < WORTH_IT)) {
    return undefined;
  }
  whole.sort((left, right) => right.size - left.size);
  return { threads: count, whole: whole.map(({ recording }) => recording), cut, partBytes };
}

/** Undefined if it can be read only once, or not at all; reading it reports why. */
async function sizeOf({ path }: FoundRecording): Promise<number | undefined> {
  if (path === STANDARD_INPUT) return undefined;
  try {
    const status = await stat(path);
    return status.isFile() ? status.size : undefined;
  } catch {
    return undefined;
  }
}

/** JSON and logs; compressed files and those with a byte order mark can be read from their beginning only. */
async function isPlain(
  { path }: FoundRecording,
  logFormat: string | undefined,
): Promise<boolean> {
  try {
    for await (const start of readFilePieces(path, { start: 0, end: 1 << 16 })) {
      const text = new TextDecoder("latin1").decode(start);
      return /^[ \t\r\n]*[[{]/.test(text) || formatOfText(text, undefined, logFormat) !== undefined;
    }
  } catch {
    // reading it reports why
  }
  return false;
}
