import type { Interaction } from "../../http/interaction.ts";
import type { Visibility } from "../../http/visibility.ts";

export interface ProblemKind {
  readonly message: string;
  readonly count: number;
  readonly first: string;
}

/** A longer place is shortened in the middle, as its ends identify the entry and its part. */
const MAX_PLACE_LENGTH = 200;

/** Counts the problems of a recording by kind, so that a thousand of the same kind have one sentence. */
export class Problems {
  readonly location: string;
  readonly #kinds = new Map<string, { count: number; readonly first: string }>();

  constructor(location: string) {
    this.location = location;
  }

  /** Counts a problem. For problems of the same kind, only the first place is kept. */
  add(message: string, place: string): void {
    this.addKind({ message, count: 1, first: place });
  }

  kinds(): ProblemKind[] {
    return [...this.#kinds].map(([message, { count, first }]) => ({ message, count, first }));
  }

  addKind({ message, count, first }: ProblemKind): void {
    const known = this.#kinds.get(message);
    if (known === undefined) this.#kinds.set(message, { count, first: shortened(first) });
    else known.count += count;
  }

  /** One sentence for each kind, in the order of their first occurrence. */
  sentences(): string[] {
    return this.kinds().map(({ message, count, first }) => {
      const where = count === 1
        ? `at ${first}`
        : `${count.toLocaleString("en-US")} times, first at ${first}`;
      return `${this.location}: ${message} (${where}).`;
    });
  }
}

/** A place in a recording that a problem may refer to: an entry or a part of one. */
export class Place {
  readonly problems: Problems;
  readonly #name: string | (() => string);

  /** @param name A function if the name is costly, as most entries have no problem. */
  constructor(name: string | (() => string), problems: Problems) {
    this.#name = name;
    this.problems = problems;
  }

  get name(): string {
    return typeof this.#name === "string" ? this.#name : this.#name();
  }

  member(member: string): Place {
    return new Place(() => `${this.name}.${member}`, this.problems);
  }

  /** Counts a problem with this place or a member of it. Returns undefined, for callers that then have no value. */
  addProblem(message: string, member?: string): undefined {
    this.problems.add(message, member === undefined ? this.name : `${this.name}.${member}`);
  }
}

function shortened(place: string): string {
  if (place.length <= MAX_PLACE_LENGTH) return place;
  const half = MAX_PLACE_LENGTH / 2;
  return `${place.slice(0, half)}…${place.slice(-half)}`;
}

/** Usually one interaction; an empty list for an entry without any (a comment); undefined for an unusable entry. */
export type EntryContent = Interaction | readonly Interaction[] | undefined;

export interface EntryReader {
  (entry: unknown, place: Place, attachments?: Attachments): EntryContent;
  /** Called after the last entry: returns the interactions that were held back. */
  readonly finish?: (problems: Problems) => readonly Interaction[];
}

/** The importer that reads a format: `map.archive`, `map.collection` or `map.cassette`. */
export type FormatFamily = "archive" | "collection" | "cassette";

/** Returns a body that the recording keeps in a separate file, by the file's name in the entry. */
export type Attachments = (name: string) => Uint8Array | undefined;

export interface PostmanValues {
  /** Variables that take precedence over those of the collection. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables over which those of the collection take precedence. */
  readonly globals?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
}

export interface FormatOptions {
  readonly values?: PostmanValues | undefined;
  readonly logFormat?: string | undefined;
}

/** A format of recordings: an entry of the registry. The rest of covtool knows nothing else of the format. */
export interface RecordingFormat {
  /** The name of a single recording, with its article: `a HAR`. Unique among formats. */
  readonly name: string;
  /** The name in lists of formats: `HAR`. Formats of the same program share it. */
  readonly title: string;
  /** Undefined for a format that only the command line reads. */
  readonly family?: FormatFamily;
  /** Visibility in recordings of this format (default: everything is shown), unless an interaction states its own. */
  readonly visibility?: Visibility;
  recognize(value: unknown): boolean;
  /** Says why a document that resembles this format isn't in it, as a clause: "`log` has no list `entries`". */
  nearMiss?(value: unknown): string | undefined;
  /** The path of the list of entries, such as `log.entries`; empty if the recording itself is the list. */
  readonly list: string;
  /** Finds the entries in a document (default: the list at {@linkcode RecordingFormat.list}). */
  findEntries?(document: unknown): readonly unknown[];
  /** Creates a reader for the entries of one recording, or of a part of it. */
  begin(options: FormatOptions): EntryReader;
  /** True if entries depend on earlier ones, such as on a line with the names of columns. */
  readonly isOrdered?: boolean;
  /** The content of recordings that are read entry by entry; undefined if recordings are read as a whole. */
  readonly stream?: "json" | "text" | "binary";
  /** True if the recording may also be just the list, or a sequence of entries. */
  readonly isBare?: boolean;
  /** True for a log, which may be without requests. */
  readonly isLog?: boolean;
  /** Reads an entry that describes the entries after it and is no interaction; undefined for other entries. */
  readHead?(entry: unknown, place: Place): Visibility | undefined;
  /** For binary formats: returns the index after an entry; -1 if it is cut off, -2 if it isn't an entry. */
  endOfEntry?(bytes: Uint8Array, start: number): number;
  /** Lists the names of the files in which an entry keeps bodies. */
  listAttachments?(entry: unknown): readonly string[];
  /** Reads the documents in a zip, and the files next to each. */
  readZip?(bytes: Uint8Array, location: string): Promise<Iterable<readonly [unknown, Attachments]>>;
}
