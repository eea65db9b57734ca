import type { Element, Root } from "hast";
import { toString } from "hast-util-to-string";
import rehypeHighlight from "rehype-highlight";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { CONTINUE, SKIP, visit } from "unist-util-visit";

export interface PageHeading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** A part of a page that a search can find. */
export interface PageSection {
  /** The id of the heading above the section; empty before the first one. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly PageHeading[];
  readonly sections: readonly PageSection[];
}

/** Renders a Markdown page as HTML. Comments and raw HTML are left out. */
export function renderPage(markdown: string, link: (target: string) => string): RenderedPage {
  const headings: PageHeading[] = [];
  const sections: { id: string; title: string; text: string }[] = [];
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSlug)
    .use(rehypeHighlight, { plainText: ["mermaid"] })
    .use(() => (tree: Root) => {
      for (const node of tree.children) {
        if (node.type !== "element") continue;
        const depth = Number(/^h([1-6])$/.exec(node.tagName)?.[1] ?? 0);
        if (depth > 0) {
          const heading = { depth, id: String(node.properties["id"]), text: toString(node) };
          headings.push(heading);
          sections.push({ id: depth === 1 ? "" : heading.id, title: heading.text, text: "" });
          if (depth > 1) addAnchor(node, heading.id);
        } else {
          const section = sections.at(-1);
          if (section !== undefined) section.text += ` ${toString(node)}`;
        }
      }
      visit(tree, "element", (node) => {
        for (const name of ["href", "src"] as const) {
          const target = node.properties[name];
          if (typeof target === "string") node.properties[name] = link(target);
        }
        if (node.tagName === "img") node.properties["loading"] = "lazy";
        // A block wider than the page scrolls, which must work with the keyboard.
        if (node.tagName === "pre") node.properties["tabIndex"] = 0;
      });
      visit(tree, { tagName: "table" }, (node, index, parent) => {
        if (parent === undefined || index === undefined || node.type !== "element") return CONTINUE;
        parent.children[index] = {
          type: "element",
          tagName: "div",
          properties: { className: ["table"], tabIndex: 0, role: "group", ariaLabel: "Table" },
          children: [node],
        };
        return SKIP;
      });
    })
    .use(rehypeStringify);
  const html = String(processor.processSync(markdown));
  return { title: headings[0]?.text ?? "", html, headings, sections };
}

/** Adds a link to the heading itself. */
function addAnchor(heading: Element, id: string): void {
  heading.children.push({
    type: "element",
    tagName: "a",
    properties: { href: `#${id}`, className: ["anchor"], ariaLabel: "Link to this section" },
    children: [{ type: "text", value: "#" }],
  });
}
