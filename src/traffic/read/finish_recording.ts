import { RecordingError } from "../../values/errors.ts";
import type { Interaction } from "../../http/interaction.ts";
import type { Problems, Recording } from "./recording.ts";

/**
 * Puts a recording together after its last entry.
 *
 * @param count How many entries there were, usable or not.
 * @throws {RecordingError} where there were entries and none of them could be used.
 */
export function finishRecording(
  interactions: readonly Interaction[],
  count: number,
  problems: Problems,
  location: string,
): Recording {
  const warnings = problems.sentences();
  if (count > 0 && interactions.length === 0) {
    const reason = warnings[0]?.slice(location.length + 2) ?? "";
    throw new RecordingError(
      `None of its ${count.toLocaleString("en-US")} entries can be used: ${reason}`,
      { code: "unusable", location },
    );
  }
  return { interactions, warnings };
}
