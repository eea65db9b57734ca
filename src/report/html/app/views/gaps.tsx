import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { capitalized, formatAmount, formatNumber, sentenceList } from "../../../wording/amounts.ts";
import { GAP_KINDS, GAP_WORDS, MISSING_WORDS, statusText } from "../../../wording/gap_wording.ts";
import { gapAdvice, gapPlace, type OperationGap, operationGaps } from "../model/gaps.ts";
import { gapChanges, noneCounted, type Operation } from "../model/model.ts";
import { chosen, routeLink } from "../model/route.ts";
import {
  ANYTHING,
  countListed,
  type GapFilter,
  listedGaps,
  makeSearch,
  searchLabel,
} from "../model/search.ts";
import { gapsValue } from "../model/suggestions.ts";
import { OperationContext, useModel, useOperation } from "../parts/context.ts";
import { Chips, SearchField, Select, SinceFilter } from "../parts/filters.tsx";
import { ChangeFlag, Chevron, StateMark } from "../parts/marks.tsx";
import { Code, GapIds, Method, ParameterName, Path, Value } from "../parts/names.tsx";
import { MoreRequests, RequestLink } from "../parts/requests.tsx";
import { ShownList, useShown } from "../parts/table.tsx";
import { changeQuery, useQuery } from "../parts/use_route.ts";
import { useSource } from "../parts/use_source.ts";

export function Gaps(): JSX.Element {
  const model = useModel();
  return (
    <>
      <h1>Gaps</h1>
      <p class="muted">Requests, values and responses that the traffic never covered.</p>
      {model.gaps.total === 0
        ? <p class="calm">{noneCounted(model.data) ?? "No gaps are left."}</p>
        : <List />}
    </>
  );
}

function List(): JSX.Element {
  const model = useModel();
  const [kind, since, search] = [useQuery("kind"), useQuery("since"), useQuery("q")];
  const sort = useQuery("sort");
  const source = useSource(search !== "");
  const matcher = useMemo(() => makeSearch(model, search, source), [model, search, source]);
  const filter = useMemo(
    () => ({ kinds: chosen(kind), since: chosen(since), search: matcher }),
    [kind, since, matcher],
  );
  const counts = useMemo(() => {
    const all = model.operations.map((one) => [one, countListed(one, filter)] as const);
    return new Map(all.filter(([, count]) => count > 0));
  }, [model, filter]);
  const operations = useMemo(() => {
    const list = [...counts.keys()];
    if (sort === "document") return list;
    const values = new Map(list.map((one) => [one, gapsValue(operationGaps(one))]));
    return list.sort((left, right) => (values.get(right) ?? 0) - (values.get(left) ?? 0));
  }, [model, counts, sort]);
  const shown = useShown(`gaps ${kind} ${search} ${sort} ${since}`, operations.length, 60);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return (
    <>
      <div class="filters">
        <SearchField label={searchLabel(model)} />
        <Chips
          label="Kind"
          name="kind"
          several
          options={GAP_KINDS.map((value) => ({
            value,
            label: `${capitalized(GAP_WORDS[value].gap)}s`,
            count: formatNumber(model.gaps[value]),
          }))}
        />
        <SinceFilter
          count={(since) =>
            model.operations.reduce(
              (sum, each) => sum + countListed(each, { ...filter, since, search: ANYTHING }),
              0,
            )}
        />
        <Select
          label="Sort by"
          name="sort"
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
            operation={operation}
            filter={filter}
            count={counts.get(operation) ?? 0}
          />
        ))}
      </div>
      {shown.more}
    </>
  );
}

interface GroupProps {
  readonly operation: Operation;
  readonly filter: GapFilter;
  readonly count: number;
}

