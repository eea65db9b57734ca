/** @jsxImportSource preact */
import type { JSX } from "preact";
import { dimensionsOf, enforcementFacts, responseKeywordFacts } from "../model/dimensions.ts";
import type { Model } from "../model/model.ts";
import { nextRequests } from "../model/next_requests.ts";
import { routeLink } from "../model/route.ts";
import { errorText, serverErrors } from "../model/server_errors.ts";
import { topSuggestions } from "../model/suggestions.ts";
import { notMeasuredText } from "../../../wording/not_measured_text.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { findingGroups } from "../../../wording/finding_groups.ts";
import { DimensionCards } from "../parts/dimension_cards.tsx";
import { OperationLink } from "../parts/names.tsx";
import { MoreRequests } from "../parts/more_requests.tsx";
import { RequestList } from "../parts/request_list.tsx";
import { SuggestionList } from "../parts/suggestion_list.tsx";
import { Growth } from "./growth.tsx";
import { Holes } from "./holes.tsx";
import { SinceBaseline } from "./since_baseline.tsx";
import { TrafficFacts } from "./traffic_facts.tsx";
import type { ViewProps } from "./view.ts";

/** How many suggestions the overview shows: few enough to stand above the fold with the percentages. */
const TOP = 3;

function Heading({ model }: { readonly model: Model }): JSX.Element {
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

function Dimensions({ model }: { readonly model: Model }): JSX.Element {
  return (
    <section aria-label="Coverage">
      <DimensionCards
        dimensions={dimensionsOf(model.data.summary, model.data.exclusions !== undefined)}
        enforcement={enforcementFacts(model.data.summary)}
        returned={responseKeywordFacts(model.data.summary)}
      />
      <NotMeasured model={model} />
    </section>
  );
}

/** What the traffic can't show; nothing where it shows all. */
function NotMeasured({ model }: { readonly model: Model }): JSX.Element | null {
  const text = notMeasuredText(model.data);
  return text === undefined ? null : <p class="muted">{text}.</p>;
}

/** Operations with server errors that the overview names. */
const ERRORS = 3;

/** The operations that answered 5xx, undocumented statuses first. */
function ServerErrors({ model }: { readonly model: Model }): JSX.Element | null {
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

function DoTheseNext({ model }: { readonly model: Model }): JSX.Element {
  const requests = nextRequests(model);
  if (requests.length > 0) {
    return (
      <section>
        <h2>Do these next</h2>
        <RequestList model={model} requests={requests.slice(0, TOP)} />
        <MoreRequests model={model} />
        <p>
          <a href={routeLink("gaps")}>All {formatAmount(model.gaps.total, "gap")}</a>
        </p>
      </section>
    );
  }
  const suggestions = topSuggestions(model, TOP);
  return (
    <section>
      <h2>Do these next</h2>
      {suggestions.length === 0
        ? <p class="calm">Nothing: the traffic covers the whole description.</p>
        : (
          <>
            <SuggestionList suggestions={suggestions} />
            <p>
              <a href={routeLink("gaps")}>All {formatAmount(model.gaps.total, "gap")}</a>
            </p>
          </>
        )}
    </section>
  );
}

function Notices({ model }: { readonly model: Model }): JSX.Element | null {
  const { data } = model;
  const notices: JSX.Element[] = [];
  if (data.traffic.recorded === 0) {
    notices.push(
      <p key="empty">
        No traffic was recorded. Record requests while your tests run.
      </p>,
    );
  }
  if (data.suggested_base_path !== null) {
    notices.push(
      <p key="base">
        Most unmatched requests would match with the base path{" "}
        <code>
          <bdi>{data.suggested_base_path}</bdi>
        </code>. <a href={routeLink("unmatched")}>Unmatched traffic</a>
      </p>,
    );
  }
  if (model.operations.some((operation) => serverErrors(operation.data).length > 0)) {
    notices.push(<ServerErrors key="errors 5xx" model={model} />);
  }
  const groups = findingGroups(data.findings);
  if (groups.length > 0) {
    notices.push(
      <p key="findings">
        Findings: {groups.map(({ kind, findings }, index) => (
          <span key={kind.kind}>
            {index === 0 ? "" : ", "}
            <a href={routeLink("findings", "", { kind: kind.kind })}>
              {formatAmount(findings.length, ...kind.noun)}
            </a>
          </span>
        ))}.
      </p>,
    );
  }
  const stale = data.exclusions?.filter((exclusion) => exclusion.stale !== null).length ?? 0;
  if (stale > 0) {
    notices.push(
      <p key="stale">
        {formatAmount(stale, "exclusion")} {stale === 1 ? "is" : "are"} stale.{" "}
        <a href={routeLink("excluded")}>Excluded</a>
      </p>,
    );
  }
  const errors = data.diagnostics.filter(({ severity }) => severity === "error").length;
  if (errors > 0) {
    notices.push(
      <p key="errors">
        {formatAmount(errors, "part")} of the description could not be used.{" "}
        <a href={routeLink("diagnostics", "", { severity: "error" })}>Diagnostics</a>
      </p>,
    );
  }
  return notices.length === 0 ? null : <div class="notices">{notices}</div>;
}

/** How good is it, what to do next, where are the holes. */
export function Overview({ model }: ViewProps): JSX.Element {
  return (
    <div class="overview">
      <Heading model={model} />
      <Notices model={model} />
      <Dimensions model={model} />
      <div class="columns">
        <div class="column">
          <DoTheseNext model={model} />
          <SinceBaseline model={model} />
          <Holes model={model} />
          <Growth model={model} />
        </div>
        <aside class="column side" aria-label="Traffic">
          <TrafficFacts model={model} />
        </aside>
      </div>
    </div>
  );
}
