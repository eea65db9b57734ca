import type { Finding } from "../../../../map/results.ts";
import { operationName } from "../../../../values/operation_name.ts";
import type { JSX } from "preact";
import {
  findingGroups,
  findingWording,
  undeclaredWording,
} from "../../../wording/finding_wording.ts";
import { findOperation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { useModel } from "../parts/context.ts";
import { Filtered } from "../parts/filters.tsx";
import { FindingRow } from "../parts/finding_row.tsx";
import { OperationLink } from "../parts/names.tsx";
import { ShownList, useShown } from "../parts/table.tsx";

function List({ rows, filter }: {
  readonly rows: readonly Finding[];
  readonly filter: string;
}): JSX.Element {
  const shown = useShown(`findings ${filter}`, rows.length);
  return (
    <>
      {findingGroups(rows.slice(0, shown.count)).map(({ kind, findings }) => (
        <section key={kind.kind} class="finding-group">
          <h2>{kind.title}</h2>
          <ul class="rows finding-list">
            {findings.map((finding, index) => <FindingRow key={index} finding={finding} />)}
          </ul>
        </section>
      ))}
      {shown.more}
    </>
  );
}

export function Findings(): JSX.Element {
  const groups = findingGroups(useModel().data.findings);
  return (
    <>
      <h1>Findings</h1>
      <p class="muted">
        Answers that contradict the description, or hint at an error in the API.{" "}
        <a href={routeLink("definitions", "", { at: "findings" })}>How they are found</a>
      </p>
      {groups.length === 0
        ? <p class="calm">None: nothing contradicts the description.</p>
        : (
          <Filtered
            noun="finding"
            rows={groups.flatMap(({ findings }) => findings)}
            label="Kind"
            name="kind"
            kinds={groups.map(({ kind: { kind, title } }) => [kind, title])}
            kindOf={({ kind }) => kind}
            textOf={(finding) => `${operationName(finding)} ${findingWording(finding)}`}
          >
            {(rows, filter) => <List rows={rows} filter={filter} />}
          </Filtered>
        )}
      <Undeclared />
    </>
  );
}

function Undeclared(): JSX.Element | null {
  const model = useModel();
  const { undocumented_properties: list = [] } = model.data;
  return list.length === 0 ? null : (
    <section class="finding-group">
      <h2>Undocumented properties</h2>
      <ShownList name="undeclared" style="rows finding-list" rows={list}>
        {(one, index) => {
          const operation = findOperation(model, one);
          return operation === undefined ? null : (
            <li key={index} class="finding">
              <OperationLink operation={operation} />
              <p>
                <bdi>{undeclaredWording(one)}</bdi>
              </p>
            </li>
          );
        }}
      </ShownList>
    </section>
  );
}
