/**
 * Checks that every relative link in the project's Markdown leads to a file, and to a heading of it.
 *
 *     deno run --allow-read scripts/check_links.ts
 *
 * @module
 */
import { finish } from "./print.ts";
import { ROOT, sourceFiles } from "./source_files.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[`~]*[ \t]*$/gm;
const CODE = /(`+)[^`\n](?:.*?[^`])?\1(?!`)/g;
const LINK = /\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\))?[^()\s<>]*)>?(?:\s+["'][^)]*)?\s*\)/g;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/gm;
const SOURCE = /<(?:img|a|source)\b[^>]*?\s(?:src|href|srcset)="([^"]+)"/g;
const HEADING = /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/gm;

/** Returns the targets of links and images in a Markdown text, without those in code. */
export function linkTargets(markdown: string): string[] {
  const prose = markdown.replace(FENCE, "").replace(CODE, "");
  return [LINK, DEFINITION, SOURCE].flatMap((pattern) =>
    [...prose.matchAll(pattern)].flatMap((match) => match[1] === undefined ? [] : [match[1]])
  );
}

/** Returns the anchors that the headings of a Markdown text get when it is rendered. */
export function headingAnchors(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of markdown.replace(FENCE, "").matchAll(HEADING)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
    const base = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Finds broken links in the Markdown files under a folder: a sentence each, beginning with the file. */
export async function linkProblems(root: string): Promise<string[]> {
  const problems: string[] = [];
  for (const path of await sourceFiles(root, [".md"])) {
    const text = await Deno.readTextFile(`${root}/${path}`);
    for (const link of linkTargets(text)) {
      if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link)) continue;
      const [target = "", anchor] = link.split("#", 2);
      const found = target === ""
        ? path
        : decodeURIComponent(new URL(target, `file:///${path}`).pathname.slice(1));
      if (!await exists(`${root}/${found}`)) {
        problems.push(`${path}: the link ${link} leads to no file.`);
      } else if (anchor !== undefined && found.endsWith(".md")) {
        const headings = headingAnchors(await Deno.readTextFile(`${root}/${found}`));
        if (!headings.has(anchor)) problems.push(`${path}: the link ${link} leads to no heading.`);
      }
    }
  }
  return problems;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) finish("links in the documentation", await linkProblems(ROOT));
