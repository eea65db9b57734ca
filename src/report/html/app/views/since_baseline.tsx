import type { JSX } from "preact";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { baselineText, movedDimensions, partAmounts } from "../../../wording/verdict_text.ts";
import { routeLink } from "../model/route.ts";
import { useModel } from "../parts/context.ts";
import { Chips } from "../parts/filters.tsx";

export function SinceFilter({ count }: {
  readonly count: (since: string) => number;
}): JSX.Element | null {
  const model = useModel();
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
      several
      options={[option("new", "New gaps"), option("added", "Added")]}
    />
  );
}

export function SinceBaseline(): JSX.Element | null {
  const model = useModel();
  const { comparison } = model.data;
  if (comparison === undefined) return null;
  const { baseline, new_gaps, uncovered_additions, closed_gaps, added, removed } = comparison;
  const { new_findings = [] } = comparison;
  const [changes, addedText, removedText] = [
    movedDimensions(comparison),
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
        {closed_gaps.length !== 0 && <li>{formatAmount(closed_gaps.length, "gap")} closed</li>}
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
