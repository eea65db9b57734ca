/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { formatAmount, sentenceList } from "../../../wording/amounts.ts";
import { GAP_KINDS, GAP_WORDS, MISSING_WORDS } from "../../../wording/gap_wording.ts";
import { keywordAdvice } from "../../../wording/keyword_advice.ts";
import { placeName } from "../../../wording/place_name.ts";
import { statusAdvice, statusText } from "../../../wording/status_wording.ts";
import type { Model, Operation } from "../model/model.ts";
import { changeOf, gapChange } from "../model/changes.ts";
import { listedGaps } from "../model/listed_gaps.ts";
import type { Search } from "../model/search.ts";
import type { OperationGap } from "../model/operation_gaps.ts";
import { routeLink } from "../model/route.ts";
import { MoreRequests } from "../parts/more_requests.tsx";
import { RequestLink } from "../parts/request_link.tsx";
import { Method, ParameterName, Path } from "../parts/names.tsx";
import { StateMark } from "../parts/state_mark.tsx";
import { changeQuery } from "../parts/use_route.ts";
import { useShown } from "../parts/use_shown.tsx";
import { ChangeFlag } from "../parts/change_flag.tsx";
import { Value } from "../parts/value.tsx";

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  /** The kinds to list; empty for all. */
  readonly kinds: ReadonlySet<string>;
  /** What the gaps to list are since the baseline, as {@linkcode listedGaps} takes it. */
  readonly since: string;
  /** What they are about. */
  readonly search: Search;
  readonly count: number;
  readonly open: boolean;
  /** The operations that are open, by number. */
  readonly opened: ReadonlySet<string>;
}

/** What to send to close a gap; empty where nothing can be said. */
function adviceOf({ kind, subject, value, missing }: OperationGap): string {
  if (kind === "response") return statusAdvice(subject);
  return kind === "keyword" && missing !== null ? keywordAdvice(subject, value, missing) : "";
}

function keywordPlace(model: Model, gap: OperationGap): string {
  const { parameter } = gap;
  if (gap.kind !== "keyword" || parameter === null) return "";
  const name = parameter.location === "body" ? "body" : parameter.parameter;
  return placeName(gap.pointer, model.data.texts[parameter.schema_path] ?? "", name);
}

/** The gaps behind a parameter that was never sent. */
function behind({ keywords, examples }: OperationGap): ComponentChildren {
  const parts = [
    ...(keywords === 0 ? [] : [formatAmount(keywords, "keyword")]),
    ...(examples === 0 ? [] : [formatAmount(examples, "example")]),
  ];
  if (parts.length === 0) return null;
  const verb = keywords + examples === 1 ? "is" : "are";
  return <span class="muted">{`, so ${sentenceList(parts)} ${verb} not covered`}</span>;
}

function sentence(model: Model, gap: OperationGap): ComponentChildren {
  const name = gap.parameter === null ? null : <ParameterName parameter={gap.parameter} />;
  const place = keywordPlace(model, gap);
  switch (gap.kind) {
    case "operation":
      return "The operation was never called";
    case "parameter":
      return <>{name} was never sent{behind(gap)}</>;
    case "keyword":
      return (
        <>
          <code>
            <bdi>{gap.subject}</bdi>
          </code>{" "}
          {gap.missing === null ? "" : MISSING_WORDS[gap.missing]}{" "}
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

function List({ model, operation, kinds, since, search }: Props): JSX.Element {
  const gaps = useMemo(
    () => listedGaps(model, operation, kinds, since, search),
    [model, operation, [...kinds].join(), since, search],
  );
  const change = changeOf(model, operation);
  const shown = useShown(`gaps of ${operation.key} ${[...kinds]} ${since}`, gaps.length, 120);
  return (
    <>
      <ul class="gap-list">
        {gaps.slice(0, shown.count).map((gap) => {
          const hint = adviceOf(gap);
          return (
            <li key={gap.at}>
              <StateMark
                state={gap.missing === null || gap.missing === "both" ? "none" : "partial"}
              />
              <div>
                {sentence(model, gap)} <ChangeFlag change={gapChange(change, gap)} />{" "}
                {hint === "" ? null : <span class="advice">{hint}</span>}{" "}
                <a
                  href={routeLink("operation", operation.key, { at: gap.at })}
                  aria-label={`Show ${gap.subject || gap.kind}`}
                >
                  Show
                </a>
                <RequestLink
                  model={model}
                  operation={operation}
                  at={gap.at}
                  subject={gap.subject || gap.kind}
                />
              </div>
            </li>
          );
        })}
      </ul>
      {shown.more}
      <MoreRequests model={model} operation={operation} />
      <p>
        <a href={routeLink("operation", operation.key)}>Operation details</a>
      </p>
    </>
  );
}

/** The gaps of one operation, behind a line that counts them. */
export function GapGroup(props: Props): JSX.Element {
  const { operation, kinds, since, search, count, open, opened } = props;
  const { data, gaps, index } = operation;
  const toggle = (): void => {
    const next = new Set(opened);
    if (!next.delete(String(index))) next.add(String(index));
    changeQuery({ open: [...next].join(".") });
  };
  const parts = GAP_KINDS.filter((kind) => gaps[kind] > 0 && (kinds.size === 0 || kinds.has(kind)))
    .map((kind) =>
      kind === "operation" ? "never called" : formatAmount(gaps[kind], GAP_WORDS[kind].gap)
    );
  return (
    <section class="gap-group">
      <h2>
        <button type="button" aria-expanded={open} onClick={toggle}>
          <svg class="chevron" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
            <path d="M5.5 2.5 11 8l-5.5 5.5" class="mark-ring" />
          </svg>
          <span class="gap-name">
            <Method name={data.method} /> <Path path={data.path} />
          </span>
          <span class="muted gap-parts">
            {since === "" && search.isEmpty ? parts.join(", ") : ""}
          </span>
          <span class="gap-count">{formatAmount(count, "gap")}</span>
        </button>
      </h2>
      {open ? <List {...props} /> : null}
    </section>
  );
}
