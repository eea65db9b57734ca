import type { Interaction } from "../../http/interaction.ts";
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
 * Reads one entry of a recording.
 *
 * @param place The place of the entry in problems.
 * @returns Undefined for an entry that cannot be used; the reason is added to the problems.
 */
export type ReadEntry = (
  entry: unknown,
  place: string,
  problems: Problems,
) => Interaction | undefined;

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
  readEntry: ReadEntry,
): Recording {
  const problems = new Problems(location);
  const interactions: Interaction[] = [];
  entries.forEach((entry, index) => {
    const interaction = readEntry(entry, `${list}[${index}]`, problems);
    if (interaction !== undefined) interactions.push(interaction);
  });
  return finishRecording(interactions, entries.length, problems);
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
      `None of its ${count.toLocaleString("en-US")} entries can be used: ${reason}`,
      { code: "unusable", location },
    );
  }
  return { interactions, warnings };
}
