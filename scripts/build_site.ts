/**
 * Builds the manual in `dist/site`: README.md, docs/ and the library's reference, as pages that work offline.
 *
 *     deno task site
 *
 * @module
 */
import MiniSearch from "minisearch";
import { packageEntries, type Settings } from "./npm/package_json.ts";
import { print } from "./print.ts";
import { repositoryUrl } from "./repository_url.ts";
import { runOrThrow } from "./run.ts";
import { apiPage } from "./site/api_page.ts";
import { NAVIGATION, pageTarget, presentNavigation, REFERENCE_TARGET } from "./site/navigation.ts";
import { type RenderedPage, renderPage } from "./site/render_page.ts";
import { SEARCH_OPTIONS, type SearchEntry } from "./site/search_options.ts";
import { type DenoDoc, referenceMarkdown } from "./site/reference.ts";
import { pageHtml, type Surroundings } from "./site/template.ts";
import { ROOT, sourceFiles, WITH_DEV_CONFIG } from "./source_files.ts";

/** The manual's folder for linked files of the repository that aren't pages. */
const FILES = "files";

/** The contents of the manual. */
export interface Site {
  /** The text of each page and of the index, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files of the repository to copy, by their path in the manual. */
  readonly copies: ReadonlyMap<string, string>;
}

/** The pages of the repository that belong to the manual. */
export async function sitePages(root: string): Promise<string[]> {
  const named = new Set(NAVIGATION.flatMap(({ pages }) => pages.map(([path]) => path)));
  return (await sourceFiles(root, [".md"])).filter((path) =>
    path.startsWith("docs/") || named.has(path)
  );
}

export async function makeSite(root: string, version: string, reference?: string): Promise<Site> {
  const paths = await sitePages(root);
  const present = new Set(paths);
  const navigation = presentNavigation(present);
  const listed = new Set(navigation.flatMap(({ pages }) => pages.map(([path]) => path)));
  const texts = new Map<string, string>();
  const copies = new Map<string, string>();
  const entries: SearchEntry[] = [];
  for (const path of paths) {
    if (!listed.has(path)) {
      throw new Error(
        `${path}: is in no part of the manual; name it in scripts/site/navigation.ts.`,
      );
    }
    const target = pageTarget(path);
    const link = (to: string) => linkTarget(to, path, present, copies);
    const page = renderPage(await Deno.readTextFile(`${root}/${path}`), link);
    texts.set(target, pageHtml(page, { target, navigation, version }));
    entries.push(...searchEntries(page, target));
  }
  if (reference !== undefined) {
    const target = REFERENCE_TARGET;
    const page = renderPage(reference, (link) => link);
    texts.set(target, pageHtml(page, { target, navigation, version }));
    entries.push(...searchEntries(page, target));
  }
  for (const [to, from] of [...copies]) {
    const info = await Deno.stat(`${root}/${from}`).catch(() => undefined);
    if (info === undefined) throw new Error(`A page links to ${from}, which doesn't exist.`);
    if (!info.isDirectory) continue;
    copies.delete(to);
    const { html, files } = await folderPage(root, from, { navigation, version });
    texts.set(`${to}/index.html`, html);
    for (const name of files) copies.set(`${to}/${name}`, `${from}/${name}`);
  }
  const problems = anchorProblems(texts);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(entries);
  texts.set("search_index.js", `covtoolSearch = ${JSON.stringify(JSON.stringify(index))};\n`);
  return { texts, copies };
}

/** Makes the page of a folder that another page links to: a list of its files. */
async function folderPage(
  root: string,
  folder: string,
  around: Omit<Surroundings, "target">,
): Promise<{ readonly html: string; readonly files: readonly string[] }> {
  const files = await sourceFiles(`${root}/${folder}`, [""]);
  const list = files.map((name) => `- [${name}](${encodeURI(name)})`).join("\n");
  const page = renderPage(`# ${folder}\n\n${list}\n`, (link) => link);
  const target = `${FILES}/${folder}/index.html`;
  return { html: pageHtml(page, { ...around, target }), files };
}

