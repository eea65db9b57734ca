import type { ComponentChildren, JSX } from "preact";
import type { TestIndexes } from "../../../report.ts";
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
      {label === "" ? null : <p class="tests-label">{label}</p>}
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
  const model = useModel();
  if (model.data.tests === undefined) return null;
  const all = new Set(lists.flatMap(([, tests]) => tests));
  if (all.size === 0) return null;
  return (
    <details class="tests">
      <summary>{formatAmount(all.size, "test")}</summary>
      <div class="tests-lists">
        {lists.map(([label, tests]) => <List key={label} label={label} tests={tests} />)}
      </div>
    </details>
  );
}

/** Shows whether something was seen, and by which tests. `children` give advice if it wasn't. */
export function SeenState({ thing, word, children }: {
  readonly thing: {
    readonly hits: number;
    readonly excluded?: number;
    readonly covered_by?: TestIndexes;
  };
  readonly word: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { hits, covered_by = [] } = thing;
  const counts = thing.excluded === undefined;
  return (
    <>
      <StateMark state={!counts ? "excluded" : hits > 0 ? "full" : "none"}>
        {hits > 0 ? word : `never ${word}`}
      </StateMark>
      <ExclusionNote of={thing} />
      {hits === 0 && counts && children}
      <CoveredBy lists={[["", covered_by]]} />
    </>
  );
}
