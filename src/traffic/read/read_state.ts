import { RecordingError } from "../../values/errors.ts";
import type { Interaction } from "../../http/interaction.ts";
import type { FindFile } from "./files_beside.ts";
import { FORMATS } from "../formats/formats.ts";
import type { PostmanValues } from "../formats/postman/postman_variables.ts";
import { Problems } from "../formats/problems.ts";
import { finishRecording, type Recording } from "../formats/recording.ts";
import type { RecordingFormat } from "../formats/recording_format.ts";
import type { TakeHits } from "./read_hits_lines.ts";
import { type ListParts, type PartResult, shiftPlace } from "./streamed_list.ts";

/** The options that a recording is read with. */
export interface ReadOptions {
  /** The formats that it may have; all of them by default. */
  readonly formats?: readonly RecordingFormat[] | undefined;
  /** Values of variables that are not in Postman's collections. */
  readonly values?: PostmanValues | undefined;
  /** The log format of nginx or Apache that access logs have. */
  readonly logFormat?: string | undefined;
  /** Reads the middle of long lists elsewhere if the recording isn't packed; by default all is read here. */
  readonly parts?: ListParts | undefined;
  /** Takes the lines of hits files; without it they are refused. */
  readonly takeHits?: TakeHits | undefined;
  /** Finds bodies that are files of their own, for recordings that have such. */
  readonly findFile?: FindFile | undefined;
}

/** The state of reading one recording: what it is read with, and what could not be used so far. */
export class ReadState {
  /** The name of the recording in errors and warnings. */
  readonly location: string;
  /** The formats that it may have. */
  readonly formats: readonly RecordingFormat[];
  /** The problems with what could not be used. */
  readonly problems: Problems;
  /** Reads the middle of long lists elsewhere; undefined if all is read here. */
  parts: ListParts | undefined;
  /** Takes the lines of hits files; undefined if they are refused. */
  readonly takeHits: TakeHits | undefined;
  /** Finds bodies that are files of their own; undefined if there are none. */
  readonly findFile: FindFile | undefined;
  /** Values of variables that are not in Postman's collections. */
  readonly values: PostmanValues | undefined;
  /** The log format of nginx or Apache that access logs have; undefined if none was given. */
  readonly logFormat: string | undefined;
  /** True once it turned out to be a log, whose lines may all be noise. */
  isLog = false;
  readonly #warnings: string[] = [];
  #entries = 0;
  #used = 0;

  /** Begins before the first byte. */
  constructor(location: string, options: ReadOptions) {
    this.location = location;
    this.formats = options.formats ?? FORMATS;
    this.values = options.values;
    this.logFormat = options.logFormat;
    this.parts = options.parts;
    this.takeHits = options.takeHits;
    this.findFile = options.findFile;
    this.problems = new Problems(location);
  }

  /** Everything that could not be used so far, in sentences. */
  get warnings(): readonly string[] {
    return [...this.problems.sentences(), ...this.#warnings];
  }

  /** Takes over a recording that was read whole. */
  add(recording: Recording): readonly Interaction[] {
    this.#warnings.push(...recording.warnings);
    return recording.interactions;
  }

  /** Counts entries that were read one by one, and those of them that were of use. */
  count(entries: number, used: number): void {
    this.#entries += entries;
    this.#used += used;
  }

  /** Entries that were read one by one so far. */
  get entries(): number {
    return this.#entries;
  }

  /** Those of them that were of use. */
  get used(): number {
    return this.#used;
  }

  /**
   * Takes over a part of a list that was read elsewhere.
   *
   * @param index The number of its first item in the whole list, which the part does not know.
   */
  addPart(part: PartResult, index: number): void {
    this.count(part.entries, part.used);
    for (const kind of part.problems) {
      this.problems.addKind({ ...kind, first: shiftPlace(kind.first, index) });
    }
  }

  /**
   * Ends the recording.
   *
   * @throws {RecordingError} if there were entries and none of them was of use, but for logs.
   */
  finish(): void {
    if (this.#used === 0 && !this.isLog) finishRecording([], this.#entries, this.problems);
  }

  /** Notes that the recording is not all there. */
  noteCut(offset: number): void {
    this.problems.add(
      "the recording is cut off: incomplete entries are left out",
      bytePlace(offset),
    );
  }

  /** Notes that the recording is broken, so that what follows cannot be read. */
  noteBroken(offset: number): void {
    this.problems.add("the recording is broken: the rest is left out", bytePlace(offset));
  }

  /** An error about the recording. */
  error(sentence: string, code: string, cause?: unknown): RecordingError {
    return new RecordingError(sentence, { code, location: this.location, cause });
  }
}

function bytePlace(offset: number): string {
  return `byte ${offset.toLocaleString("en-US")}`;
}
