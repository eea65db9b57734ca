import { readFilePieces } from "../../files/files.ts";
import type { ListParts, ListPlace, PartResult } from "../../traffic/read/list_parts.ts";
import { findCuts } from "../../traffic/stream/find_cuts.ts";
import type { PartJob } from "./job.ts";

/** A file that is read in parts. */
export interface FilePartsOptions {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** About how long a part is. */
  readonly partBytes: number;
  /** Records parts, and gives what came of them in their order. */
  run(jobs: readonly PartJob[]): Promise<readonly PartResult[]>;
  /** Counts bytes that are read after the parts. */
  counted(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** Cuts the lists of a file into parts and has them recorded. */
export function fileParts(options: FilePartsOptions): ListParts {
  const { path, size, partBytes } = options;
  const readAt = (start: number, length: number) =>
    joined(readFilePieces(path, { start, end: start + length }), length);
  return {
    read: async ({ list, separator, offset }: ListPlace) => {
      const cuts = await findCuts(readAt, offset, size, partBytes, separator);
      const end = cuts.at(-1);
      if (cuts.length < 3 || end === undefined) return undefined;
      const jobs = cuts.slice(1).map((end, index): PartJob => ({
        kind: "part",
        path,
        start: cuts[index] ?? offset,
        end,
        list,
        separator,
      }));
      const results = await options.run(jobs);
      return { results, end, rest: options.counted(readFilePieces(path, { start: end })) };
    },
  };
}

/** All pieces in one, of at most that length. */
async function joined(pieces: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const piece of pieces) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes.subarray(0, filled);
}
