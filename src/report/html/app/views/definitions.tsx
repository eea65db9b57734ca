/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { TclCount } from "../../../../map/results.ts";
import { figureGroups } from "../../../figures.ts";
import { formatNumber } from "../../../wording/amounts.ts";
import {
  type DimensionWording,
  FIGURE_WORDING,
  FINDINGS_WORDING,
} from "../../../wording/dimension_wording.ts";
import { criterionName } from "../../../wording/summary_wording.ts";
import { useModel } from "../parts/context.ts";
import { type Column, Table } from "../parts/table.tsx";
import { useQuery } from "../parts/use_route.ts";

const GAPS: DimensionWording = {
  definition: "Items that no request covered.",
  rules: [
    "A keyword is one gap until values of both kinds were sent, valid and invalid. Until then it is partial or not covered.",
    "The keywords and examples of an operation that was never called, or of a parameter that was never sent, are gaps too. So the number of gaps never grows as more is tested.",
    "How often something was covered doesn't matter: one request is enough.",
  ],
};

const LEVEL_COLUMNS: readonly Column<TclCount>[] = [
  { label: "Level", value: ({ level }) => level },
  { label: "Criterion", value: ({ criterion }) => criterionName(criterion) },
  { label: "Covered", value: ({ covered }) => covered, cell: coveredText },
];

function coveredText({ covered, total, measured }: TclCount): string {
  if (covered === null || total === null) return "not measured";
  if (total === 0) return "nothing to cover";
  return `${formatNumber(covered)} of ${formatNumber(total)}${
    measured ? "" : ", not all measured"
  }`;
}

function Definition({ name, title, wording }: {
  readonly name: string;
  readonly title: string;
  readonly wording: DimensionWording;
}): JSX.Element {
  return (
    <section>
      <h2 id={name} tabIndex={-1}>{title}</h2>
      <p>
        <strong>{wording.definition}</strong>
      </p>
      <ul>
        {wording.rules.map((rule) => <li key={rule}>{rule}</li>)}
      </ul>
    </section>
  );
}

export function Definitions(): JSX.Element {
  const { data: { summary, findings = [], tcl_criteria } } = useModel();
  const at = useQuery("at");
  useEffect(() => {
    const element = document.getElementById(at);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "start" });
  }, [at]);
  return (
    <div class="definitions">
      <h1>How coverage is counted</h1>
      {figureGroups(summary).flatMap(({ figures }) => figures).map(({ name, label }) => (
        <Definition key={name} name={name} title={label} wording={FIGURE_WORDING[name]} />
      ))}
      {findings.length !== 0 && (
        <Definition name="findings" title="Findings" wording={FINDINGS_WORDING} />
      )}
      <Definition name="gaps" title="Gaps" wording={GAPS} />
      {tcl_criteria === undefined ? null : (
        <section>
          <h2 id="tcl" tabIndex={-1}>Test coverage level</h2>
          <p>
            <strong>
              The highest of seven levels whose criteria, and those of all levels below, are
              covered.
            </strong>
          </p>
          <Table
            label="Criteria of the test coverage level"
            columns={LEVEL_COLUMNS}
            rows={tcl_criteria}
            rowKey={({ criterion }) => criterion}
          />
        </section>
      )}
    </div>
  );
}
