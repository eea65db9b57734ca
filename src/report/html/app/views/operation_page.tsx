/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { figureGroups } from "../../../figures.ts";
import { formatAmount, formatNumber, formatTime } from "../../../wording/amounts.ts";
import { findingGroups } from "../../../wording/finding_wording.ts";
import { operationCredentialsText } from "../../../wording/summary_wording.ts";
import { gapAt, gapLink, gapSentence, type GapStop, nextGap } from "../model/gaps.ts";
import { findOperation, type Model } from "../model/model.ts";
import { routeLink, spotName } from "../model/route.ts";
import { operationSuggestions, rankSuggestions, type Suggestion } from "../model/suggestions.ts";
import { OperationContext, useModel, useOperation } from "../parts/context.ts";
import { CoveredBy } from "../parts/covered_by.tsx";
import { Figures } from "../parts/figures.tsx";
import { ExclusionNote } from "../parts/marks.tsx";
import { Code, GapIds, Method, OperationLink, Path } from "../parts/names.tsx";
import { MoreRequests, RequestLine, RequestLink } from "../parts/requests.tsx";
import { SuggestionLine } from "../parts/suggestion_list.tsx";
import { ShownList, useFolded } from "../parts/table.tsx";
import { useQuery, useRoute, useSpot } from "../parts/use_route.ts";
import { useSource } from "../parts/use_source.ts";
import { AnnotatedSourceView } from "./annotated_source.tsx";
import { Flags } from "./operations.tsx";
import { ParameterList } from "./parameter_list.tsx";
import { OperationAccess } from "./access.tsx";
import { FindingRow } from "./findings.tsx";
import { Noticed } from "./noticed.tsx";
import { Responses } from "./responses.tsx";

const FIRST = 5;

export function OperationPage(): JSX.Element {
  const model = useModel();
  const route = useRoute();
  const operation = model.byKey.get(route.target);
  const source = useSource();
  const at = route.query.get("at");
  const ready = useSpot()?.kind !== "line" || source !== undefined;
  useEffect(() => {
    if (at === null || !ready) return;
    const element = document.getElementById(at);
    // Focuses the row itself, so that Tab continues from there.
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "center" });
  }, [at, ready, route.target]);
  if (operation === undefined) {
    return (
      <>
        <h1>Operation not found</h1>
        <p>
          This report has no operation <Code text={route.target.replace(":", " ")} />. See{" "}
          <a href={routeLink("operations")}>all operations</a>.
        </p>
      </>
    );
  }
  const { data, state } = operation;
  return (
    <OperationContext.Provider value={operation}>
      <div class="operation-page">
        <p class="crumb">
          <a href={routeLink("operations")}>Operations</a>
        </p>
        <Heading />
        {state === "excluded" ? null : (
          <Figures
            groups={figureGroups(data.summary, model.data.exclusions !== undefined)}
            without={data.hits > 0
              ? ["operations"]
              : ["operations", "enforcement", "response_keywords", "noticed", "access"]}
          />
        )}
        <ParameterList />
        <Responses />
        <OperationAccess />
        <Noticed />
        <Found />
        <Missing />
        <AnnotatedSourceView />
        <Neighbours />
        <GapBar />
      </div>
    </OperationContext.Provider>
  );
}

