import { getOrAdd } from "../../../../values/collections.ts";
/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type DimensionFacts, dimensionFigures } from "../../../figures.ts";
import { formatAmount, formatNumber, formatPercent } from "../../../wording/amounts.ts";
import type { ApiRow } from "../../../apis/apis_overview.ts";
import type { ApisPageData, PageData } from "../../page_data.ts";
import { buildModel, type Model } from "../model/model.ts";
import { apiLink, enterApi } from "../model/route.ts";
import { ModelContext } from "../parts/context.ts";
import { Verdict } from "../parts/figures.tsx";
import { Bar, Brand, levelClass } from "../parts/marks.tsx";
import { breakAtSlashes } from "../parts/names.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { ThemeSwitch } from "../parts/theme_switch.tsx";
import { enterView, useRoute } from "../parts/use_route.ts";
import { documentComplete, loadBlock } from "../parts/use_source.ts";
import { Page } from "./page.tsx";
import { REQUEST_COLUMNS } from "./unmatched.tsx";

/** The models of the APIs opened so far. They are kept because loading a data element empties it. */
const models = new Map<number, Promise<Model>>();

async function load(index: number): Promise<Model> {
  await documentComplete();
  const block = document.getElementById(`report-${index}`);
  if (block === null) throw new Error("This page is cut off: the data of the API is missing.");
  return buildModel(await loadBlock(block) as PageData, `source-${index}`);
}

function ApiPage({ index, title, isEntered }: {
  readonly index: number;
  readonly title: string;
  readonly isEntered: boolean;
}): JSX.Element {
  const [state, setState] = useState<Model | string | undefined>();
  useEffect(() => {
    getOrAdd(models, index, () => load(index)).then(setState, (error) => {
      setState(`Can't show this API: ${error instanceof Error ? error.message : error}`);
    });
  }, []);
  if (state === undefined || typeof state === "string") {
    return (
      <main class="static">
        <p role={state === undefined ? "status" : "alert"}>{state ?? "Reading the report…"}</p>
        <p>
          <a href="#/">All APIs</a>
        </p>
      </main>
    );
  }
  return (
    <ModelContext.Provider value={state}>
      <Page all={title} isEntered={isEntered} />
    </ModelContext.Provider>
  );
}

function AllApis({ data, isEntered }: {
  readonly data: ApisPageData;
  readonly isEntered: boolean;
}): JSX.Element {
  const { title, tool, generated_at } = data;
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => void (isEntered && enterView(main.current)), []);
  useEffect(() => void (document.title = `${title} · API coverage`), [title]);
  return (
    <>
      <header class="top">
        <div class="top-inner">
          <a class="brand" href="#/">
            <Brand />
            <bdi>{title}</bdi>
          </a>
          <span class="top-buttons top-end">
            <ThemeSwitch />
          </span>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <ApisOverview data={data} />
      </main>
      <footer>
        {tool.name} {tool.version} · generated {generated_at}
      </footer>
    </>
  );
}

export function ApisPage({ data }: { readonly data: ApisPageData }): JSX.Element {
  const { api } = useRoute();
  const index = data.apis.findIndex(({ name }) => name === api);
  // Links are created while the views render, so this has to come first.
  enterApi(index < 0 ? "" : api);
  const drawn = useRef(false);
  useLayoutEffect(() => void (drawn.current = true), []);
  const isEntered = drawn.current;
  return index < 0
    ? <AllApis data={data} isEntered={isEntered} />
    : <ApiPage key={String(index)} index={index} title={data.title} isEntered={isEntered} />;
}

function Percentage({ facts }: { readonly facts: DimensionFacts }): JSX.Element {
  const { percent, full, partial, total, text } = facts;
  return (
    <div class="api-percent" title={text}>
      <span class={`number ${levelClass(percent)}`}>{formatPercent(percent)}</span>
      <Bar full={full} partial={partial} total={total} />
    </div>
  );
}