function uncoveredParts({ keywords, examples }: OperationGap): ComponentChildren {
  const parts = [
    ...(keywords === 0 ? [] : [formatAmount(keywords, "keyword")]),
    ...(examples === 0 ? [] : [formatAmount(examples, "example")]),
  ];
  if (parts.length === 0) return null;
  const verb = keywords + examples === 1 ? "is" : "are";
  return <span class="muted">{`, so ${sentenceList(parts)} ${verb} not covered`}</span>;
}

function sentence(gap: OperationGap): ComponentChildren {
  const name = gap.parameter === null ? null : <ParameterName parameter={gap.parameter} />;
  switch (gap.kind) {
    case "operation":
      return "The operation was never called";
    case "parameter":
      return <>{name} was never sent{uncoveredParts(gap)}</>;
    case "keyword": {
      const place = gapPlace(gap);
      return (
        <>
          <Code text={gap.subject} /> {gap.missing === null ? "" : MISSING_WORDS[gap.missing]}{" "}
          <span class="muted" title={gap.pointer}>
            {place === gap.parameter?.parameter ? null : (
              <>
                at <bdi>{place}</bdi>
                {" "}
              </>
            )}
            in {name}
          </span>
        </>
      );
    }
    case "example":
      return (
        <>
          <Value json={gap.subject} /> was never used <span class="muted">in {name}</span>
        </>
      );
    case "response":
      return (
        <>
          <code>{gap.subject}</code> <span class="muted">{statusText(gap.subject)}</span>{" "}
          was never returned
        </>
      );
  }
}

function GapList({ filter }: Pick<GroupProps, "filter">): JSX.Element {
  const operation = useOperation();
  const gaps = useMemo(() => listedGaps(operation, filter), [operation, filter]);
  const { kinds, since } = filter;
  return (
    <>
      <ShownList
        name={`gaps of ${operation.key} ${[...kinds]} ${[...since]}`}
        style="gap-list"
        rows={gaps}
        step={120}
      >
        {(gap) => {
          const advice = gapAdvice(gap);
          return (
            <li key={gap.at}>
              <StateMark
                state={gap.missing === null || gap.missing === "both" ? "none" : "partial"}
              />
              <div>
                {sentence(gap)} <ChangeFlag change={gapChanges(operation.change, gap)[0]} />{" "}
                {advice && <span class="advice">{advice}</span>} <GapIds ids={gap.ids} />{" "}
                <a
                  href={routeLink("operation", operation.key, { at: gap.at })}
                  aria-label={`Show ${gap.subject || gap.kind}`}
                >
                  Show
                </a>
                <RequestLink at={gap.at} subject={gap.subject || gap.kind} />
              </div>
            </li>
          );
        }}
      </ShownList>
      <MoreRequests />
      <p>
        <a href={routeLink("operation", operation.key)}>Operation details</a>
      </p>
    </>
  );
}

function GapGroup({ operation, filter, count }: GroupProps): JSX.Element {
  const { kinds, since, search } = filter;
  const { data, gaps, index } = operation;
  const opened = chosen(useQuery("open"));
  const open = opened.has(String(index));
  const toggle = (): void => {
    changeQuery({ open: [...opened.symmetricDifference(new Set([String(index)]))].join(".") });
  };
  const parts = GAP_KINDS.filter((kind) => gaps[kind] > 0 && (kinds.size === 0 || kinds.has(kind)))
    .map((kind) =>
      kind === "operation" ? "never called" : formatAmount(gaps[kind], GAP_WORDS[kind].gap)
    );
  return (
    <section class="gap-group">
      <h2>
        <button type="button" aria-expanded={open} onClick={toggle}>
          <Chevron />
          <span>
            <Method name={data.method} /> <Path path={data.path} />
          </span>
          <span class="muted small gap-parts">
            {since.size === 0 && search === ANYTHING ? parts.join(", ") : ""}
          </span>
          <span class="gap-count">{formatAmount(count, "gap")}</span>
        </button>
      </h2>
      {open && (
        <OperationContext.Provider value={operation}>
          <GapList filter={filter} />
        </OperationContext.Provider>
      )}
    </section>
  );
}
