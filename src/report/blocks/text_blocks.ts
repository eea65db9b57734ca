import type { Ansis } from "ansis";
import { formatPercent } from "../wording/amounts.ts";
import type { ReportVerdict } from "../report.ts";
import { plainText } from "../text/plain_text.ts";
import { moreLine, tableLines, type TextLayout, tonePaint } from "../text/text_table.ts";
import { cutText, listLines, padText, textWidth, wrapText } from "../text/text_width.ts";
import { gateText, verdictText } from "../wording/verdict_text.ts";
import {
  type Block,
  entryText,
  type Figure,
  headingText,
  type Inline,
  type ListBlock,
  percentTone,
  proseText,
  type ShownCommand,
} from "./block.ts";

/** Columns of a label and of a percentage, including the spaces after each. */
const LABEL = 12;
const PERCENT = 8;
const NARROWEST = 40;
const WIDEST_BAR = 30;
const NARROWEST_BAR = 8;
/** Maximum length of a command. A longer one is replaced by a command that prints it. */
const LONGEST_COMMAND = 480;

/** Renders blocks as terminal lines that fit the layout's width. Control characters are escaped. */
export function textLines(blocks: readonly Block[], layout: TextLayout): string[] {
  return blocks.flatMap((block) => blockLines(block, layout, 0));
}

export function joinSections(sections: readonly (readonly string[])[]): string {
  return sections.filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n") + "\n").join("\n");
}

export function usableWidth(width: number): number {
  return Number.isFinite(width) ? Math.max(NARROWEST, Math.floor(width)) : NARROWEST;
}

function blockLines(block: Block, layout: TextLayout, indent: number): string[] {
  const { width, colors } = layout;
  switch (block.type) {
    case "heading":
      return [colors.bold(cutText(plainText(headingText(block)), width))];
    case "line":
      return listLines(plainText(proseText(block.text)), width, indent)
        .map(tonePaint(block.tone, colors));
    case "fact":
      return wrapText(plainText(block.text), width - LABEL).map((line, index) =>
        padText(index === 0 ? block.label : "", LABEL) + line
      );
    case "verdict":
      return verdictLines(block.verdict, layout);
    case "figures":
      return figureLines(block.rows, width, colors);
    case "list":
      return titledList(block, layout);
    case "table":
      return tableLines(block, layout);
    case "commands":
      return [
        colors.bold(block.title),
        ...block.groups.flatMap(({ comments, command }) => [
          ...comments.flatMap((comment) => commentLines(comment, layout)),
          ...(command === undefined ? [] : commandLines(command, layout)),
        ]),
      ];
    case "section":
      return [
        ...wrapText(plainText(block.title), width)
          .map((line) => colors.bold(tonePaint(block.tone, colors)(line))),
        ...block.blocks.flatMap((part) => blockLines(part, layout, 2)),
      ];
  }
}

function verdictLines(verdict: ReportVerdict, { width, colors }: TextLayout): string[] {
  const gates = verdict.gates.toSorted((left, right) => Number(left.passed) - Number(right.passed));
  return [
    (verdict.passed ? colors.green : colors.red).bold(verdictText(verdict)),
    ...gates.flatMap((gate) => {
      const mark = gate.passed ? colors.green("✓") : colors.red("✗");
      return wrapText(plainText(gateText(gate)), width - 4)
        .map((line, index) => `  ${index > 0 ? " " : mark} ${line}`);
    }),
  ];
}

function figureLines(rows: readonly Figure[], width: number, colors: Ansis): string[] {
  const longest = rows.reduce((most, { counts }) => Math.max(most, counts.length), 0);
  const bar = Math.min(WIDEST_BAR, width - LABEL - PERCENT - longest - 2);
  return rows.flatMap(({ label, percent, counts }) => {
    const paint = tonePaint(percentTone(percent), colors);
    const shown = padText(formatPercent(percent), 6, "right");
    const middle = bar < NARROWEST_BAR ? "" : `${coverageBar(percent, bar, paint, colors)}  `;
    const [first = "", ...rest] = wrapText(counts, width - LABEL - PERCENT);
    return [
      `${padText(label, LABEL)}${middle}${paint(shown)}  ${first}`,
      ...rest.map((line) => padText("", LABEL + PERCENT) + line),
    ];
  });
}

