import type { Code, Html } from "mdast";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";

/** Commands in a page of documentation. */
export interface ShellBlock {
  /** The line of the page on which the block begins. */
  readonly line: number;
  /** The commands as written. */
  readonly script: string;
  /** The expected exit code. */
  readonly code: number;
  /** Why the commands are not run; undefined if they are. */
  readonly notRun?: string;
  /** The file of the test that runs the commands instead. */
  readonly runBy?: string;
  /** The expected output and its place in the page; undefined if the page shows none. */
  readonly prints?: ShownOutput;
}

/** Output that a page shows. */
export interface ShownOutput {
  readonly text: string;
  /** Start and end of the text between the fences. */
  readonly start: number;
  readonly end: number;
}

export interface DocumentationPage {
  /** True if the page shows how to start from nothing, so that its folder must be empty. */
  readonly startsEmpty: boolean;
  readonly blocks: readonly ShellBlock[];
}

const SHELLS = new Set(["sh", "bash", "shell"]);

export function shellBlocks(markdown: string): DocumentationPage {
  const tree = unified().use(remarkParse).parse(markdown);
  const blocks: ShellBlock[] = [];
  let startsEmpty = false;
  visit(tree, (node, index, parent) => {
    if (node.type === "html" && commentIn(node) === "starts in an empty folder") startsEmpty = true;
    if (node.type !== "code") return;
    const before = index === undefined ? undefined : parent?.children[index - 1];
    const comment = before?.type === "html" ? commentIn(before) : undefined;
    if (SHELLS.has(node.lang ?? "")) blocks.push(readBlock(node, comment));
    else if (comment === "prints") {
      const commands = blocks.pop();
      if (commands === undefined) {
        throw new TypeError(`line ${startLine(node)}: output is shown, but no commands before it.`);
      }
      blocks.push({ ...commands, prints: readOutput(node, markdown) });
    }
  });
  return { startsEmpty, blocks };
}

function commentIn({ value }: Html): string | undefined {
  return /^<!--\s*([\s\S]*?)\s*-->$/.exec(value)?.[1]?.replace(/\s+/g, " ");
}

function startLine(node: Code): number {
  return node.position?.start.line ?? 0;
}

function readBlock(node: Code, comment = ""): ShellBlock {
  const notRun = /^not run: (.+)$/.exec(comment)?.[1];
  const runBy = /^run by (\S+)$/.exec(comment)?.[1];
  return {
    line: startLine(node),
    script: node.value,
    code: Number(/^exits with (\d+)$/.exec(comment)?.[1] ?? 0),
    ...(notRun === undefined ? {} : { notRun }),
    ...(runBy === undefined ? {} : { runBy }),
  };
}

function readOutput(node: Code, markdown: string): ShownOutput {
  const from = node.position?.start.offset ?? 0;
  const start = markdown.indexOf("\n", from) + 1;
  const end = markdown.lastIndexOf("\n", (node.position?.end.offset ?? 0) - 1) + 1;
  return { text: node.value, start, end };
}
