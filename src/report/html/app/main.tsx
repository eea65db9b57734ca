/// <reference lib="dom" />
import { type ComponentChildren, type JSX, render } from "preact";
import type { ApisPageData, PageData } from "../page_data.ts";
import { buildModel } from "./model/model.ts";
import { ModelContext } from "./parts/context.ts";
import { restoreTheme } from "./parts/theme_switch.tsx";
import { RouteContext, startRouting, useAddress } from "./parts/use_route.ts";
import { loadBlock } from "./parts/use_source.ts";
import { ApisPage } from "./views/apis_page.tsx";
import { Page } from "./views/page.tsx";

function Routed({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <RouteContext.Provider value={useAddress()}>{children}</RouteContext.Provider>;
}

async function start(page: Element, block: Element): Promise<void> {
  try {
    const data = await loadBlock(block);
    const content = block.id === "apis"
      ? <ApisPage data={data as ApisPageData} />
      : (
        <ModelContext.Provider value={buildModel(data as PageData)}>
          <Page />
        </ModelContext.Provider>
      );
    startRouting();
    page.replaceChildren();
    render(<Routed>{content}</Routed>, page);
  } catch (error) {
    // The static summary stays, with the error message above it.
    const notice = document.createElement("p");
    notice.setAttribute("role", "alert");
    notice.className = "static";
    notice.textContent = `Can't show the details of this report: ${
      error instanceof Error ? error.message : error
    }`;
    page.prepend(notice);
  }
}

restoreTheme();
const page = document.getElementById("page");
const block = document.getElementById("report") ?? document.getElementById("apis");
if (page !== null && block !== null) start(page, block);