/** A bar of block characters. Like the percentage beside it, it is only empty at exactly 0 and full at exactly 100. */
function coverageBar(
  percent: number | null,
  width: number,
  paint: (text: string) => string,
  colors: Ansis,
): string {
  const filled = percent === null || percent <= 0
    ? 0
    : percent >= 100
    ? width
    : Math.min(width - 1, Math.max(1, Math.round(percent / 100 * width)));
  return (filled > 0 ? paint("█".repeat(filled)) : "") +
    (filled < width ? colors.dim("░".repeat(width - filled)) : "");
}

function titledList(
  { title, tone, entries, rest }: ListBlock,
  { width, colors }: TextLayout,
): string[] {
  const indent = title === undefined ? 2 : 4;
  return [
    ...(title === undefined ? [] : [`  ${tonePaint(tone, colors)(title)}`]),
    ...entries.flatMap((entry) => [
      ...listLines(plainText(entryText(entry)), width, indent, 2)
        .map(tonePaint(entry.tone, colors)),
      ...(entry.notes ?? []).flatMap(({ text, tone }) =>
        listLines(plainText(text), width, indent + 2).map(tonePaint(tone, colors))
      ),
    ]),
    ...(rest > 0 && entries.length > 0 ? [moreLine(rest, " ".repeat(indent), colors)] : []),
  ];
}

function commentLines(comment: Inline, { width, colors }: TextLayout): string[] {
  const lines = typeof comment === "string"
    ? wrapText(plainText(comment), width - 2)
    : [plainText(comment.code)];
  return lines.map((line) => colors.dim(`# ${line}`));
}

function commandLines({ parts, other }: ShownCommand, { width, wraps }: TextLayout): string[] {
  const command = parts.join(" ");
  const isShown = command.length <= LONGEST_COMMAND && plainText(command) === command;
  const shown = isShown ? parts : other.map(plainText);
  if (textWidth(shown.join(" ")) <= width) return [shown.join(" ")];
  return shown.flatMap((part, index) => {
    // Lines that continue a quotation start without spaces.
    const line = `${index === 0 ? "" : "  "}${part}`;
    const more = index === shown.length - 1 ? "" : " \\";
    return wraps ? wrapWords(line, width, more) : [line + more];
  });
}

/** A token that mustn't be split: an escaped apostrophe, a variable, an opening or closing quote, or a character. */
const SHELL_TOKEN = /'\\''|"\$\w+"|[^]/gu;

/** Breaks a shell command even within words, so that a shell joins it again. `more` is appended to the last line. */
function wrapWords(line: string, width: number, more: string): string[] {
  if (textWidth(line + more) <= width) return [line + more];
  const lines: string[] = [];
  let tokens: string[] = [];
  let used = 0;
  let breakAt = 0;
  let breaksQuotation = false;
  let isQuoted = false;
  const most = width - Math.max(more.length, 1);
  for (const token of line.match(SHELL_TOKEN) ?? []) {
    // A line break needs room for a backslash, and within a quotation also for an apostrophe.
    if (used + textWidth(token) > (isQuoted ? most - 1 : most)) {
      const isEarly = breakAt > tokens.length / 2;
      const end = isEarly ? breakAt : tokens.length;
      const apostrophe = (isEarly ? breaksQuotation : isQuoted) ? "'" : "";
      lines.push(`${tokens.slice(0, end).join("")}${apostrophe}\\`);
      tokens = [apostrophe, ...tokens.slice(end)];
      used = textWidth(tokens.join(""));
      breakAt = 0;
    }
    tokens.push(token);
    used += textWidth(token);
    if (token === "'") isQuoted = !isQuoted;
    else if (isQuoted ? /[,&? ]/.test(token) : /[/ ]/.test(token)) {
      breakAt = tokens.length;
      breaksQuotation = isQuoted;
    }
  }
  return [...lines, tokens.join("") + more];
}
