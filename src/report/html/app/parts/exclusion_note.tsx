/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { ReportExclusion } from "../../../report.ts";

/** Why something is left out: its reason, or the pattern where none is given. */
export function exclusionText({ pattern, reason }: ReportExclusion): string {
  return reason ?? pattern;
}

/** Says beside something that it is left out of the numbers, and why; nothing where it counts. */
export function ExclusionNote(
  { exclusion }: { readonly exclusion: ReportExclusion | null },
): JSX.Element | null {
  if (exclusion === null) return null;
  return (
    <div class="muted small exclusion-note">
      Excluded: <bdi>{exclusionText(exclusion)}</bdi> (<bdi>{exclusion.source}</bdi>)
    </div>
  );
}
