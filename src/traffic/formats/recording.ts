import type { Interaction } from "../../http/interaction.ts";
import type { Visibility } from "../../http/visibility.ts";
import { RecordingError } from "../../values/errors.ts";
import { Problems } from "./problems.ts";

/** The content of a recording that was read to its end. */
export interface Recording {
  /** In the order of the recording. */
  readonly interactions: readonly Interaction[];
  /** The problems with what was left out: a sentence for each kind of problem, with their number and the first place. */
  readonly warnings: readonly string[];
}

/**
 * The content of one entry of a recording: as a rule one interaction. An empty list stands for an entry that isn't one,
 * such as a comment; undefined for one that cannot be used.
 */
export type EntryContent = Interaction | readonly Interaction[] | undefined;

/**
 * Reads one entry of a recording.
 *
 * @param place The place of the entry in problems.
 * @returns Undefined for an entry that cannot be used; the reason is added to the problems.
 */
export interface ReadEntry {
  (entry: unknown, place: string, problems: Problems): EntryContent;
}

/** Reads the entries of one recording, in their order. */
export interface EntryReader extends ReadEntry {
  /** Gives the interactions that were held back until others came; called after the last entry. */
  readonly finish?: () => readonly Interaction[];
}

/**
 * Reads a recording that is a list of entries.
 *
 * @param list The name of the list in problems.
 * @param location The name of the recording in errors and warnings.
 * @throws {RecordingError} if there are entries and none of them can be used.
 */
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
    count += addContent(interactions, readEntry(entry, `${list}[${index}]`, problems));
  });
  count += addContent(interactions, readEntry.finish?.() ?? []);
  return finishRecording(interactions, count, problems);
}

/**
 * Adds the content of an entry to a list.
 *
 * @param visibility What its format can show, if the interactions don't say it themselves; undefined for everything.
 * @returns The number of entries that it counts as.
 */
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

/**
 * Puts a recording together after its last entry.
 *
 * @param count The number of entries, usable or not.
 * @throws {RecordingError} if there were entries and none of them could be used.
 */
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
