import type { TakeHits } from "./read_hits_lines.ts";
import { RecordingError } from "../../values/errors.ts";
import { FORMATS } from "../formats/formats.ts";
import {
  type FormatOptions,
  type ProblemKind,
  Problems,
  type RecordingFormat,
} from "../formats/recording.ts";
import { logFormat } from "../log_format/log_format.ts";
import type { Visibility } from "../../http/visibility.ts";
import type { Separator } from "../stream/item_boundary.ts";

/** A list whose entries are read one by one; plain data, so that a worker can be sent it. */
export interface StreamedList {
  readonly format: string;
  readonly isOnLines: boolean;
  /** What its entries can show, if the first of them says so. */
  readonly shown?: Visibility | undefined;
  /** The pattern of its lines, if its format is a pattern that somebody gave. */
  readonly logFormat?: string | undefined;
}

/** A list whose items are read one by one, and the position that reading has reached. */
export interface ListPlace {
  readonly list: StreamedList;
  readonly separator: Separator;
  readonly offset: number;
}

export interface PartResult {
  readonly items: number;
  readonly entries: number;
  readonly used: number;
  /** The problems with items that could not be used; places count from the beginning of the part. */
  readonly problems: readonly ProblemKind[];
}

/** The parts of a list that were read elsewhere. */
export interface ReadParts {
  readonly results: readonly PartResult[];
  /** The end of the last part, where the next item begins, in bytes from the beginning of the recording. */
  readonly end: number;
  readonly rest: AsyncIterable<Uint8Array>;
}

/** Reads the middle of a long list in several places at once, so that the recording yields the rest alone. */
export interface ListParts {
  /** Reads from that place on and leaves at least the last item; undefined if the list is too short to be worth it. */
  read(place: ListPlace): Promise<ReadParts | undefined>;
}

export function listFormat({ format: wanted, logFormat: pattern }: StreamedList): RecordingFormat {
  const format = pattern === undefined
    ? FORMATS.find(({ name }) => name === wanted)
    : logFormat(pattern);
  if (format?.stream === undefined) throw new TypeError(`No entries can be streamed of ${wanted}.`);
  return format;
}

/** The place, or one within it, of the entry that comes so many entries later. */
export function shiftPlace(place: string, by: number): string {
  // The names of lists have no digits, so the first number is that of the entry.
  return place.replace(/\d+/, (index) => String(Number(index) + by));
}

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
  #isCut = false;

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
    if (this.#used > 0 || (this.#entries === 0 && !this.#isCut) || this.isLog) return;
    const reason = this.warnings[0]?.slice(this.location.length + 2) ?? "";
    throw this.error(
      this.#entries === 0
        ? `Nothing in it can be used: ${reason}`
        : this.#entries === 1
        ? `Its only entry can't be used: ${reason}`
        : `None of its ${this.#entries.toLocaleString("en-US")} entries can be used: ${reason}`,
      "unusable",
    );
  }

  noteCut(offset: number): void {
    this.#isCut = true;
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
