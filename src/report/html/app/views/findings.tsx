import type { JSX } from "preact";
import { formatNumber } from "../../../wording/amounts.ts";
import {
  FINDING_KINDS,
  findingGroups,
  findingWording,
  undeclaredWording,
} from "../../../wording/finding_wording.ts";
import { findOperation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { useModel, type ViewProps } from "../parts/context.ts";
import { Chips, SearchField } from "../parts/filters.tsx";
import { FindingRow } from "../parts/finding_row.tsx";
import { OperationLink } from "../parts/names.tsx";
import { useShown } from "../parts/table.tsx";

export function Findings({ route }: ViewProps): JSX.Element {
  const { findings = [] } = useModel().data;
  const kind = route.query.get("kind") ?? "";
  const search = route.query.get("q") ?? "";
  const needle = search.toLowerCase();
  const all = findingGroups(findings);
  const list = all.flatMap(({ findings }) => findings).filter((finding) =>
    (kind === "" || finding.kind === kind) &&
    (needle === "" ||
      `${finding.method} ${finding.path} ${findingWording(finding)}`.toLowerCase().includes(needle))
  );
  const shown = useShown(`findings ${kind} ${search}`, list.length);
  const drawn = findingGroups(list.slice(0, shown.count));
  return (
    <>
      <h1>Findings</h1>
      <p class="muted">
        Answers that contradict the description, or hint at an error in the API.{" "}
        <a href={routeLink("definitions", "", { at: "findings" })}>How they are found</a>
      </p>
      {findings.length === 0 ? <p class="calm">None: nothing contradicts the description.</p> : (
        <>
          <div class="filters">
            <SearchField label="Search findings" value={search} />
            <Chips
              label="Kind"
              name="kind"
              value={kind}
              options={[
                { value: "", label: "All", count: formatNumber(findings.length) },
                ...all.map(({ kind: { kind, title }, findings }) => ({
                  value: kind,
                  label: title,
                  count: formatNumber(findings.length),
                })),
              ]}
            />
          </div>
          {FINDING_KINDS.map(({ kind, title }) => {
            const own = drawn.find((group) => group.kind.kind === kind)?.findings ?? [];
            return own.length === 0 ? null : (
              <section key={kind} class="finding-group">
                <h2>{title}</h2>
                <ul class="rows finding-list">
                  {own.map((finding, index) => <FindingRow key={index} finding={finding} />)}
                </ul>
              </section>
            );
          })}
          {shown.more}
          {list.length === 0 ? <p class="calm">No finding matches.</p> : null}
        </>
      )}
      <Undeclared />
    </>
  );
}

function Undeclared(): JSX.Element | null {
  const model = useModel();
  const { undocumented_properties: list = [] } = model.data;
  const shown = useShown("undeclared", list.length);
  return list.length === 0 ? null : (
    <section class="finding-group">
      <h2>Undocumented properties</h2>
      <ul class="rows finding-list">
        {list.slice(0, shown.count).map((one, index) => {
          const operation = findOperation(model, one);
          return operation === undefined ? null : (
            <li key={index} class="finding">
              <OperationLink operation={operation} />
              <p>
                <bdi>{undeclaredWording(one)}</bdi>
              </p>
            </li>
          );
        })}
      </ul>
      {shown.more}
    </section>
  );
}
