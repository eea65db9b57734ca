import { groupItems } from "../../values/collections.ts";
import { type Gap, GAP_KIND_NAMES, gapKind, type GapKindName } from "../../map/results.ts";
import { operationName } from "../../values/operation_name.ts";
import { formatNumber } from "../wording/amounts.ts";
import { keywordPlace, parameterText } from "../wording/place_name.ts";
import { classPlace, classText } from "../wording/values_wording.ts";
import { cutText } from "./text_width.ts";

const VALUE_WIDTH = 40;

const MOST_ENTRIES = 500;
const FOLDED_TO = 5;

export interface MissingText {
  /** The gaps of each operation, by {@linkcode operationName}. Fully covered operations have no entry. */
  readonly texts: ReadonlyMap<string, string>;
  readonly total: number;
  readonly hidden: number;
  /** Entries of folded lists that occur in several operations, with the number of operations, most frequent first. */
  readonly shared: readonly { readonly text: string; readonly operations: number }[];
}

interface Entry {
  /** The subject of the gap, such as the parameter of a keyword. Empty if `text` names it. */
  readonly name: string;
  readonly text: string;
  /** The text with gap ids. */
  readonly identified: string;
}

/** Lists the gaps of operations with ids. Over 500 entries, lists are folded and uncalled operations omitted. */
export function missingText(
  gaps: readonly Gap[],
  kinds: readonly GapKindName[],
  all: boolean,
): MissingText {
  const wanted = GAP_KIND_NAMES.filter((kind) => kinds.includes(kind));
  const operations = Array.from(groupItems(gaps, operationName), ([key, list]) => ({
    key,
    isCalled: !list.some(({ kind }) => kind === "operation_uncovered"),
    lists: wanted.map((dimension) => ({ dimension, entries: missingEntries(list, dimension) })),
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

/** The gaps of an operation in one dimension. Both outcomes of a keyword make one entry. */
function missingEntries(gaps: readonly Gap[], dimension: GapKindName): Entry[] {
  const wanted = gapKind(dimension);
  const own = gaps.filter(({ kind }) => kind === wanted);
  const things = groupItems(
    own,
    (gap) => gap.kind === "keyword_uncovered" ? `${parameterText(gap)}\n${gap.schema_path}` : gap,
  );
  return Array.from(things.values(), (same) => {
    const [first] = same as [Gap, ...Gap[]]; // groups are never empty
    const [name, text] = missingThing(first);
    const outcomes = same.flatMap((gap) => gap.kind === "keyword_uncovered" ? [gap] : []);
    if (outcomes.length === 0) return { name, text, identified: withId(text, first) };
    const listed = (write: (gap: typeof outcomes[number]) => string) =>
      `${text} (${outcomes.map(write).join(", ")})`;
    return {
      name,
      text: listed(({ state }) => state),
      identified: listed((gap) => withId(gap.state, gap)),
    };
  });
}

function missingThing(gap: Gap): readonly [name: string, text: string] {
  switch (gap.kind) {
    case "operation_uncovered":
      return ["", "never called"];
    case "parameter_uncovered":
      return ["", parameterText(gap)];
    case "keyword_uncovered":
      return [parameterText(gap), keywordPlace(gap.schema_path)];
    case "example_uncovered":
      return [parameterText(gap), cutText(JSON.stringify(gap.value), VALUE_WIDTH)];
    case "response_uncovered":
      return ["", gap.status_code];
    case "value_uncovered":
      return [classPlace(gap), classText(gap)];
  }
}

function withId(text: string, { id }: Gap): string {
  return id === undefined ? text : `${text} ${id}`;
}

/** Joins entries, with each subject named once: `query limit: minimum (valid), maximum (valid); query page: …`. */
function grouped(entries: readonly Entry[]): string {
  return Array.from(groupItems(entries, ({ name }) => name), ([name, own]) => {
    const texts = own.map(({ identified }) => identified).join(", ");
    return name === "" ? texts : `${name}: ${texts}`;
  }).join("; ");
}
