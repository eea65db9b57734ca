/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { JSX } from "preact";
import { changeOf } from "../model/changes.ts";
import { useEffect } from "preact/hooks";
import { dimensionsOf, enforcementFacts, responseKeywordFacts } from "../model/dimensions.ts";
import { exclusionOf, type Model, type Operation, operationOf } from "../model/model.ts";
import { requestsOf } from "../model/next_requests.ts";
import { routeLink } from "../model/route.ts";
import { parseSpot, type Spot, spotName } from "../model/spot.ts";
import { rankSuggestions, suggestionsOf } from "../model/suggestions.ts";
import { formatAmount, formatNumber, formatTime } from "../../../wording/amounts.ts";
import { operationCredentialsText } from "../../../wording/credentials_text.ts";
import { findingGroups } from "../../../wording/finding_groups.ts";
import { CoveredBy } from "../parts/covered_by.tsx";
import { ExclusionNote } from "../parts/exclusion_note.tsx";
import { DimensionCards } from "../parts/dimension_cards.tsx";
import { FindingRow } from "../parts/finding_row.tsx";
import { Method, OperationLink, Path } from "../parts/names.tsx";
import { MoreRequests } from "../parts/more_requests.tsx";
import { RequestList } from "../parts/request_list.tsx";
import { SuggestionList } from "../parts/suggestion_list.tsx";
import { useShown } from "../parts/use_shown.tsx";
import { type SourceState, useSource } from "../parts/use_source.ts";
import { gapAt } from "../model/gap_walk.ts";
import { AnnotatedSourceView } from "./annotated_source.tsx";
import { GapBar } from "./gap_bar.tsx";
import { Flags } from "./operation_row.tsx";
import { ParameterList } from "./parameter_list.tsx";
import { Responses } from "./responses.tsx";
import type { ViewProps } from "./view.ts";

/** How many suggestions stand above the parameters, which show every gap themselves. */
const TOP = 6;
/** How many requests are shown at first. */
const FIRST = 3;

function Heading(
  { model, operation }: { readonly model: Model; readonly operation: Operation },
): JSX.Element {
  const { data } = operation;
  const credentials = data.credentials === undefined
    ? ""
    : operationCredentialsText(data.credentials);
  return (
    <div class="heading">
      <h1 class="operation-name" id={spotName("operation", 0)} tabIndex={-1}>
        <Method name={data.method} /> <Path path={data.path} />
      </h1>
      <p class="muted">
        {data.operation_id === null ? null : (
          <>
            <code>
              <bdi>{data.operation_id}</bdi>
            </code>
            {" · "}
          </>
        )}
        {data.tags.map((tag) => (
          <span key={tag}>
            <a href={routeLink("operations", "", { q: tag })}>
              <bdi>{tag}</bdi>
            </a>
            {" · "}
          </span>
        ))}
        {data.hits === 0 ? "never called" : `called ${formatAmount(data.hits, "time")}`}
        {model.data.summary.responses.measured && data.succeeded !== undefined && data.hits > 0
          ? `, ${formatNumber(data.succeeded)} succeeded`
          : null}
        {data.first_at === null ? null : `, first ${formatTime(data.first_at)}`}
        {data.last_at === null || data.last_at === data.first_at
          ? null
          : `, last ${formatTime(data.last_at)}`}
        {data.summary.tcl === undefined ? null : ` · TCL ${data.summary.tcl.level}`}{" "}
        <Flags operation={operation} change={changeOf(model, operation)} />
      </p>
      {credentials === "" ? null : <p class="muted">{credentials}</p>}
      <ExclusionNote exclusion={exclusionOf(model.data, data)} />
      <CoveredBy model={model} lists={[["", data.covered_by ?? []]]} />
    </div>
  );
}

function Dimensions(
  { model, operation }: { readonly model: Model; readonly operation: Operation },
): JSX.Element {
  const [, ...dimensions] = dimensionsOf(
    operation.data.summary,
    model.data.exclusions !== undefined,
  );
  const { summary, hits } = operation.data;
  return (
    <DimensionCards
      dimensions={dimensions}
      enforcement={hits === 0 ? null : enforcementFacts(summary)}
      returned={hits === 0 ? null : responseKeywordFacts(summary)}
      small
    />
  );
}

