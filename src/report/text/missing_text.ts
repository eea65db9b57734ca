import { groupItems } from "../../values/collections.ts";
import { type Gap, GAP_KIND_NAMES, type GapKindName } from "../../map/results.ts";
import { operationName } from "../../values/operation_name.ts";
import { formatNumber } from "../wording/amounts.ts";
import { keywordPlace } from "../wording/place_name.ts";
import { classPlace, classText } from "../wording/values_wording.ts";
import { cutText } from "./text_width.ts";

const VALUE_WIDTH = 40;

const MOST_ENTRIES = 500;
const FOLDED_TO = 5;

export interface MissingText {
  /** The missing things of each operation, by {@linkcode operationName}; complete operations have no text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly total: number;
  readonly hidden: number;
  /** Entries of folded lists that several operations have, with the number of these, most first. */
  readonly shared: readonly { readonly text: string; readonly operations: number }[];
}

interface Entry {
  /** The thing that lacks it, such as the parameter of a keyword; empty if the text names it. */
  readonly name: string;
  readonly text: string;
  readonly identified: string;
}

/** What operations lack, with ids. Beyond 500 entries lists are folded, and uncalled operations have none. */
export function missingText(
  gaps: readonly Gap[],
  kinds: readonly GapKindName[],
  all: boolean,
): MissingText {
  const wanted = GAP_KIND_NAMES.filter((kind) => kinds.includes(kind));
  const operations = Array.from(groupItems(gaps, operationName), ([key, list]) => ({
    key,
    isCalled: !list.some(({ kind }) => kind === "operation_uncovered"),
    lists: wanted.map((dimension) => ({ dimension, entries: ENTRIES[dimension](list) })),
  }));
  let total = 0;
  for (const { lists } of operations) for (const { entries } of lists) total += entries.length;
  const isFolded = !all && total > MOST_ENTRIES;
  const texts = new Map<string, string>();
  const counts = new Map<string, number>();
  let hidden = 0;
  for (const { key, isCalled, lists } of operations) {
    const parts: string[] = [];
    for (const { dimension, entries } of lists) {
      if (entries.length === 0) continue;
      const most = !isFolded ? Infinity : isCalled || dimension === "operations" ? FOLDED_TO : 0;
      const rest = Math.max(0, entries.length - most);
      hidden += rest;
      if (isFolded && isCalled) countEntries(dimension, entries, counts);
      if (rest === entries.length) continue;
      const listed = grouped(entries.slice(0, most));
      const text = rest === 0 ? listed : `${listed} and ${formatNumber(rest)} more`;
      parts.push(
        dimension === "operations" || wanted.length === 1 ? text : `${dimension}: ${text}`,
      );
    }
    if (parts.length > 0) texts.set(key, parts.join("; "));
  }
  const shared = [...counts].filter(([, count]) => count > 1)
    .map(([text, count]) => ({ text, operations: count }))
    .sort((left, right) => right.operations - left.operations);
  return { texts, total, hidden, shared };
}

function countEntries(
  dimension: GapKindName,
  entries: readonly Entry[],
  counts: Map<string, number>,
): void {
  const noun = dimension.slice(0, -1);
  for (const { name, text } of entries) {
    const key = name === "" ? `${noun} ${text}` : `${noun} ${text} of ${name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

const ENTRIES: Readonly<Record<GapKindName, (gaps: readonly Gap[]) => readonly Entry[]>> = {
  operations: (gaps) =>
    gaps.flatMap((gap) => gap.kind === "operation_uncovered" ? [entry(gap, "never called")] : []),
  parameters: (gaps) =>
    gaps.flatMap((gap) =>
      gap.kind === "parameter_uncovered" ? [entry(gap, parameterName(gap))] : []
    ),
  keywords: keywordEntries,
  examples: (gaps) =>
    gaps.flatMap((gap) => {
      if (gap.kind !== "example_uncovered") return [];
      const text = cutText(JSON.stringify(gap.value), VALUE_WIDTH);
      return [entry(gap, text, parameterName(gap))];
    }),
  responses: (gaps) =>
    gaps.flatMap((gap) => gap.kind === "response_uncovered" ? [entry(gap, gap.status_code)] : []),
  values: (gaps) =>
    gaps.flatMap((gap) =>
      gap.kind === "value_uncovered" ? [entry(gap, classText(gap), classPlace(gap))] : []
    ),
};

function entry(gap: Gap, text: string, name = ""): Entry {
  return { name, text, identified: withId(text, gap) };
}

function withId(text: string, { id }: Gap): string {
  return id === undefined ? text : `${text} ${id}`;
}

function parameterName(gap: { readonly location: string; readonly parameter: string }): string {
  return `${gap.location} ${gap.parameter}`;
}

/** Parameter and what it lacks; both kinds of one keyword become one entry. */
function keywordEntries(gaps: readonly Gap[]): Entry[] {
  const keywords = groupItems(
    gaps.filter((gap) => gap.kind === "keyword_uncovered"),
    (gap) => `${parameterName(gap)}\n${gap.schema_path}`,
  );
  return [...keywords.values()].flatMap((states) => {
    const [first] = states;
    if (first === undefined) return [];
    const place = keywordPlace(first.schema_path);
    return [{
      name: parameterName(first),
      text: `${place} (${states.map(({ state }) => state).join(", ")})`,
      identified: `${place} (${states.map((gap) => withId(gap.state, gap)).join(", ")})`,
    }];
  });
}

/** The entries, what they are missing from named once: `query limit: minimum (valid), maximum (valid); query page: …`. */
function grouped(entries: readonly Entry[]): string {
  return Array.from(groupItems(entries, ({ name }) => name), ([name, own]) => {
    const texts = own.map(({ identified }) => identified).join(", ");
    return name === "" ? texts : `${name}: ${texts}`;
  }).join("; ");
}
