import type { ReportVerdict } from "../report.ts";
import { coverageLevel } from "../wording/amounts.ts";

/** A part of a sentence: words, or a name or value of the description or the traffic, which is set apart where a format can. */
export type Inline = string | { readonly code: string };

/** A sentence, safe in no format yet: renderers escape it. */
export type Prose = string | readonly Inline[];

/** The weight of something, which formats show as they can. */
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

/** Where lines are short, `operation` with its `part` is broken, and the others keep their width. */
export interface BlockColumn {
  readonly header: string;
  /** The header where there is little room. */
  readonly short?: string;
  readonly kind: "number" | "text" | "operation" | "part";
}

export type BlockCell = string | {
  readonly text: string;
  readonly tone: Tone | undefined;
  /** Follows the text where there is room for comments. */
  readonly note?: string;
  /** The same in few characters: instead of the text where there is little room, and behind it where there is much. */
  readonly short?: string;
};

export interface TableBlock {
  readonly type: "table";
  readonly columns: readonly BlockColumn[];
  /** A row without cells sets apart what follows. */
  readonly rows: readonly (readonly BlockCell[])[];
  /** The first cell is their label, so the first column has names. */
  readonly totals?: readonly BlockCell[];
  /** The number of rows that short formats show; the rest is counted. */
  readonly most: number;
}

export interface Figure {
  readonly label: string;
  /** Exact, 0 to 100; null if nothing was measured. */
  readonly percent: number | null;
  readonly counts: string;
  readonly before?: number | null | undefined;
}

export interface FiguresBlock {
  readonly type: "figures";
  readonly header: string;
  readonly rows: readonly Figure[];
}

/** A command to copy: in the parts that belong on one line, and another one that makes it, for where it cannot be shown. */
export interface ShownCommand {
  readonly parts: readonly string[];
  readonly other: readonly string[];
}

/** Commands for a shell. Comments are sentences, or code, which stays on its line however long it is. */
export interface CommandsBlock {
  readonly type: "commands";
  readonly title: string;
  readonly groups: readonly {
    readonly comments: readonly Inline[];
    readonly command?: ShownCommand;
  }[];
}

/** A part with a title, which may be closed until somebody opens it. */
export interface SectionBlock {
  readonly type: "section";
  readonly title: string;
  readonly tone?: Tone | undefined;
  /** The title of a closed part, which has to say what is in it (default: the title). */
  readonly digest?: string;
  readonly blocks: readonly Block[];
}

/** One piece of a report, the same in every format for people. */
export type Block =
  /** `subject` says what is told of the thing with that title. */
  | { readonly type: "heading"; readonly title: string; readonly subject?: string | undefined }
  | { readonly type: "line"; readonly text: Prose; readonly tone?: Tone | undefined }
  /** A sentence behind its label; `name` is the label where there is room. */
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
