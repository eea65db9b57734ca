/** @jsxImportSource preact */
import type { JSX } from "preact";
import { formatNumber } from "../../../wording/amounts.ts";
import { findingGroups } from "../../../wording/finding_groups.ts";
import { FINDING_KINDS, findingWording } from "../../../wording/finding_wording.ts";
import { operationOf } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { Chips, SearchField } from "../parts/filters.tsx";
import { FindingRow } from "../parts/finding_row.tsx";
import { UndeclaredList } from "../parts/undeclared_list.tsx";
import { useShown } from "../parts/use_shown.tsx";
import { useSource } from "../parts/use_source.ts";
import type { ViewProps } from "./view.ts";

/** Contradictions between the API and its description, the worst kind first. */
export function Findings({ model, route }: ViewProps): JSX.Element {
  const { findings = [] } = model.data;
  const source = useSource();
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
                  {own.map((finding, index) => {
                    const operation = operationOf(model, finding);
                    return operation === undefined ? null : (
                      <FindingRow
                        key={index}
                        model={model}
                        operation={operation}
                        finding={finding}
                        source={source}
                      />
                    );
                  })}
                </ul>
              </section>
            );
          })}
          {shown.more}
          {list.length === 0 ? <p class="calm">No finding matches.</p> : null}
        </>
      )}
      <UndeclaredList model={model} />
    </>
  );
}
