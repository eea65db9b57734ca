import type { ReportVerdict } from "../report.ts";
import { coverageLevel } from "../wording/amounts.ts";

/** A part of a sentence. `code` is a name or value of the description or the traffic, which formats set apart. */
export type Inline = string | { readonly code: string };

/** A sentence of unescaped text: each renderer escapes it for its format. */
export type Prose = string | readonly Inline[];

export type Tone = "good" | "bad" | "warning" | "quiet" | "strong";

export interface ListEntry {
  readonly operation?: string | undefined;
  readonly text: Prose;
  readonly tone?: Tone | undefined;
  readonly notes?: readonly { readonly text: string; readonly tone: Tone }[];
}

export interface ListBlock {
  readonly type: "list";
  readonly title?: string | undefined;
  readonly tone?: Tone | undefined;
  readonly entries: readonly ListEntry[];
  readonly rest: number;
}

/**
 * A column of a table. If there is little room, cells of the kinds `operation` and `part` are wrapped; those of the kind
 * `text` only if that isn't enough.
 */
export interface BlockColumn {
  readonly header: string;
  /** Replaces the header if there is little room. */
  readonly short?: string;
  readonly kind: "number" | "text" | "operation" | "part";
}

export type BlockCell = string | {
  readonly text: string;
  readonly tone: Tone | undefined;
  /** Shown after the text by formats that have room for it. */
  readonly note?: string;
  /** A shorter form of the text. Replaces the text if there is little room, and follows it if there is much. */
  readonly short?: string;
};

export interface TableBlock {
  readonly type: "table";
  readonly columns: readonly BlockColumn[];
  /** An empty row separates the rows before it from those after it. */
  readonly rows: readonly (readonly BlockCell[])[];
  /** The first cell is the label of the row, so the first column has to contain names. */
  readonly totals?: readonly BlockCell[];
  /** The number of rows that short formats show. They count the rest. */
  readonly most: number;
}

export interface Figure {
  readonly label: string;
  readonly percent: number | null;
  readonly counts: string;
  readonly before?: number | null | undefined;
}

export interface FiguresBlock {
  readonly type: "figures";
  readonly header: string;
  readonly rows: readonly Figure[];
}

/** A command to copy. `parts` belong on one line each; `other` is a command that prints it, if it can't be shown. */
export interface ShownCommand {
  readonly parts: readonly string[];
  readonly other: readonly string[];
}

/** Shell commands with comments. A comment is a sentence, or code that is never wrapped. */
export interface CommandsBlock {
  readonly type: "commands";
  readonly title: string;
  readonly groups: readonly {
    readonly comments: readonly Inline[];
    readonly command?: ShownCommand;
  }[];
}

/** A section with a title. Some formats show it collapsed. */
export interface SectionBlock {
  readonly type: "section";
  readonly title: string;
  readonly tone?: Tone | undefined;
  /** The title of the collapsed section, which summarizes its content (default: `title`). */
  readonly digest?: string;
  readonly blocks: readonly Block[];
}

/** One piece of a report, shared by all formats for people. */
export type Block =
  /** `subject` says what is reported about `title`: `API coverage`. */
  | { readonly type: "heading"; readonly title: string; readonly subject?: string | undefined }
  | { readonly type: "line"; readonly text: Prose; readonly tone?: Tone | undefined }
  /** A sentence after its label. `name` is a longer label, for formats with more room. */
  | { readonly type: "fact"; readonly label: string; readonly name: string; readonly text: string }
  | { readonly type: "verdict"; readonly verdict: ReportVerdict }
  | FiguresBlock
  | ListBlock
  | TableBlock
  | CommandsBlock
  | SectionBlock;

export function headingText(
  { title, subject }: { readonly title: string; readonly subject?: string | undefined },
): string {
  return subject === undefined ? title : `${title}: ${subject}`;
}

export function proseText(prose: Prose): string {
  if (typeof prose === "string") return prose;
  return prose.map((part) => typeof part === "string" ? part : part.code).join("");
}

export function firstEntries<Item>(
  items: readonly Item[],
  most: number,
  write: (item: Item) => ListEntry,
): Pick<ListBlock, "entries" | "rest"> {
  return { entries: items.slice(0, most).map(write), rest: Math.max(0, items.length - most) };
}

export function entryText({ operation, text }: ListEntry): string {
  return (operation === undefined ? "" : `${operation}: `) + proseText(text);
}

export function percentTone(percent: number | null): Tone {
  const level = coverageLevel(percent);
  return level === null
    ? "quiet"
    : ({ high: "good", medium: "warning", low: "bad" } as const)[level];
}
