import { PACKAGE_NAME, type PackageEntry } from "../npm/package_json.ts";

/** The output of `deno doc --json`. */
export interface DenoDoc {
  readonly nodes: Readonly<
    Record<
      string,
      {
        readonly module_doc?: {
          readonly doc?: string;
          readonly tags?: readonly { readonly kind: string; readonly doc?: string }[];
        };
        readonly symbols: readonly {
          readonly name: string;
          readonly declarations: readonly {
            readonly kind: string;
            readonly jsDoc?: { readonly doc?: string };
          }[];
        }[];
      }
    >
  >;
}

/** Headings of the kinds of symbols, in order. */
const KINDS: Readonly<Record<string, string>> = {
  function: "Functions",
  class: "Classes",
  variable: "Values",
  interface: "Interfaces",
  typeAlias: "Types",
};

/** Writes the overview page of the library's reference: each entry point's documentation and its exports. */
export function referenceMarkdown(
  entries: readonly PackageEntry[],
  { nodes }: DenoDoc,
  root: string,
): string {
  const parts = entries.map(({ name, source }) => {
    const module = nodes[`${root}/${source}`];
    if (module === undefined) throw new TypeError(`${source}: deno doc says nothing about it.`);
    const folder = name === "." ? "api" : `api/${name.slice(2)}`;
    const { doc = "", tags = [] } = module.module_doc ?? {};
    const names = new Set(module.symbols.map(({ name }) => name));
    const linked = (text: string) =>
      withLinks(text, (name) => names.has(name) ? `${folder}/~/${name}.html` : undefined);
    const examples = tags.flatMap((tag) => tag.kind === "example" ? [tag.doc ?? ""] : []);
    const rows = Object.entries(KINDS).flatMap(([kind, title]) => {
      const found = module.symbols.flatMap(({ name, declarations }) => {
        const [declaration] = declarations;
        if (declaration?.kind !== kind) return [];
        const text = firstSentence(declaration.jsDoc?.doc ?? "").replaceAll("|", "\\|");
        return [`| [\`${name}\`](${folder}/~/${name}.html) | ${text} |`];
      });
      return found.length === 0 ? [] : [`| ${title} | What it is |`, "| --- | --- |", ...found, ""];
    });
    return `## ${PACKAGE_NAME}${name.slice(1)}

\`jsr:@covtool/covtool${name.slice(1)}\` on JSR. [All of it](${folder}/index.html).

${linked(doc)}

${examples.map(linked).join("\n\n")}

${rows.join("\n")}`;
  });
  return `# API reference\n\n${parts.join("\n\n")}\n`;
}

/** Replaces `{@link}` tags by links to the pages of symbols, or by code if there is no page. */
function withLinks(doc: string, findPage: (name: string) => string | undefined): string {
  return doc.replace(/\{@link(?:code|plain)?\s+([^}|\s]+)\s*\}/g, (_all, name: string) => {
    const page = findPage(name);
    return page === undefined ? `\`${name}\`` : `[\`${name}\`](${page})`;
  });
}

function firstSentence(doc: string): string {
  const text = withLinks(doc, () => undefined).replace(/\s+/g, " ").trim();
  return /^.*?[.:](?= |$)/.exec(text)?.[0] ?? text;
}