/** The operations before and after this one in the description. */
function Neighbours(
  { model, operation }: { readonly model: Model; readonly operation: Operation },
): JSX.Element {
  const before = model.operations[operation.index - 1];
  const after = model.operations[operation.index + 1];
  return (
    <nav class="neighbours" aria-label="Other operations">
      {before === undefined ? <span /> : (
        <span>
          <span class="muted small">Previous</span> <OperationLink operation={before} />
        </span>
      )}
      {after === undefined ? <span /> : (
        <span class="after">
          <span class="muted small">Next</span> <OperationLink operation={after} />
        </span>
      )}
    </nav>
  );
}

/** The findings of this operation; nothing where there are none. */
function Found({ model, operation, source }: {
  readonly model: Model;
  readonly operation: Operation;
  readonly source: SourceState;
}): JSX.Element | null {
  const findings = findingGroups(model.data.findings).flatMap(({ findings }) => findings)
    .filter((finding) => operationOf(model, finding) === operation);
  const shown = useShown(`found ${operation.key}`, findings.length, 20);
  return findings.length === 0 ? null : (
    <section>
      <h2>Findings</h2>
      <ul class="rows finding-list">
        {findings.slice(0, shown.count).map((finding, index) => (
          <FindingRow
            key={index}
            model={model}
            operation={operation}
            finding={finding}
            source={source}
            within
          />
        ))}
      </ul>
      {shown.more}
    </section>
  );
}

/** The requests of an operation; all of them where the address leads to one further down. */
function Requests({ model, operation, spot }: MissingProps): JSX.Element | null {
  const requests = requestsOf(model, operation);
  const wanted = spot?.kind === "request" ? spot.index + 1 : 0;
  const shown = useShown(`requests of ${operation.key}`, requests.length, FIRST, wanted);
  if (requests.length === 0) return null;
  return (
    <>
      <RequestList model={model} requests={requests.slice(0, shown.count)} within />
      {shown.more}
    </>
  );
}

interface MissingProps {
  readonly model: Model;
  readonly operation: Operation;
  /** The place that the address names. */
  readonly spot: Spot | null;
}

function Missing(props: MissingProps): JSX.Element | null {
  const { model, operation } = props;
  const suggestions = rankSuggestions(suggestionsOf(model, operation));
  return (
    <section>
      <h2>Do these next</h2>
      <Requests {...props} />
      {suggestions.length === 0
        ? (
          <p class="calm">
            {operation.state === "excluded"
              ? "Nothing: this operation is excluded."
              : "Nothing: the traffic covers this whole operation."}
          </p>
        )
        : (
          <>
            {requestsOf(model, operation).length === 0 ? null : <h3>What is missing</h3>}
            <SuggestionList suggestions={suggestions.slice(0, TOP)} within />
            {suggestions.length > TOP
              ? (
                <p class="muted">
                  {formatNumber(suggestions.length - TOP)}{" "}
                  more are shown with the parameters and responses below.
                </p>
              )
              : null}
            <MoreRequests model={model} operation={operation} />
          </>
        )}
    </section>
  );
}

/** One operation in depth. */
export function OperationPage({ model, route }: ViewProps): JSX.Element {
  const operation = model.byKey.get(route.target);
  const source = useSource();
  const at = route.query.get("at");
  const spot = parseSpot(at);
  const ready = spot?.kind !== "line" || source !== "loading";
  useEffect(() => {
    if (at === null || !ready) return;
    const element = document.getElementById(at);
    // The row itself takes the focus, so that Tab goes on from there.
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "center" });
  }, [at, ready, route.target]);
  if (operation === undefined) {
    return (
      <>
        <h1>Operation not found</h1>
        <p>
          This report has no operation{" "}
          <code>
            <bdi>{route.target.replace(":", " ")}</bdi>
          </code>. See <a href={routeLink("operations")}>all operations</a>.
        </p>
      </>
    );
  }
  return (
    <div class="operation-page">
      <p class="crumb">
        <a href={routeLink("operations")}>Operations</a>
      </p>
      <Heading model={model} operation={operation} />
      {operation.state === "excluded" ? null : <Dimensions model={model} operation={operation} />}
      <Found model={model} operation={operation} source={source} />
      <Missing model={model} operation={operation} spot={spot} />
      <ParameterList
        model={model}
        operation={operation}
        route={route}
        spot={spot}
        source={source}
      />
      <Responses model={model} operation={operation} source={source} spot={spot} />
      <AnnotatedSourceView model={model} operation={operation} source={source} spot={spot} />
      <Neighbours model={model} operation={operation} />
      <GapBar
        model={model}
        operation={operation}
        at={at}
        current={gapAt(model, operation, at)}
      />
    </div>
  );
}
