import type { MeasuredMap } from "../load_apis.ts";
import { readFilePieces } from "../../files/files.ts";
import type { FormatOptions } from "../../traffic/formats/recording_format.ts";
import type { ListPlace, ReadParts } from "../../traffic/read/streamed_list.ts";
import { findCuts } from "../../traffic/stream/find_cuts.ts";
import { counted, type OnRead, type ParallelReader } from "../recordings_reader.ts";
import type { FileJob, PartJob } from "./job.ts";
import type { Shares } from "./share_recordings.ts";
import type { WorkerPool } from "./worker_pool.ts";

/**
 * Records on a pool of workers what several threads can share: whole files, and parts of large ones.
 *
 * @param map The main thread's map.
 * @param options What formats are read with.
 * @param carry Whether hits of another description are carried over.
 */
export function readWithPool(
  pool: WorkerPool,
  map: MeasuredMap,
  { whole, cut, partBytes }: Shares,
  options: FormatOptions,
  carry: boolean | undefined,
): ParallelReader {
  /** Cuts a list of a file into parts and records them; undefined if it is too short. */
  async function readParts(
    path: string,
    size: number,
    { list, separator, offset }: ListPlace,
    onRead: OnRead,
  ): Promise<ReadParts | undefined> {
    const readAt = (start: number, length: number) =>
      joined(readFilePieces(path, { start, end: start + length }), length);
    const cuts = await findCuts(readAt, offset, size, partBytes, separator);
    const end = cuts.at(-1);
    if (cuts.length < 3 || end === undefined) return undefined;
    const jobs = cuts.slice(1).map((end, index): PartJob => {
      const start = cuts[index] ?? offset;
      return { kind: "part", path, start, end, list, separator };
    });
    const results = await pool.run(jobs, map, onRead);
    return { results, end, rest: counted(readFilePieces(path, { start: end }), onRead) };
  }

  return {
    files: async (onRead) => {
      const jobs = whole.map((recording): FileJob => ({ kind: "file", recording, options, carry }));
      const results = await pool.run(jobs, map, onRead);
      return new Map(jobs.map(({ recording }, index) => {
        const result = results[index];
        if (result === undefined) throw new TypeError(`No thread read ${recording.path}.`);
        return [recording, result];
      }));
    },
    partsOf: (recording, onRead) => {
      const size = cut.get(recording);
      if (size === undefined) return undefined;
      return { read: (place) => readParts(recording.path, size, place, onRead) };
    },
  };
}

/** All pieces joined, at most `length` bytes. */
async function joined(pieces: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const piece of pieces) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes.subarray(0, filled);
}
