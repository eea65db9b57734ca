/** @jsxImportSource preact */
import type { JSX } from "preact";
import { dimensionsOf, enforcementFacts } from "../model/dimensions.ts";
import type { Model } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { topSuggestions } from "../model/suggestions.ts";
import { formatAmount } from "../../../wording/amounts.ts";
import { findingCounts, findingGroups } from "../../../wording/finding_groups.ts";
import { DimensionCards } from "../parts/dimension_cards.tsx";
import { SuggestionList } from "../parts/suggestion_list.tsx";
import { Growth } from "./growth.tsx";
import { Holes } from "./holes.tsx";
import { SinceBaseline } from "./since_baseline.tsx";
import { TrafficFacts } from "./traffic_facts.tsx";
import type { ViewProps } from "./view.ts";

/** How many suggestions the overview shows. */
const TOP = 8;

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
      />
    </section>
  );
}

function NextRequests({ model }: { readonly model: Model }): JSX.Element {
  const suggestions = topSuggestions(model, TOP);
  return (
    <section>
      <h2>What to send next</h2>
      {suggestions.length === 0
        ? <p class="calm">Nothing: the traffic covers the whole description.</p>
        : (
          <>
            <p class="muted">The requests that would cover the most come first.</p>
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
  const groups = findingGroups(data.findings);
  if (groups.length > 0) {
    notices.push(
      <p key="findings">
        Findings: {findingCounts(groups)}. <a href={routeLink("findings")}>All findings</a>
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

/** How good is it, where are the holes, what to send next. */
export function Overview({ model }: ViewProps): JSX.Element {
  return (
    <div class="overview">
      <Heading model={model} />
      <Notices model={model} />
      <Dimensions model={model} />
      <div class="columns">
        <div class="column">
          <SinceBaseline model={model} />
          <Holes model={model} />
          <NextRequests model={model} />
          <Growth model={model} />
        </div>
        <aside class="column side" aria-label="Traffic">
          <TrafficFacts model={model} />
        </aside>
      </div>
    </div>
  );
}
