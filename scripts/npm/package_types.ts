import { PACKAGE_NAME, type PackageEntry } from "./package_json.ts";

/** An import on a line of code; it may follow the end of a comment, but not be inside one. */
const IMPORT = /^(?!\s*\*(?!\/)).*(?:from\s+|import\()"(\.[^"]+)"/gm;
/** An import in the example of a comment. */
const EXAMPLE = /^( *\* import (?:type )?\{ ([\w, ]+) \} from) "\.[^"]*\.ts";$/gm;

/** The package's name on JSR, and in examples. */
const PUBLISHED = "@covtool/covtool";

/** Returns the declarations that the entries of a package import, directly or indirectly. */
export function reachedDeclarations(
  entries: readonly PackageEntry[],
  declarations: ReadonlyMap<string, string>,
): Map<string, string> {
  const reached = new Map<string, string>();
  function visit(path: string, from: string): void {
    if (reached.has(path)) return;
    const text = declarations.get(path);
    if (text === undefined) {
      throw new TypeError(`${from}: has no types: ${path} is missing from what deno pack made.`);
    }
    reached.set(path, text);
    for (const [, specifier = ""] of text.matchAll(IMPORT)) {
      const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
      visit(target.replace(/\.js$/, ".d.ts"), path);
    }
  }
  for (const { source } of entries) visit(source.replace(/\.ts$/, ".d.ts"), source);
  return reached;
}

/** Makes the examples in comments import from the package, as readers have to. */
export function withPackageExamples(
  text: string,
  entries: readonly PackageEntry[],
  texts: ReadonlyMap<string, string>,
): string {
  return text.replaceAll(`"${PUBLISHED}`, `"${PACKAGE_NAME}`).replace(
    EXAMPLE,
    (line, before: string, names: string) => {
      const module = exportingModule(names, entries, texts);
      return module === undefined ? line : `${before} "${module}";`;
    },
  );
}

/** Returns the package's module that exports comma-separated names, such as `covtool/proxy`; undefined if none does. */
export function exportingModule(
  names: string,
  entries: readonly PackageEntry[],
  texts: ReadonlyMap<string, string>,
): string | undefined {
  const entry = entries.find(({ source }) => {
    const exported = new Set(texts.get(source)?.match(/\w+/g));
    return names.split(",").every((name) => exported.has(name.trim()));
  });
  return entry && `${PACKAGE_NAME}${entry.name.slice(1)}`;
}
