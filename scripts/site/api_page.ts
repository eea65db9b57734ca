import { PACKAGE_NAME, type PackageEntry } from "../npm/package_json.ts";
import { exportingModule } from "../npm/package_types.ts";

/** The import of a symbol: the shown code, and the text that its button copies. */
const USAGE = /<h3>Usage<\/h3>[\s\S]*?<button class="copyButton" data-copy="[^"]*"/g;
/** The module of a usage: `deno doc` names only the entry. */
const IMPORTED = /\bfrom &quot;([^&]*)&quot;/g;
/** An import in an example, from a module of the sources. */
const EXAMPLE = /\bimport (?:type )?\{ ([\w, ]+) \} from &quot;(\.[^&]*\.ts)&quot;/g;
/** The button that links to a symbol's source, on the machine that built the page. */
const SOURCE_BUTTON = /<a\s+class="sourceButton"\s+href="(file:[^"]*)">[\s\S]*?<\/a>/g;
/** The package's name on JSR, as module examples write it. */
const PUBLISHED = "&quot;@covtool/covtool";

/**
 * Adapts a page of `deno doc --html` for readers: it links to the repository instead of files of the machine that built
 * it, and its imports name the package.
 */
export function apiPage(
  html: string,
  entries: readonly PackageEntry[],
  texts: ReadonlyMap<string, string>,
  sources?: (file: string) => string | undefined,
): string {
  const folders = new Map(entries.map(({ name }) => [name.replace(/^\.\//, ""), name.slice(1)]));
  const imported = (text: string) =>
    text.replace(IMPORTED, (all, from: string) => {
      const rest = folders.get(from);
      return rest === undefined ? all : `from &quot;${PACKAGE_NAME}${rest}&quot;`;
    });
  return html
    .replace(SOURCE_BUTTON, (button, address: string) => {
      const target = sources?.(address.replaceAll("&#x2F;", "/"));
      return target === undefined ? "" : button.replace(address, target);
    })
    .replace(USAGE, imported)
    .replace(EXAMPLE, (all, names: string, from: string) => {
      const module = exportingModule(names, entries, texts);
      return module === undefined ? all : all.replace(from, module);
    })
    .replaceAll(PUBLISHED, `&quot;${PACKAGE_NAME}`);
}
