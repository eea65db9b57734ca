import { Ansis } from "ansis";
import { markdownBlocks, markdownText } from "../blocks/markdown_blocks.ts";
import { joinSections, textLines, usableWidth } from "../blocks/text_blocks.ts";
import { generateJsonReport } from "../json_report.ts";
import type { Reporter } from "../reporters.ts";
import { generateUsageHtmlReport } from "./usage_html_report.ts";
import type { UsageReport } from "./usage_report.ts";
import { usageSections, usageSummary } from "./usage_wording.ts";

interface UsageTextOptions {
  /** Columns of the terminal; fewer than 40 count as 40. */
  readonly width: number;
  /** Colours with ANSI escape sequences (default: true). */
  readonly colored?: boolean | undefined;
}

export type UsageFormat = "html" | "json" | "text" | "markdown";

export interface UsageReporter
  extends Pick<Reporter, "file" | "isFile" | "extensions" | "aliases" | "log"> {
  readonly name: UsageFormat;
  readonly write: (report: UsageReport, text: UsageTextOptions) => Iterable<string>;
}

export const USAGE_REPORTERS: readonly UsageReporter[] = [
  {
    name: "html",
    file: "compare.html",
    isFile: true,
    extensions: ["html", "htm"],
    aliases: ["page"],
    log: "escaped",
    write: (report) => [generateUsageHtmlReport(report)],
  },
  {
    name: "json",
    file: "compare.json",
    extensions: ["json"],
    log: "json",
    write: (report) => generateJsonReport(report),
  },
  {
    name: "text",
    file: "compare.txt",
    extensions: ["txt"],
    aliases: ["console", "stdout", "terminal"],
    log: "lines",
    write: (report, options) => [writeText(report, options)],
  },
  {
    name: "markdown",
    file: "compare.md",
    extensions: ["md"],
    log: "lines",
    write: (report) => [writeMarkdown(report)],
  },
];

function writeText(report: UsageReport, { width, colored }: UsageTextOptions): string {
  const layout = {
    width: usableWidth(width),
    wraps: true,
    colors: new Ansis(colored === false ? 0 : 1),
  };
  return joinSections(
    [...usageSummary(report), ...usageSections(report).map((section) => [section])]
      .map((blocks) => textLines(blocks, layout)),
  );
}

/** A comment for a pull request. Its first line is the same in every one, for a bot to find its last one by. */
function writeMarkdown(report: UsageReport): string {
  const [untested, ...others] = usageSections(report);
  const { schema, tool } = report;
  return "<!-- covtool compare -->\n" + markdownBlocks([
    ...usageSummary(report).flat(),
    ...(untested === undefined ? [] : [
      { type: "line", text: untested.title, tone: "bad" } as const,
      ...untested.blocks,
    ]),
    ...others.filter(({ blocks: [first] }) => first?.type === "table"),
  ]) + `\n<sub>${markdownText(schema.location)} · covtool ${tool.version}</sub>\n`;
}