/** Translates a link in a page of the repository to an address in the manual. */
function linkTarget(
  link: string,
  path: string,
  present: ReadonlySet<string>,
  copies: Map<string, string>,
): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(link)) return link;
  const { pathname, hash } = new URL(link, `file:///${path}`);
  const found = decodeURIComponent(pathname.slice(1));
  let target = pageTarget(found);
  if (!present.has(found)) {
    const name = found.replace(/\/$/, "");
    target = name.startsWith("docs/") ? name.slice("docs/".length) : `${FILES}/${name}`;
    copies.set(target, name);
    // A path without an extension is a folder (unless in capitals, such as LICENSE): its list is a page.
    if (!/\.[^/]+$|\/[A-Z]+$/.test(target)) target += "/index.html";
  }
  return "../".repeat(pageTarget(path).split("/").length - 1) + target + hash;
}

function searchEntries({ title, sections }: RenderedPage, target: string): SearchEntry[] {
  return sections.map((section) => {
    const text = section.text.replace(/\s+/g, " ").trim();
    return {
      id: section.id === "" ? target : `${target}#${section.id}`,
      title: section.title,
      page: title,
      text,
    };
  });
}

/** Finds links to anchors that the other page lacks: a sentence each, beginning with the page. */
function anchorProblems(texts: ReadonlyMap<string, string>): string[] {
  const anchors = new Map<string, Set<string | undefined>>();
  for (const [path, html] of texts) {
    anchors.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)));
  }
  const problems: string[] = [];
  for (const [path, html] of texts) {
    for (const [, href = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const { protocol, pathname, hash } = new URL(href, `file:///${path}`);
      const own = anchors.get(decodeURIComponent(pathname.slice(1)));
      if (protocol !== "file:" || hash === "" || own === undefined) continue;
      if (!own.has(decodeURIComponent(hash.slice(1)))) {
        problems.push(`${path}: ${href} leads to no heading.`);
      }
    }
  }
  return problems;
}

/** Returns a function that links source files to the repository at this commit; undefined if there is no repository. */
export function sourceLink(
  root: string,
  variables: (name: string) => string | undefined = (name) => Deno.env.get(name),
): ((file: string) => string | undefined) | undefined {
  const repository = repositoryUrl(variables);
  if (repository === undefined) return undefined;
  const base = `${new URL(`file://${root}`).href.replace(/\/$/, "")}/`;
  const commit = variables("GITHUB_SHA") ?? "HEAD";
  return (file) =>
    file.startsWith(base) ? `${repository}/blob/${commit}/${file.slice(base.length)}` : undefined;
}

/** Writes the manual and the library's reference to a folder, which is emptied first; returns the number of pages. */
export async function buildSite(root: string, folder: string): Promise<number> {
  const settings = JSON.parse(await Deno.readTextFile(`${root}/deno.json`)) as Settings;
  const entries = packageEntries(settings);
  const sources = entries.map(({ source }) => source);
  const doc = await runOrThrow(Deno.execPath(), ["doc", "--json", "--quiet", ...sources], {
    cwd: root,
  });
  const reference = referenceMarkdown(
    entries,
    JSON.parse(doc) as DenoDoc,
    new URL(`file://${root}`).href,
  );
  const { texts, copies } = await makeSite(root, settings.version, reference);
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const make = async (path: string) => {
    const target = `${folder}/${path}`;
    await Deno.mkdir(target.replace(/\/[^/]+$/, ""), { recursive: true });
    return target;
  };
  for (const [path, text] of texts) await Deno.writeTextFile(await make(path), text);
  for (const [path, from] of copies) await Deno.copyFile(`${root}/${from}`, await make(path));
  await Deno.copyFile(`${root}/scripts/site/site.css`, `${folder}/site.css`);
  await runOrThrow(
    Deno.execPath(),
    [
      ...["bundle", ...WITH_DEV_CONFIG, "--quiet", "--platform", "browser"],
      ...["--format", "iife", "--minify"],
      ...["--output", `${folder}/site.js`, "scripts/site/app.ts"],
    ],
    { cwd: root },
  );
  await runOrThrow(
    Deno.execPath(),
    [...["doc", "--html", "--quiet", "--name=covtool", `--output=${folder}/api`], ...sources],
    { cwd: root },
  );
  const exported = new Map<string, string>();
  for (const source of sources) {
    exported.set(source, await Deno.readTextFile(`${root}/${source}`));
  }
  for (const path of await sourceFiles(`${folder}/api`, [".html"])) {
    const file = `${folder}/api/${path}`;
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, apiPage(text, entries, exported, sourceLink(root)));
  }
  return texts.size - 1;
}

if (import.meta.main) {
  const pages = await buildSite(ROOT, `${ROOT}/dist/site`);
  print(`dist/site: ${pages} pages and the reference of the library`);
}
