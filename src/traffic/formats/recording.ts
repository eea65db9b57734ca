import type { Interaction } from "../../http/interaction.ts";
import type { Visibility } from "../../http/visibility.ts";
import { RecordingError } from "../../values/errors.ts";

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

export interface Recording {
  readonly interactions: readonly Interaction[];
  readonly warnings: readonly string[];
}

/** As a rule one interaction; an empty list for a comment, say; undefined for what cannot be used. */
export type EntryContent = Interaction | readonly Interaction[] | undefined;

export interface ReadEntry {
  (entry: unknown, place: Place): EntryContent;
}

export interface EntryReader extends ReadEntry {
  /** Gives the interactions that were held back until others came; called after the last entry. */
  readonly finish?: () => readonly Interaction[];
}

export function readList(
  entries: readonly unknown[],
  list: string,
  location: string,
  readEntry: EntryReader,
): Recording {
  const problems = new Problems(location);
  const interactions: Interaction[] = [];
  let count = 0;
  entries.forEach((entry, index) => {
    count += addContent(interactions, readEntry(entry, new Place(`${list}[${index}]`, problems)));
  });
  count += addContent(interactions, readEntry.finish?.() ?? []);
  return finishRecording(interactions, count, problems);
}

/** A function that reads the list at a path of members, such as `log.entries`. */
export function listReader(list: string, readEntry: ReadEntry): RecordingFormat["read"] {
  return (value, location) => {
    const entries = list.split(".").reduce<unknown>(
      (inner, name) => (inner as Readonly<Record<string, unknown>>)[name],
      value,
    );
    return readList(entries as readonly unknown[], list, location, readEntry);
  };
}

export function addContent(
  interactions: Interaction[],
  content: EntryContent,
  visibility?: Visibility,
): number {
  if (content === undefined) return 1;
  if ("request" in content) {
    interactions.push(withVisibility(content, visibility));
    return 1;
  }
  for (const interaction of content) interactions.push(withVisibility(interaction, visibility));
  return content.length;
}

function withVisibility(interaction: Interaction, visibility: Visibility | undefined): Interaction {
  if (visibility === undefined || interaction.visibility !== undefined) return interaction;
  return { ...interaction, visibility };
}

export function finishRecording(
  interactions: readonly Interaction[],
  count: number,
  problems: Problems,
): Recording {
  const warnings = problems.sentences();
  if (count > 0 && interactions.length === 0) {
    const { location } = problems;
    const reason = warnings[0]?.slice(location.length + 2) ?? "";
    throw new RecordingError(
      count === 1
        ? `Its only entry can't be used: ${reason}`
        : `None of its ${count.toLocaleString("en-US")} entries can be used: ${reason}`,
      { code: "unusable", location },
    );
  }
  return { interactions, warnings };
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

export interface EntryStream {
  readonly list: string;
  /** The name of the member of the recording that has the list in it; undefined if that is the recording itself. */
  readonly within?: string;
  /** True if the list, or entries that follow each other, may also be the whole recording. */
  readonly isBare?: boolean;
  /** True if it is a log, whose lines may all be noise. */
  readonly isLog?: boolean;
  /** True if the entries are lines of text that isn't JSON. */
  readonly isText?: boolean;
  /** Reads an entry about those after it, which is no interaction; undefined for any other. */
  readHead?(entry: unknown, place: Place): Visibility | undefined;
  /** Makes a reader for one recording whose lines depend on earlier ones, such as a line with the names of columns. */
  begin?(): EntryReader;
  /** For formats that are neither JSON nor lines: the index after an entry; -1 if cut, -2 if none can begin there. */
  endOfEntry?(bytes: Uint8Array, start: number): number;
  readEntry(entry: unknown, place: Place, attachments?: Attachments): EntryContent;
  listAttachments?(entry: unknown): readonly string[];
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
  read(value: unknown, location: string, options?: FormatOptions): Recording;
  /** Reads the format entry by entry, without all of it in memory; undefined for formats that are read whole. */
  readonly stream?: EntryStream;
  readZip?(bytes: Uint8Array, location: string): Promise<Recording>;
}