function Heading(): JSX.Element {
  const operation = useOperation();
  const model = useModel();
  const { data } = operation;
  const credentials = data.credentials && operationCredentialsText(data.credentials);
  return (
    <div class="heading">
      <h1 class="operation-name" id={spotName("operation", 0)} tabIndex={-1}>
        <Method name={data.method} /> <Path path={data.path} />
      </h1>
      <p class="muted">
        {data.operation_id === null ? null : (
          <>
            <Code text={data.operation_id} />
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
        {model.data.summary.responses.measured && data.succeeded !== undefined && data.hits > 0 &&
          `, ${formatNumber(data.succeeded)} succeeded`}
        {data.first_at !== null && `, first ${formatTime(data.first_at)}`}
        {data.last_at !== null && data.last_at !== data.first_at &&
          `, last ${formatTime(data.last_at)}`}
        {data.summary.tcl === undefined ? null : ` · test coverage level ${data.summary.tcl.level}`}
        {" "}
        <Flags operation={operation} />
      </p>
      {credentials && <p class="muted">{credentials}</p>}
      <ExclusionNote of={data} />
      <CoveredBy lists={[["", data.covered_by ?? []]]} />
    </div>
  );
}

function Found(): JSX.Element | null {
  const model = useModel();
  const operation = useOperation();
  const findings = findingGroups(model.data.findings).flatMap(({ findings }) => findings)
    .filter((finding) => findOperation(model, finding) === operation);
  return findings.length === 0 ? null : (
    <section>
      <h2>Findings</h2>
      <ShownList
        name={`found ${operation.key}`}
        style="rows finding-list"
        rows={findings}
        step={20}
      >
        {(finding, index) => <FindingRow key={index} finding={finding} within />}
      </ShownList>
    </section>
  );
}

function Missing(): JSX.Element {
  const operation = useOperation();
  const spot = useSpot();
  const lacksRequest = ({ gaps }: Suggestion): boolean =>
    gaps.some(({ request }) => request === undefined);
  const target = spot?.kind === "request" ? spot.index : -1;
  const lines = [
    ...operation.requests.map((request) => (
      <RequestLine
        key={`request ${request.index}`}
        request={request}
        isTarget={request.index === target}
      />
    )),
    ...rankSuggestions(operationSuggestions(operation)).filter(lacksRequest).map((one, index) => (
      <SuggestionLine key={`suggestion ${index}`} suggestion={one} />
    )),
  ];
  const folded = useFolded(lines, Math.max(FIRST, target + 1));
  return (
    <section>
      <h2>Do these next</h2>
      {lines.length === 0
        ? (
          <p class="calm">
            {operation.state === "excluded"
              ? "Nothing: this operation is excluded."
              : "Nothing: this operation has no gaps."}
          </p>
        )
        : (
          <>
            <ol class="suggestions compact">{folded.list}</ol>
            {folded.more}
            <MoreRequests />
          </>
        )}
    </section>
  );
}

function Neighbours(): JSX.Element {
  const operation = useOperation();
  const model = useModel();
  return (
    <nav class="neighbours" aria-label="Other operations">
      {([["Previous", -1], ["Next", 1]] as const).map(([label, step]) => {
        const other = model.operations[operation.index + step];
        return other === undefined
          ? <span key={label} />
          : (
            <span key={label} class={step > 0 ? "after" : undefined}>
              <span class="muted small">{label}</span> <OperationLink operation={other} />
            </span>
          );
      })}
    </nav>
  );
}

function gapNumber(model: Model, { first, last }: GapStop): string {
  const range = first === last
    ? `Gap ${formatNumber(first)}`
    : `Gaps ${formatNumber(first)} to ${formatNumber(last)}`;
  return `${range} of ${formatNumber(model.gaps.total)}`;
}

function GapBar(): JSX.Element | null {
  const operation = useOperation();
  const model = useModel();
  const at = useQuery("at");
  const missing = useQuery("missing");
  if (model.gaps.total === 0) return null;
  const current = gapAt(model, operation, at);
  return (
    <div class="gap-bar" role="group" aria-label="Gap navigation">
      <p role="status">
        {current === null
          ? <span class="muted">{formatAmount(operation.gaps.total, "gap")} here</span>
          : (
            <>
              <strong>{gapNumber(model, current)}</strong>{" "}
              <bdi class="gap-sentence">{gapSentence(current)}</bdi>{" "}
              <GapIds ids={current.gap.ids} />
              <RequestLink at={current.gap.at} subject="this gap" />
            </>
          )}
      </p>
      <span class="gap-steps">
        {([["p", "Previous gap", -1], ["n", "Next gap", 1]] as const).map(
          ([key, label, direction]) => {
            const stop = nextGap(model, operation, at, direction);
            return stop === null ? null : (
              <a key={key} class="step" href={gapLink(stop, missing)}>
                <kbd aria-hidden="true">{key}</kbd> {label}
              </a>
            );
          },
        )}
      </span>
    </div>
  );
}
