import { escapeHtml } from "../../src/report/text/plain_text.ts";
import { type NavigationGroup, pageTarget, REFERENCE_TARGET } from "./navigation.ts";
import type { RenderedPage } from "./render_page.ts";

export interface Surroundings {
  /** The page's path in the manual. */
  readonly target: string;
  readonly navigation: readonly NavigationGroup[];
  readonly version: string;
}

/** Returns the HTML of a page. Its links are relative, so that it works in any folder, and from a disk. */
export function pageHtml(page: RenderedPage, around: Surroundings): string {
  const { target, version } = around;
  const root = "../".repeat(target.split("/").length - 1);
  const title = target === "index.html"
    ? "covtool: how much of your API is tested"
    : `${page.title} – covtool`;
  const contents = page.headings.filter(({ depth }) => depth === 2 || depth === 3);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${root}site.css">
<script src="${root}site.js" data-root="${root}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${root}index.html">covtool</a>
<span class="version">${escapeHtml(version)}</span>
<form class="search" role="search" hidden>
<input type="search" aria-label="Search the manual" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="results" role="status"></div>
</form>
<button class="theme" type="button" hidden>Dark</button>
</header>
<div class="columns">
<details class="menu"><summary>All pages</summary>
${navigationHtml(around, root, "Pages, folded")}
</details>
<aside class="sidebar">
${navigationHtml(around, root, "Pages")}
</aside>
<main id="content" tabindex="-1">
${page.html}
${neighboursHtml(around, root)}
</main>
${
    contents.length < 2 ? "" : `<nav class="contents" aria-label="On this page">
<p>On this page</p>
<ul>
${
      contents.map(({ depth, id, text }) =>
        `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`
      ).join("\n")
    }
</ul>
</nav>`
  }
</div>
</body>
</html>
`;
}

function navigationHtml({ navigation, target }: Surroundings, root: string, label: string): string {
  const groups = navigation.map(({ title, pages }) => {
    const items = pages.map(([path, name]) => {
      const own = pageTarget(path);
      const current = own === target ? ' aria-current="page"' : "";
      return `<li><a href="${root}${own}"${current}>${escapeHtml(name)}</a></li>`;
    });
    if (title === "Measure and report") {
      const current = target === REFERENCE_TARGET ? ' aria-current="page"' : "";
      items.push(`<li><a href="${root}${REFERENCE_TARGET}"${current}>API reference</a></li>`);
    }
    return `<p>${escapeHtml(title)}</p>\n<ul>\n${items.join("\n")}\n</ul>`;
  });
  return `<nav aria-label="${label}">\n${groups.join("\n")}\n</nav>`;
}

/** Links to the previous and the next page. */
function neighboursHtml({ navigation, target }: Surroundings, root: string): string {
  const pages = navigation.flatMap(({ pages }) => pages);
  const index = pages.findIndex(([path]) => pageTarget(path) === target);
  const link = (page: readonly [string, string] | undefined, rel: string, before: string) =>
    page === undefined || index < 0
      ? "<span></span>"
      : `<a rel="${rel}" href="${root}${pageTarget(page[0])}"><small>${before}</small> ${
        escapeHtml(page[1])
      }</a>`;
  const [previous, next] = [pages[index - 1], pages[index + 1]];
  return `<nav class="neighbours" aria-label="Previous and next page">
${link(previous, "prev", "Previous")}
${link(next, "next", "Next")}
</nav>`;
}
