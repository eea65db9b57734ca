import type { ComponentChildren, JSX } from "preact";
import type { ReportResponse, TestIndexes } from "../../../report.ts";
import { formatAmount } from "../../../wording/amounts.ts";
import { useModel } from "./context.ts";
import { ExclusionNote, StateMark } from "./marks.tsx";
import { useFolded } from "./table.tsx";

const LISTED = 20;

function List({ label, tests }: {
  /** The outcome: `passed` or `failed`. Empty if there is only one list. */
  readonly label: string;
  readonly tests: TestIndexes;
}): JSX.Element | null {
  const names = useModel().data.tests ?? [];
  const folded = useFolded(tests, LISTED);
  if (tests.length === 0) return null;
  return (
    <>
      {label === "" ? null : <p class="muted">{label}</p>}
      <ul>
        {folded.list.map((index) => (
          <li key={index}>
            <bdi>{names[index] ?? ""}</bdi>
          </li>
        ))}
      </ul>
      {folded.more}
    </>
  );
}

export function CoveredBy({ lists }: {
  readonly lists: readonly (readonly [label: string, tests: TestIndexes])[];
}): JSX.Element | null {
  const { tests } = useModel().data;
  if (tests === undefined) return null;
  const all = new Set(lists.flatMap(([, indexes]) => indexes));
  if (all.size === 0) return null;
  return (
    <details class="tests">
      <summary>{formatAmount(all.size, "test")}</summary>
      <div class="tests-lists">
        {lists.map(([label, indexes]) => <List key={label} label={label} tests={indexes} />)}
      </div>
    </details>
  );
}

/** Shows whether something was seen, and by which tests. `children` give advice if it wasn't. */
export function SeenState({ item, word, children }: {
  readonly item: Pick<ReportResponse, "hits" | "excluded" | "covered_by">;
  readonly word: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { hits, excluded, covered_by = [] } = item;
  return (
    <>
      <StateMark state={excluded !== undefined ? "excluded" : hits > 0 ? "full" : "none"}>
        {hits > 0 ? word : `never ${word}`}
      </StateMark>
      <ExclusionNote of={item} />
      {hits === 0 && excluded === undefined && children}
      <CoveredBy lists={[["", covered_by]]} />
    </>
  );
}
