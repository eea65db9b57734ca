/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ApisPageData } from "../../apis_page_data.ts";
import type { PageData } from "../../page_data.ts";
import { documentComplete } from "../model/document_complete.ts";
import { loadBlock } from "../model/load_block.ts";
import { buildModel, type Model } from "../model/model.ts";
import { enterApi } from "../model/route.ts";
import { ThemeSwitch } from "../parts/theme_switch.tsx";
import { scrollForView, useRoute } from "../parts/use_route.ts";
import { readSourceFrom } from "../parts/use_source.ts";
import { ApisOverview } from "./apis_overview.tsx";
import { Page } from "./page.tsx";

/** The models of the APIs that were opened: reading a block empties it. */
const models = new Map<number, Promise<Model>>();

async function load(index: number): Promise<Model> {
  await documentComplete();
  const block = document.getElementById(`report-${index}`);
  if (block === null) throw new Error("This page is cut off: the data of the API is missing.");
  return buildModel(await loadBlock(block) as PageData);
}

function modelOf(index: number): Promise<Model> {
  let model = models.get(index);
  if (model === undefined) models.set(index, model = load(index));
  return model;
}

interface ApiPageProps {
  readonly index: number;
  readonly title: string;
}

/** The page of one API, once its data is read. */
function ApiPage({ index, title }: ApiPageProps): JSX.Element {
  const [state, setState] = useState<Model | string | undefined>();
  useEffect(() => {
    modelOf(index).then(setState, (error) => {
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
  return <Page model={state} all={{ link: "#/", title }} />;
}

function AllApis({ data }: { readonly data: ApisPageData }): JSX.Element {
  const { title, tool, generated_at } = data;
  useEffect(() => void (document.title = `${title} · API coverage`), [title]);
  return (
    <>
      <header class="top">
        <div class="top-inner">
          <a class="brand" href="#/">
            <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
              <circle cx="8" cy="8" r="6" class="mark-ring" />
              <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
            </svg>
            <bdi>{title}</bdi>
          </a>
          <span class="top-buttons top-end">
            <ThemeSwitch />
          </span>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ApisOverview data={data} />
      </main>
      <footer>
        {tool.name} {tool.version} · generated {generated_at}
      </footer>
    </>
  );
}

/** The page of several APIs: the overview, or the page of the API that the address names. */
export function ApisPage({ data }: { readonly data: ApisPageData }): JSX.Element {
  const { api } = useRoute();
  const index = data.apis.findIndex(({ name }) => name === api);
  // Links are made while the views are drawn, so this comes first.
  enterApi(index < 0 ? "" : api);
  readSourceFrom(`source-${index}`);
  const drawn = useRef(false);
  useLayoutEffect(() => {
    if (drawn.current) scrollForView();
    drawn.current = true;
  }, [index]);
  return index < 0
    ? <AllApis data={data} />
    : <ApiPage key={String(index)} index={index} title={data.title} />;
}
