import type { TakeHits } from "./read_hits_lines.ts";
import { RecordingError } from "../../values/errors.ts";
import { FORMATS } from "../formats/formats.ts";
import { type FormatOptions, Problems, type RecordingFormat } from "../formats/recording.ts";
import { type ListParts, type PartResult, shiftPlace } from "./streamed_list.ts";

export type FindFile = (name: string) => Promise<Uint8Array | undefined>;

export interface ReadOptions extends FormatOptions {
  readonly formats?: readonly RecordingFormat[] | undefined;
  /** Reads the middle of long lists elsewhere if the recording isn't packed; by default all is read here. */
  readonly parts?: ListParts | undefined;
  readonly takeHits?: TakeHits | undefined;
  readonly findFile?: FindFile | undefined;
}

/** The state of reading one recording: what it is read with, and what could not be used so far. */
export class ReadState {
  readonly location: string;
  readonly formats: readonly RecordingFormat[];
  readonly problems: Problems;
  parts: ListParts | undefined;
  readonly options: ReadOptions;
  /** True once it turned out to be a log, whose lines may all be noise. */
  isLog = false;
  /** True once entries said that those after them show something else. */
  hasHeads = false;
  #entries = 0;
  #used = 0;

  constructor(location: string, options: ReadOptions) {
    this.location = location;
    this.formats = options.formats ?? FORMATS;
    this.options = options;
    this.parts = options.parts;
    this.problems = new Problems(location);
  }

  get warnings(): readonly string[] {
    return this.problems.sentences();
  }

  /** Counts entries, and those of them that were of use. */
  count(entries: number, used: number): void {
    this.#entries += entries;
    this.#used += used;
  }

  get entries(): number {
    return this.#entries;
  }

  get used(): number {
    return this.#used;
  }

  addPart(part: PartResult, index: number): void {
    this.count(part.entries, part.used);
    for (const kind of part.problems) {
      this.problems.addKind({ ...kind, first: shiftPlace(kind.first, index) });
    }
  }

  finish(): void {
    if (this.#used > 0 || this.#entries === 0 || this.isLog) return;
    const reason = this.warnings[0]?.slice(this.location.length + 2) ?? "";
    throw this.error(
      this.#entries === 1
        ? `Its only entry can't be used: ${reason}`
        : `None of its ${this.#entries.toLocaleString("en-US")} entries can be used: ${reason}`,
      "unusable",
    );
  }

  noteCut(offset: number): void {
    this.problems.add(
      "the recording is cut off: incomplete entries are left out",
      bytePlace(offset),
    );
  }

  noteBroken(offset: number): void {
    this.problems.add("the recording is broken: the rest is left out", bytePlace(offset));
  }

  error(sentence: string, code: string, cause?: unknown): RecordingError {
    return new RecordingError(sentence, { code, location: this.location, cause });
  }
}

function bytePlace(offset: number): string {
  return `byte ${offset.toLocaleString("en-US")}`;
}
