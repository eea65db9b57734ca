import type { Interaction } from "../../http/interaction.ts";
import type { Visibility } from "../../http/visibility.ts";

export interface ProblemKind {
  readonly what: string;
  readonly count: number;
  readonly first: string;
}

/** Longer places are shortened in the middle: the ends say which entry it is, and what of it. */
const MAX_PLACE_LENGTH = 200;

/** Counts the problems of a recording by kind, so that a file with a thousand of them has one sentence. */
export class Problems {
  readonly location: string;
  readonly #kinds = new Map<string, { count: number; readonly first: string }>();

  constructor(location: string) {
    this.location = location;
  }

  /** Counts a problem; of those that say the same only the first place is kept. */
  add(what: string, place: string): void {
    const known = this.#kinds.get(what);
    if (known === undefined) this.#kinds.set(what, { count: 1, first: shortened(place) });
    else known.count++;
  }

  kinds(): ProblemKind[] {
    return [...this.#kinds].map(([what, { count, first }]) => ({ what, count, first }));
  }

  addKind({ what, count, first }: ProblemKind): void {
    const known = this.#kinds.get(what);
    if (known === undefined) this.#kinds.set(what, { count, first });
    else known.count += count;
  }

  /** One sentence for each kind, in the order in which they first came. */
  sentences(): string[] {
    return [...this.#kinds].map(([what, { count, first }]) => {
      const where = count === 1
        ? `at ${first}`
        : `${count.toLocaleString("en-US")} times, first at ${first}`;
      return `${this.location}: ${what} (${where}).`;
    });
  }
}

/** A place in a recording where something may be wrong: an entry, or a part of one. */
export class Place {
  readonly problems: Problems;
  readonly #name: string | (() => string);

  /** @param name A function where the name is hardly ever needed, as most entries have no problem. */
  constructor(name: string | (() => string), problems: Problems) {
    this.#name = name;
    this.problems = problems;
  }

  get name(): string {
    return typeof this.#name === "string" ? this.#name : this.#name();
  }

  in(member: string): Place {
    return new Place(() => `${this.name}.${member}`, this.problems);
  }

  /** Counts a problem with what is here, or with a member of it; gives undefined, which mostly stands for it then. */
  note(what: string, member?: string): undefined {
    this.problems.add(what, member === undefined ? this.name : `${this.name}.${member}`);
  }
}

function shortened(place: string): string {
  if (place.length <= MAX_PLACE_LENGTH) return place;
  const half = MAX_PLACE_LENGTH / 2;
  return `${place.slice(0, half)}…${place.slice(-half)}`;
}

/** As a rule one interaction; an empty list for a comment, say; undefined for what cannot be used. */
export type EntryContent = Interaction | readonly Interaction[] | undefined;

export interface EntryReader {
  (entry: unknown, place: Place, attachments?: Attachments): EntryContent;
  /** Gives the interactions that were held back until others came; called after the last entry. */
  readonly finish?: (problems: Problems) => readonly Interaction[];
}

/** The importer of a map that reads a format: `map.archive`, `map.collection` or `map.cassette`. */
export type FormatFamily = "archive" | "collection" | "cassette";

/** Finds the bytes that a recording keeps in files of their own, by the name that an entry gives them. */
export type Attachments = (name: string) => Uint8Array | undefined;

export interface PostmanValues {
  /** They hide those of the collection. */
  readonly environment: Readonly<Record<string, string>>;
  /** Those of the collection hide them. */
  readonly globals?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
}

export interface FormatOptions {
  readonly values?: PostmanValues | undefined;
  readonly logFormat?: string | undefined;
}

/** A format of recordings: an entry of the registry, which is all that the rest of covtool knows of the format. */
export interface RecordingFormat {
  /** The name of one such recording, with its article: `a HAR`. No two formats share it. */
  readonly name: string;
  /** The name in lists of what covtool reads: `HAR`. Formats of one program share it. */
  readonly title: string;
  /** Undefined for a format that only the command line reads. */
  readonly family?: FormatFamily;
  /** What recordings of this format can show (default: everything), where an interaction doesn't say. */
  readonly visibility?: Visibility;
  recognize(value: unknown): boolean;
  /** Why a document that resembles this format isn't of it, as a clause: "`log` has no list `entries`". */
  nearMiss?(value: unknown): string | undefined;
  /** The list of entries, with the member of the recording that has it: `log.entries`; empty if that is the recording. */
  readonly list: string;
  /** Finds the entries in a document (default: at {@linkcode RecordingFormat.list}). */
  findEntries?(document: unknown): readonly unknown[];
  /** Makes a reader for the entries of one recording, or of a part of it. */
  begin(options: FormatOptions): EntryReader;
  /** True if entries depend on earlier ones, such as a line with the names of columns. */
  readonly isOrdered?: boolean;
  /** The content of recordings that are read entry by entry; undefined for documents, which are read as a whole. */
  readonly stream?: "json" | "text" | "binary";
  /** True if the list, or entries that follow each other, may also be the whole recording. */
  readonly isBare?: boolean;
  /** True if it is a log, whose lines may all be noise. */
  readonly isLog?: boolean;
  /** Reads an entry about those after it, which is no interaction; undefined for any other. */
  readHead?(entry: unknown, place: Place): Visibility | undefined;
  /** For binary formats: the index after an entry; -1 if cut, -2 if none can begin there. */
  endOfEntry?(bytes: Uint8Array, start: number): number;
  /** The names of the files that an entry keeps bodies in. */
  listAttachments?(entry: unknown): readonly string[];
  /** Finds the document in a zip, and the files beside it. */
  readZip?(bytes: Uint8Array, location: string): Promise<readonly [unknown, Attachments]>;
}
