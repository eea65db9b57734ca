import { Ansis } from "ansis";
import { markdownBlocks, markdownText } from "../blocks/markdown_blocks.ts";
import { joinSections, textLines, usableWidth } from "../blocks/text_blocks.ts";
import { generateJsonReport } from "../json_report.ts";
import { findReporter, type Reporter } from "../reporters.ts";
import { generateUsageHtmlReport } from "./usage_html_report.ts";
import type { UsageReport } from "./usage_report.ts";
import { usageSections, usageSummary } from "./usage_wording.ts";

interface UsageTextOptions {
  /** Columns of the terminal, at least 40. */
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
  usageReporter("html", (report) => [generateUsageHtmlReport(report)]),
  usageReporter("json", (report) => generateJsonReport(report)),
  usageReporter("text", (report, options) => [writeText(report, options)]),
  usageReporter("markdown", (report) => [writeMarkdown(report)]),
];

/** Derives a format from that of coverage reports, with another file name. */
function usageReporter(name: UsageFormat, write: UsageReporter["write"]): UsageReporter {
  const { file, aliases = [], options: _, suggests: __, ...format } = findReporter(name);
  return {
    ...format,
    name,
    file: file.replace("coverage", "compare"),
    aliases: aliases.filter((alias) => alias !== "coverage"),
    write,
  };
}

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

/** Writes a pull request comment. Its first line is always the same, so that a bot finds its previous comment. */
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
