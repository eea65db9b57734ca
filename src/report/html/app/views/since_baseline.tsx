/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { Comparison } from "../../../comparison/comparison.ts";
import { partAmounts } from "../../../comparison/part_amounts.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { baselineText } from "../../../wording/baseline_text.ts";
import { changeText } from "../../../wording/change_text.ts";
import type { Model } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { Chips } from "../parts/filters.tsx";

interface SinceFilterProps {
  readonly model: Model;
  /** What is chosen, with dots between. */
  readonly value: string;
  /** Counts what a choice would list. */
  readonly count: (since: string) => number;
}

/** The choices by what changed since the baseline; nothing without one. */
export function SinceFilter({ model, value, count }: SinceFilterProps): JSX.Element | null {
  if (model.data.comparison === undefined) return null;
  const option = (since: string, label: string) => ({
    value: since,
    label,
    count: formatNumber(count(since)),
  });
  return (
    <Chips
      label="Since the baseline"
      name="since"
      value={value}
      several
      options={[option("new", "New gaps"), option("added", "Added")]}
    />
  );
}

function changesText({ summary }: Comparison): string {
  return Object.entries(summary).flatMap(([dimension, { percent, change }]) =>
    percent === null || change === null || change === 0
      ? []
      : [`${dimension} ${changeText(percent + change, percent)}`]
  ).join(", ");
}

/** What changed since the baseline; nothing without one. */
export function SinceBaseline({ model }: { readonly model: Model }): JSX.Element | null {
  const { comparison } = model.data;
  if (comparison === undefined) return null;
  const { baseline, new_gaps, uncovered_additions, closed_gaps, added, removed } = comparison;
  const { new_findings = [] } = comparison;
  const [changes, addedText, removedText] = [
    changesText(comparison),
    partAmounts(added),
    partAmounts(removed),
  ];
  return (
    <section>
      <h2>Since the baseline</h2>
      <p class="muted">
        Compared with the {baselineText(baseline)}
      </p>
      <ul class="changes">
        {new_gaps.length === 0 ? <li class="calm">No new gaps</li> : (
          <li>
            <a href={routeLink("gaps", "", { since: "new" })}>
              {formatAmount(new_gaps.length, "new gap")}
            </a>
          </li>
        )}
        {new_findings.length === 0 ? null : (
          <li>
            <a href={routeLink("findings")}>{formatAmount(new_findings.length, "new finding")}</a>
          </li>
        )}
        {closed_gaps.length === 0
          ? null
          : <li>{formatAmount(closed_gaps.length, "gap")} closed</li>}
        {addedText === "" ? null : <li>{addedText} added to the description</li>}
        {uncovered_additions.length === 0 ? null : (
          <li>
            <a href={routeLink("gaps", "", { since: "added" })}>
              {formatAmount(uncovered_additions.length, "gap")} in what was added
            </a>
          </li>
        )}
        {removedText === "" ? null : <li>{removedText} removed from it</li>}
        {changes === "" ? null : <li>Change in points: {changes}</li>}
      </ul>
    </section>
  );
}
