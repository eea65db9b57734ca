/** @jsxImportSource preact */
import type { JSX } from "preact";
import { formatPercent } from "../../../percent.ts";
import { dimensionsOf } from "../model/dimensions.ts";
import type { Model } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { topSuggestions } from "../model/suggestions.ts";
import { formatAmount } from "../../../wording/amounts.ts";
import { Bar } from "../parts/bar.tsx";
import { SuggestionList } from "../parts/suggestion_list.tsx";
import { Growth } from "./growth.tsx";
import { Holes } from "./holes.tsx";
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
    <section aria-label="How much is covered">
      <dl class="dimensions">
        {dimensionsOf(model.data.summary).map((facts) => (
          <div key={facts.dimension} class="dimension">
            <dt>{facts.label}</dt>
            <dd>
              <span class="percent">{formatPercent(facts.percent)}</span>
              <Bar full={facts.full} partial={facts.partial} total={facts.total} />
              <span class="counts">{facts.text}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function NextRequests({ model }: { readonly model: Model }): JSX.Element {
  const suggestions = topSuggestions(model, TOP);
  return (
    <section>
      <h2>What to send next</h2>
      {suggestions.length === 0
        ? <p class="calm">Nothing is missing: every part of the description was exercised.</p>
        : (
          <>
            <p class="muted">What would cover the most comes first.</p>
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
        No traffic was recorded, so nothing can be covered yet. Record requests while your tests
        run.
      </p>,
    );
  }
  if (data.suggested_base_path !== null) {
    notices.push(
      <p key="base">
        Most of the traffic matches nothing because of a prefix: with the base path{" "}
        <code>
          <bdi>{data.suggested_base_path}</bdi>
        </code>{" "}
        it would. <a href={routeLink("unmatched")}>Unmatched traffic</a>
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
          <Holes model={model} />
          <NextRequests model={model} />
          <Growth model={model} />
        </div>
        <aside class="column side" aria-label="The traffic">
          <TrafficFacts model={model} />
        </aside>
      </div>
    </div>
  );
}
