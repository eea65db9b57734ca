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

/** A list whose entries are read one by one. Plain data, so that it can be sent to a worker. */
export interface StreamedList {
  readonly format: string;
  readonly isOnLines: boolean;
  /** The visibility of the entries, if the first one states it. */
  readonly visibility?: Visibility | undefined;
  /** The pattern of the lines, if the format is a pattern from the user. */
  readonly logFormat?: string | undefined;
}

export interface ListPlace {
  readonly list: StreamedList;
  readonly separator: Separator;
  readonly offset: number;
}

export interface PartResult {
  readonly items: number;
  readonly entries: number;
  readonly used: number;
  /** Problems with unusable items. Their places are relative to the part. */
  readonly problems: readonly ProblemKind[];
}

export interface ReadParts {
  readonly results: readonly PartResult[];
  /** The end of the last part, where the next item begins, as a byte offset in the recording. */
  readonly end: number;
  readonly rest: AsyncIterable<Uint8Array>;
}

/** Reads the middle of a long list in parallel, so that the recording itself is read only before and after it. */
export interface ListParts {
  /** Reads from a place on, and leaves at least the last item; undefined if the list is too short to be worth it. */
  read(place: ListPlace): Promise<ReadParts | undefined>;
}

export function listFormat(
  { format: formatName, logFormat: pattern }: StreamedList,
): RecordingFormat {
  const format = pattern === undefined
    ? FORMATS.find(({ name }) => name === formatName)
    : logFormat(pattern);
  if (format?.stream === undefined) {
    throw new TypeError(`No entries can be streamed of ${formatName}.`);
  }
  return format;
}

export function shiftPlace(place: string, by: number): string {
  // Names of lists contain no digits, so the first number is the index of the entry.
  return place.replace(/\d+/, (index) => String(Number(index) + by));
}

export type FindFile = (name: string) => Promise<Uint8Array | undefined>;

export type OnHitsLine = (line: Uint8Array) => void;

export interface ReadOptions extends FormatOptions {
  readonly formats?: readonly RecordingFormat[] | undefined;
  /** Reads the middle of long lists in parallel, if the recording isn't compressed (default: all is read here). */
  readonly parts?: ListParts | undefined;
  readonly onHitsLine?: OnHitsLine | undefined;
  readonly findFile?: FindFile | undefined;
}

export class ReadState {
  readonly location: string;
  readonly formats: readonly RecordingFormat[];
  readonly problems: Problems;
  parts: ListParts | undefined;
  readonly options: ReadOptions;
  /** True if the recording turned out to be a log, which may be without requests. */
  isLog = false;
  /** The visibility of the next entry, unless it states its own; undefined if everything is shown. */
  visibility: Visibility | undefined;
  /** True if an entry stated a different visibility of the entries after it. */
  hasVisibilityChange = false;
  entries = 0;
  used = 0;
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

  count(entries: number, used: number): void {
    this.entries += entries;
    this.used += used;
  }

  addPart(part: PartResult, index: number): void {
    this.count(part.entries, part.used);
    for (const kind of part.problems) {
      this.problems.addKind({ ...kind, first: shiftPlace(kind.first, index) });
    }
  }

  finish(): void {
    if (this.used > 0 || (this.entries === 0 && !this.#isCut) || this.isLog) return;
    const reason = this.warnings[0]?.slice(this.location.length + 2) ?? "";
    throw this.error(
      this.entries === 0
        ? `Nothing in it can be used: ${reason}`
        : this.entries === 1
        ? `Its only entry can't be used: ${reason}`
        : `None of its ${this.entries.toLocaleString("en-US")} entries can be used: ${reason}`,
      "unusable",
    );
  }

  addCutProblem(offset: number): void {
    this.#isCut = true;
    this.problems.add(
      "the recording is cut off: incomplete entries are left out",
      bytePlace(offset),
    );
  }

  addBrokenProblem(offset: number): void {
    this.problems.add("the recording is broken: the rest is left out", bytePlace(offset));
  }

  error(sentence: string, code: string, cause?: unknown): RecordingError {
    return new RecordingError(sentence, { code, location: this.location, cause });
  }
}

function bytePlace(offset: number): string {
  return `byte ${offset.toLocaleString("en-US")}`;
}
