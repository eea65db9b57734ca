import type { JSX } from "preact";
import { figureGroups } from "../../../figures.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { findingGroups } from "../../../wording/finding_wording.ts";
import { HALF_NOTE } from "../../../wording/shown_requests.ts";
import { notMeasuredText } from "../../../wording/summary_wording.ts";
import { errorText, serverErrors } from "../model/model.ts";
import { requestLink } from "../model/gaps.ts";
import { routeLink } from "../model/route.ts";
import { topSuggestions } from "../model/suggestions.ts";
import { useModel } from "../parts/context.ts";
import { Figures, Verdict } from "../parts/figures.tsx";
import { Code, OperationLink } from "../parts/names.tsx";
import { MoreRequests, RequestItem } from "../parts/requests.tsx";
import { SuggestionItem } from "../parts/suggestion_list.tsx";
import { Growth } from "./growth.tsx";
import { Heatmap } from "./heatmap.tsx";
import { AssertionsToAdd } from "./noticed.tsx";
import { SinceBaseline } from "./since_baseline.tsx";
import { TrafficFacts } from "./traffic_facts.tsx";

/** How many suggestions the overview shows: few enough to stand above the fold with the percentages. */
const TOP = 3;

function Heading(): JSX.Element {
  const model = useModel();
  const { title, schema } = model.data;
  const facts = [
    schema.specification,
    ...(schema.version === "" ? [] : [`version ${schema.version}`]),
    ...(schema.base_path === null ? [] : [`base path ${schema.base_path}`]),
  ];
  return (
    <div class="heading">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="muted">
        <bdi>{schema.location}</bdi>
        {facts.map((fact) => (
          <span key={fact}>
            {" · "}
            <bdi>{fact}</bdi>
          </span>
        ))}
      </p>
    </div>
  );
}

function Coverage(): JSX.Element {
  const { data } = useModel();
  const text = notMeasuredText(data);
  return (
    <>
      <Figures groups={figureGroups(data.summary, data.exclusions !== undefined)} />
      {text === undefined ? null : <p class="muted">{text}.</p>}
    </>
  );
}

const ERRORS = 3;

function ServerErrors(): JSX.Element | null {
  const model = useModel();
  const failing = model.operations.flatMap((operation) => {
    const [worst] = serverErrors(operation.data);
    return worst === undefined ? [] : [{ operation, worst }];
  }).sort((left, right) =>
    Number(left.worst.isDocumented) - Number(right.worst.isDocumented) ||
    right.worst.hits - left.worst.hits
  );
  if (failing.length === 0) return null;
  const rest = failing.length - ERRORS;
  return (
    <p>
      Server errors in {formatAmount(failing.length, "operation")}:{" "}
      {failing.slice(0, ERRORS).map(({ operation, worst }, index) => (
        <span key={operation.key}>
          {index === 0 ? "" : ", "}
          <OperationLink operation={operation} /> {errorText(worst)}
        </span>
      ))}
      {rest > 0 ? ` and ${formatNumber(rest)} more` : ""}.
    </p>
  );
}

function DoTheseNext(): JSX.Element {
  const model = useModel();
  const requests = model.requests.slice(0, TOP);
  const suggestions = requests.length > 0 ? [] : topSuggestions(model, TOP);
  const isCovered = requests.length === 0 && suggestions.length === 0;
  return (
    <section>
      <h2>Do these next</h2>
      {isCovered
        ? (
          <p class="calm">
            {model.data.nothing_counted ?? "Nothing: the traffic covers the whole description."}
          </p>
        )
        : (
          <>
            <ol class="suggestions">
              {requests.map((request) => (
                <RequestItem key={requestLink(request)} request={request} />
              ))}
              {suggestions.map((one, index) => <SuggestionItem key={index} suggestion={one} />)}
            </ol>
            {requests.some(({ data }) => data.halved > 0)
              ? <p class="muted">{HALF_NOTE}</p>
              : null}
            {requests.length > 0 ? <MoreRequests /> : null}
            <p>
              <a href={routeLink("gaps")}>All {formatAmount(model.gaps.total, "gap")}</a>
            </p>
          </>
        )}
    </section>
  );
}

function Notices(): JSX.Element | null {
  const model = useModel();
  const { data } = model;
  const groups = findingGroups(data.findings);
  const stale = data.exclusions?.filter((exclusion) => exclusion.stale !== null).length ?? 0;
  const errors = data.diagnostics.filter(({ severity }) => severity === "error").length;
  const notices = [
    data.traffic.recorded === 0 && (
      <p key="empty">
        No traffic was recorded. Record requests while your tests run.
      </p>
    ),
    data.suggested_base_path !== null && (
      <p key="base">
        Most unmatched requests would match with the base path{" "}
        <Code text={data.suggested_base_path} />.{" "}
        <a href={routeLink("unmatched")}>Unmatched traffic</a>
      </p>
    ),
    model.operations.some((operation) => serverErrors(operation.data).length > 0) && (
      <ServerErrors key="errors 5xx" />
    ),
    groups.length > 0 && (
      <p key="findings">
        Findings: {groups.map(({ kind, findings }, index) => (
          <span key={kind.kind}>
            {index === 0 ? "" : ", "}
            <a href={routeLink("findings", "", { kind: kind.kind })}>
              {formatAmount(findings.length, ...kind.noun)}
            </a>
          </span>
        ))}.
      </p>
    ),
    stale > 0 && (
      <p key="stale">
        {formatAmount(stale, "exclusion")} {stale === 1 ? "is" : "are"} stale.{" "}
        <a href={routeLink("excluded")}>Excluded</a>
      </p>
    ),
    errors > 0 && (
      <p key="errors">
        {formatAmount(errors, "part")} of the description could not be used.{" "}
        <a href={routeLink("diagnostics", "", { severity: "error" })}>Diagnostics</a>
      </p>
    ),
  ].filter((notice) => notice !== false);
  return notices.length === 0 ? null : <div class="notices">{notices}</div>;
}

export function Overview(): JSX.Element {
  const { nothing_counted: nothing, verdict } = useModel().data;
  return (
    <div class="overview">
      <Heading />
      {nothing === undefined ? null : (
        <div class="notices">
          <p>{nothing}</p>
        </div>
      )}
      <Verdict verdict={verdict} />
      <Notices />
      <Coverage />
      <div class="columns">
        <div class="column">
          <DoTheseNext />
          <AssertionsToAdd />
          <SinceBaseline />
          <Heatmap />
          <Growth />
        </div>
        <aside class="column side" aria-label="Traffic">
          <TrafficFacts />
        </aside>
      </div>
    </div>
  );
}