function numberColumn(
  label: string,
  name: "gaps" | "findings" | "matched" | "unmatched",
): Column<ApiRow> {
  return {
    label,
    isNumber: true,
    value: (api) => api[name],
    cell: (api) => {
      const number = formatNumber(api[name]);
      return (
        <>
          {name === "matched" ? number : <a href={`${apiLink(api.name)}/${name}`}>{number}</a>}
          {name === "gaps" && (api.new_gaps ?? 0) > 0
            ? <span class="api-new">{formatNumber(api.new_gaps ?? 0)} new</span>
            : null}
        </>
      );
    },
  };
}

const GATES: Column<ApiRow> = {
  label: "Failed requirements",
  isNumber: true,
  value: ({ failed_gates }) => failed_gates,
  cell: ({ gates, failed_gates }) => (
    <span class={failed_gates > 0 ? "gate-failed" : undefined}>
      {gates === 0 ? "–" : `${formatNumber(failed_gates)} of ${formatNumber(gates)}`}
    </span>
  ),
};

const NAME: Column<ApiRow> = {
  label: "API",
  value: ({ name }) => name,
  cell: ({ name, location }) => (
    <>
      <a href={apiLink(name)}>
        <bdi>{name}</bdi>
      </a>
      <bdi class="muted api-place">{breakAtSlashes(location)}</bdi>
    </>
  ),
};

function apiColumns({ summary, verdict }: ApisPageData): readonly Column<ApiRow>[] {
  return [
    NAME,
    ...dimensionFigures(summary).map(({ label }, index): Column<ApiRow> => {
      const figure = ({ summary, isScoped }: ApiRow) => dimensionFigures(summary, isScoped)[index];
      return {
        label,
        value: (api) => figure(api)?.percent ?? null,
        cell: (api) => {
          const facts = figure(api);
          return facts === undefined ? null : <Percentage facts={facts} />;
        },
      };
    }),
    numberColumn("Gaps", "gaps"),
    numberColumn("Findings", "findings"),
    ...(verdict === undefined ? [] : [GATES]),
    numberColumn("Matched", "matched"),
    numberColumn("Unmatched", "unmatched"),
  ];
}

function Total({ data }: { readonly data: ApisPageData }): JSX.Element {
  const { apis, summary, gaps, findings, matched, verdict } = data;
  return (
    <tr>
      <th scope="row">All</th>
      {dimensionFigures(summary, apis.some(({ isScoped }) => isScoped)).map((facts) => (
        <td key={facts.name} data-label={facts.label}>
          <Percentage facts={facts} />
        </td>
      ))}
      <td class="number" data-label="Gaps">{formatNumber(gaps)}</td>
      <td class="number" data-label="Findings">{formatNumber(findings)}</td>
      {verdict === undefined ? null : <td />}
      <td class="number" data-label="Matched">{formatNumber(matched)}</td>
      <td />
    </tr>
  );
}

function ApisOverview({ data }: { readonly data: ApisPageData }): JSX.Element {
  const { title, apis, strays, verdict } = data;
  const total = strays.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="overview">
      <div class="heading">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p class="muted">{formatAmount(apis.length, "API")}</p>
      </div>
      <Verdict verdict={verdict} />
      <Table
        label="APIs"
        style="apis"
        columns={apiColumns(data)}
        rows={apis}
        rowKey={({ name }) => name}
        foot={apis.length < 2 ? null : <Total data={data} />}
      />
      {strays.length === 0 ? null : (
        <section>
          <h2>Requests of no API</h2>
          <p class="muted">{formatAmount(total, "request")} matched none of the APIs.</p>
          <Table
            label="Requests of no API"
            columns={REQUEST_COLUMNS}
            rows={strays}
            rowKey={({ method, host, path }) => `${method} ${host} ${path}`}
          />
        </section>
      )}
    </div>
  );
}
