/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { Dimension } from "../../../../map/results.ts";
import { formatPercent } from "../../../percent.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import type { ApiRow, ApisPageData } from "../../apis_page_data.ts";
import { type DimensionFacts, dimensionsOf } from "../model/dimensions.ts";
import { apiLink } from "../model/route.ts";
import { Bar } from "../parts/bar.tsx";
import { levelClass } from "../parts/level_class.ts";
import { Method, Path } from "../parts/names.tsx";
import { useShown } from "../parts/use_shown.tsx";

const COLUMNS: readonly (readonly [Dimension, string])[] = [
  ["operations", "Operations"],
  ["parameters", "Parameters"],
  ["keywords", "Keywords"],
  ["examples", "Examples"],
  ["responses", "Responses"],
];

function Percentage({ facts }: { readonly facts: DimensionFacts | undefined }): JSX.Element {
  if (facts === undefined) return <td />;
  const { percent, full, partial, total, text } = facts;
  return (
    <td class="api-percent" title={text}>
      <span class={`number ${levelClass(percent)}`}>{formatPercent(percent)}</span>
      <Bar full={full} partial={partial} total={total} />
    </td>
  );
}

function Row({ api }: { readonly api: ApiRow }): JSX.Element {
  const facts = dimensionsOf(api.summary, api.isScoped);
  return (
    <tr>
      <th scope="row">
        <a href={apiLink(api.name)}>
          <bdi>{api.name}</bdi>
        </a>
        <bdi class="muted api-place">{api.location}</bdi>
        {api.findings === 0 ? null : (
          <a class="api-place" href={`${apiLink(api.name)}/findings`}>
            {formatAmount(api.findings, "finding")}
          </a>
        )}
      </th>
      {COLUMNS.map(([dimension]) => (
        <Percentage
          key={dimension}
          facts={facts.find((one) => one.dimension === dimension)}
        />
      ))}
      <td class="number">
        <a href={`${apiLink(api.name)}/gaps`}>{formatNumber(api.gaps)}</a>
        {api.new_gaps === null || api.new_gaps === 0
          ? null
          : <span class="api-new">{formatNumber(api.new_gaps)} new</span>}
      </td>
      <td class="number">{formatNumber(api.matched)}</td>
      <td class="number">
        <a href={`${apiLink(api.name)}/unmatched`}>{formatNumber(api.unmatched)}</a>
      </td>
    </tr>
  );
}

function Strays({ strays }: Pick<ApisPageData, "strays">): JSX.Element | null {
  const shown = useShown("strays", strays.length);
  if (strays.length === 0) return null;
  const requests = strays.reduce((sum, { count }) => sum + count, 0);
  return (
    <section>
      <h2>Requests of no API</h2>
      <p class="muted">{formatAmount(requests, "request")} matched none of the APIs.</p>
      <div class="scroll" role="region" aria-label="Requests of no API" tabIndex={0}>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col" class="number">Count</th>
            </tr>
          </thead>
          <tbody>
            {strays.slice(0, shown.count).map((one) => (
              <tr key={`${one.method} ${one.host} ${one.path}`}>
                <td>
                  <Method name={one.method} /> <bdi class="muted">{one.host}</bdi>
                  <Path path={one.path} />
                </td>
                <td class="number">{formatNumber(one.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.more}
    </section>
  );
}

/** All APIs of a run side by side, and the requests that belong to none. */
export function ApisOverview({ data }: { readonly data: ApisPageData }): JSX.Element {
  const { title, apis, summary, gaps, strays } = data;
  const all = dimensionsOf(summary, apis.some(({ isScoped }) => isScoped));
  return (
    <div class="overview">
      <div class="heading">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p class="muted">{formatAmount(apis.length, "API")}</p>
      </div>
      <div class="scroll" role="region" aria-label="APIs" tabIndex={0}>
        <table class="plain apis">
          <thead>
            <tr>
              <th scope="col">API</th>
              {COLUMNS.map(([dimension, label]) => <th key={dimension} scope="col">{label}</th>)}
              <th scope="col" class="number">Gaps</th>
              <th scope="col" class="number">Matched</th>
              <th scope="col" class="number">Unmatched</th>
            </tr>
          </thead>
          <tbody>
            {apis.map((api) => <Row key={api.name} api={api} />)}
          </tbody>
          {apis.length < 2 ? null : (
            <tfoot>
              <tr>
                <th scope="row">All</th>
                {COLUMNS.map(([dimension]) => (
                  <Percentage
                    key={dimension}
                    facts={all.find((one) => one.dimension === dimension)}
                  />
                ))}
                <td class="number">{formatNumber(gaps)}</td>
                <td class="number">
                  {formatNumber(apis.reduce((sum, { matched }) => sum + matched, 0))}
                </td>
                <td />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <Strays strays={strays} />
    </div>
  );
}
