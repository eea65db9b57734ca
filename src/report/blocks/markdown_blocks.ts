import { capitalized, changeText, formatNumber, formatPercent } from "../wording/amounts.ts";
import type { ReportVerdict } from "../report.ts";
import { plainText } from "../text/plain_text.ts";
import { cutText } from "../text/text_width.ts";
import { gateText, verdictText } from "../wording/verdict_text.ts";
import {
  type Block,
  type BlockCell,
  type BlockColumn,
  type CommandsBlock,
  type FiguresBlock,
  headingText,
  type ListEntry,
  type Prose,
  type ShownCommand,
  type Tone,
} from "./block.ts";

const WIDEST = 100;
/** Maximum length of a sentence in a list, which may name a rule and its parameter, and of a paragraph. */
const MAX_SENTENCE = 200;
const MAX_PARAGRAPH = 1000;
/** Maximum length of a command. A longer one is replaced by a command that prints it. */
const LONGEST_COMMAND = 1_500;
/** Code that needs no escaping in a code span, even within a table. */
const PLAIN_CODE = /^[^`|\\\s]([^`|\\]*[^`|\\\s])?$/;
/** Characters that may act as Markdown, HTML, formulas, emoji or links on code hosts. */
const ACTIVE = /[\\`*_{}[\]<>#+|~&@$=^!"]|:(?=\S)|(?<!\w)'|'(?!\w)/g;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g;

function markdownCode(text: string): string {
  const plain = cutText(plainText(text), WIDEST);
  if (PLAIN_CODE.test(plain)) return `\`${plain}\``;
  return `<code>${plain.replace(ASCII_PUNCTUATION, entity)}</code>`;
}

/** Escapes a text for one line anywhere in Markdown: it can't contain markup or links, or notify users. */
export function markdownText(text: string, widest: number = WIDEST): string {
  return cutText(plainText(text), widest)
    .replace(ACTIVE, (character) => {
      // Code hosts look for names and numbers in the rendered text too, so an entity alone isn't enough.
      return entity(character) + (character === "@" || character === "#" ? "<!-- -->" : "");
    })
    .replace(/www\./gi, (www) => `${www.slice(0, 3)}&#46;`);
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** Renders blocks as Markdown for GitHub and GitLab, separated by empty lines. Sections are collapsed. */
export function markdownBlocks(blocks: readonly Block[]): string {
  return blocks.map(markdownBlock).join("\n");
}

const LOUD: ReadonlySet<Tone | undefined> = new Set(["bad", "warning", "strong"]);

function markdownBlock(block: Block): string {
  switch (block.type) {
    case "heading":
      return `### ${headingText({ ...block, title: markdownText(block.title) })}\n`;
    case "line": {
      const text = markdownProse(block.text, MAX_PARAGRAPH);
      return LOUD.has(block.tone) ? `**${text}**\n` : `${text}\n`;
    }
    case "fact": {
      const { name, text } = block;
      return `${name === "" ? capitalized(text) : `${name}: ${text}`}.\n`;
    }
    case "verdict":
      return verdictBlock(block.verdict);
    case "figures":
      return figureTable(block);
    case "list": {
      const { title, entries, rest } = block;
      const heading = title === undefined ? "" : `**${title}**\n\n`;
      const more = rest > 0 ? `- and ${formatNumber(rest)} more\n` : "";
      return heading + entries.map(listItem).join("") + more;
    }
    case "table": {
      const { columns, rows, totals, most } = block;
      const cells = rows.slice(0, most).map((row) =>
        row.map((cell, at) => tableCell(cell, columns[at]))
      );
      const sums = totals?.map((cell, at) =>
        at === 0 ? `**${tableCell(cell, columns[at])}**` : tableCell(cell, columns[at])
      );
      const numbers = columns.flatMap(({ kind }, at) => kind === "number" ? [at] : []);
      return markdownTable(
        columns.map(({ header }) => header),
        numbers,
        sums === undefined ? cells : [...cells, sums],
      ) + (rows.length > most ? `\nAnd ${formatNumber(rows.length - most)} more.\n` : "");
    }
    case "commands":
      return markdownDetails(
        block.title,
        fencedCode(block.groups.map(commandGroup).join("\n"), "sh"),
      );
    case "section":
      return markdownDetails(block.digest ?? block.title, markdownBlocks(block.blocks));
  }
}

function verdictBlock(verdict: ReportVerdict): string {
  const items = (isPassed: boolean) =>
    verdict.gates.filter(({ passed }) => passed === isPassed)
      .map((gate) => `- ${markdownText(gateText(gate))}\n`).join("");
  const [failed, passed] = [items(false), items(true)];
  return [
    `**${verdict.passed ? "✅" : "❌"} ${verdictText(verdict)}**\n`,
    ...(failed === "" ? [] : [failed]),
    ...(passed === "" ? [] : [markdownDetails("Requirements that are met", passed)]),
  ].join("\n");
}

function markdownProse(prose: Prose, widest: number = MAX_SENTENCE): string {
  const parts = typeof prose === "string" ? [prose] : prose;
  return parts.map((part) =>
    typeof part === "string" ? markdownText(part, widest) : markdownCode(part.code)
  ).join("");
}

function listItem({ operation, text, notes = [] }: ListEntry): string {
  const start = operation === undefined ? "" : `${markdownCode(operation)}: `;
  const below = notes.map((note) => `  - ${markdownProse(note.text)}\n`);
  return `- ${start}${markdownProse(text)}\n${below.join("")}`;
}

function tableCell(cell: BlockCell, column: BlockColumn | undefined): string {
  const { text, note = "" } = typeof cell === "string" ? { text: cell } : cell;
  const isCode = column?.kind === "operation" || column?.kind === "part";
  return text === "" ? "" : (isCode ? markdownCode(text) : markdownText(text)) + note;
}

function figureTable({ header, rows }: FiguresBlock): string {
  const isCompared = rows.some(({ before }) => before !== undefined);
  const cells = rows.map(({ label, percent, counts, before = null }) => [
    label,
    formatPercent(percent),
    ...(isCompared ? [changeText(percent, before)] : []),
    counts,
  ]);
  return isCompared
    ? markdownTable(["", header, "Change (points)", "Count"], [1, 2], cells)
    : markdownTable(["", header, "Count"], [1], cells);
}

function markdownTable(
  headers: readonly string[],
  numbers: readonly number[],
  rows: readonly (readonly string[])[],
): string {
  const rule = headers.map((_, index) => numbers.includes(index) ? "--:" : ":--");
  return [headers, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function commandGroup({ comments, command }: CommandsBlock["groups"][number]): string {
  const lines = comments.map((comment) =>
    plainText(`# ${typeof comment === "string" ? comment : comment.code}`)
  );
  return [...lines, ...(command === undefined ? [] : [commandText(command)])]
    .map((line) => `${line}\n`).join("");
}

function commandText({ parts, other }: ShownCommand): string {
  const command = parts.join(" \\\n  ");
  const line = parts.join(" ");
  const isShown = command.length <= LONGEST_COMMAND && plainText(line) === line;
  return isShown ? command : plainText(other.join(" "));
}

/** A collapsed section. The summary must already be escaped. */
function markdownDetails(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n</details>\n`;
}

export function fencedCode(code: string, language: string): string {
  const runs = code.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}${language}\n${code}${fence}\n`;
}
