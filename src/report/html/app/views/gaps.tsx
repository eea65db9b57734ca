/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { GapCounts } from "../../../gap_counts.ts";
import type { Model, Operation } from "../model/model.ts";
import { type Search, searchLabel, searchOf } from "../model/search.ts";
import { suggestionsOf } from "../model/suggestions.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { GAP_KINDS, GAP_WORDS, type GapKind } from "../../../wording/gap_wording.ts";
import { Chips, chosen, SearchField, Select } from "../parts/filters.tsx";
import { useShown } from "../parts/use_shown.tsx";
import { useSource } from "../parts/use_source.ts";
import { countListed } from "../model/listed_gaps.ts";
import { SinceFilter } from "./since_baseline.tsx";
import { GapGroup } from "./gap_group.tsx";
import type { ViewProps } from "./view.ts";

/** What closing all of an operation's gaps would be worth; the order "most valuable first". */
function worth(model: Model, operation: Operation): number {
  return suggestionsOf(model, operation).reduce((sum, { value }) => sum + value, 0);
}

function countOf(gaps: GapCounts, kinds: ReadonlySet<string>): number {
  if (kinds.size === 0) return gaps.total;
  return GAP_KINDS.reduce((sum, kind) => kinds.has(kind) ? sum + gaps[kind] : sum, 0);
}

/** The number of gaps of an operation that the filters ask for. */
function numberOf(
  model: Model,
  operation: Operation,
  kinds: ReadonlySet<string>,
  since: string,
  search?: Search,
): number {
  return since === "" && search?.isEmpty !== false
    ? countOf(operation.gaps, kinds)
    : countListed(model, operation, kinds, since, search);
}

function chipOption(model: Model, kind: GapKind): { value: string; label: string; count: string } {
  return { value: kind, label: `${GAP_WORDS[kind].gap}s`, count: formatNumber(model.gaps[kind]) };
}

function List({ model, route }: ViewProps): JSX.Element {
  const text = (name: string): string => route.query.get(name) ?? "";
  const [kind, search, sort, open] = [text("kind"), text("q"), text("sort"), text("open")];
  const since = text("since");
  const kinds = chosen(kind);
  const source = useSource(search !== "");
  const sought = useMemo(
    () => searchOf(model, search, typeof source === "string" ? null : source),
    [model, search, source],
  );
  const numbers = useMemo(() => {
    const found = model.operations.map((operation) =>
      [operation, numberOf(model, operation, kinds, since, sought)] as const
    );
    return new Map(found.filter(([, number]) => number > 0));
  }, [model, kind, sought, since]);
  const operations = useMemo(() => {
    const list = [...numbers.keys()];
    if (sort === "document") return list;
    const worths = new Map(list.map((operation) => [operation, worth(model, operation)]));
    return list.sort((left, right) => (worths.get(right) ?? 0) - (worths.get(left) ?? 0));
  }, [model, numbers, sort]);
  const shown = useShown(`gaps ${kind} ${search} ${sort} ${since}`, operations.length, 60);
  const opened = chosen(open);
  const total = [...numbers.values()].reduce((sum, number) => sum + number, 0);
  return (
    <>
      <div class="filters">
        <SearchField label={searchLabel(model)} value={search} />
        <Chips
          label="Kind"
          name="kind"
          value={kind}
          several
          options={GAP_KINDS.map((one) => chipOption(model, one))}
        />
        <SinceFilter
          model={model}
          value={since}
          count={(one) =>
            model.operations.reduce((sum, each) => sum + numberOf(model, each, kinds, one), 0)}
        />
        <Select
          label="Sort by"
          name="sort"
          value={sort}
          options={[
            { value: "", label: "most valuable first" },
            { value: "document", label: "document order" },
          ]}
        />
      </div>
      <p class="muted" role="status">
        {formatAmount(total, "gap")} in {formatAmount(operations.length, "operation")}
      </p>
      <div class="gap-groups">
        {operations.slice(0, shown.count).map((operation) => (
          <GapGroup
            key={operation.key}
            model={model}
            operation={operation}
            kinds={kinds}
            since={since}
            search={sought}
            count={numbers.get(operation) ?? 0}
            open={opened.has(String(operation.index))}
            opened={opened}
          />
        ))}
      </div>
      {shown.more}
    </>
  );
}

/** Everything that was never sent or never came back, by operation. */
export function Gaps({ model, route }: ViewProps): JSX.Element {
  return (
    <>
      <h1>Gaps</h1>
      <p class="muted">Requests, values and responses that the traffic never covered.</p>
      {model.gaps.total === 0
        ? <p class="calm">None: the traffic covers the whole description.</p>
        : <List model={model} route={route} />}
    </>
  );
}
