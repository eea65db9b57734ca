/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TestIndexes } from "../../../report.ts";
import type { Model } from "../model/model.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";

/** Tests that a list shows before it is asked for more. */
const LISTED = 20;

interface ListProps {
  readonly model: Model;
  /** What they did: `passed`, `failed`; empty where there is one list. */
  readonly label: string;
  readonly tests: TestIndexes;
}

function List({ model, label, tests }: ListProps): JSX.Element | null {
  const [all, setAll] = useState(false);
  if (tests.length === 0) return null;
  const names = model.data.tests ?? [];
  return (
    <>
      {label === "" ? null : <p class="tests-label">{label}</p>}
      <ul>
        {tests.slice(0, all ? tests.length : LISTED).map((index) => (
          <li key={index}>
            <bdi>{names[index] ?? ""}</bdi>
          </li>
        ))}
      </ul>
      {all || tests.length <= LISTED
        ? null
        : (
          <button type="button" class="quiet" onClick={() => setAll(true)}>
            Show {formatNumber(tests.length - LISTED)} more
          </button>
        )}
    </>
  );
}

interface Props {
  readonly model: Model;
  /** Each with what its tests did. */
  readonly lists: readonly (readonly [label: string, tests: TestIndexes])[];
}

/** Which tests covered something, behind their number; nothing where no test is known. */
export function CoveredBy({ model, lists }: Props): JSX.Element | null {
  if (model.data.tests === undefined) return null;
  const all = new Set(lists.flatMap(([, tests]) => tests));
  if (all.size === 0) return null;
  return (
    <details class="tests">
      <summary>{formatAmount(all.size, "test")}</summary>
      <div class="tests-lists">
        {lists.map(([label, tests]) => (
          <List key={label} model={model} label={label} tests={tests} />
        ))}
      </div>
    </details>
  );
}
