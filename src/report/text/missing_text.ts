import { groupItems } from "../../values/collections.ts";
import { type Gap, GAP_KIND_NAMES, gapKind, type GapKindName } from "../../map/results.ts";
import { operationName } from "../../values/operation_name.ts";
import { formatNumber } from "../wording/amounts.ts";
import { keywordPlace, parameterText } from "../wording/place_name.ts";
import { classPlace, classText } from "../wording/values_wording.ts";
import { cutText } from "./text_width.ts";

const MAX_VALUE = 40;
const MAX_ENTRIES = 500;
/** The number of entries in a folded list. */
const MAX_FOLDED = 5;

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

/** Lists gaps with ids. Over 500 entries, lists are folded, and uncalled operations are one entry each. */
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
  const total = operations.flatMap(({ lists }) => lists)
    .reduce((sum, { entries }) => sum + entries.length, 0);
  const isFolded = !all && total > MAX_ENTRIES;
  const texts = new Map<string, string>();
  const counts = new Map<string, number>();
  let hidden = 0;
  for (const { key, isCalled, lists } of operations) {
    const parts: string[] = [];
    for (const { dimension, entries } of lists) {
      if (entries.length === 0) continue;
      const most = !isFolded ? Infinity : isCalled || dimension === "operations" ? MAX_FOLDED : 0;
      const rest = Math.max(0, entries.length - most);
      hidden += rest;
      for (const { name, text } of isFolded && isCalled ? entries : []) {
        const entry = `${dimension.slice(0, -1)} ${text}${name === "" ? "" : ` of ${name}`}`;
        counts.set(entry, (counts.get(entry) ?? 0) + 1);
      }
      if (rest === entries.length) continue;
      const listed = joinEntries(entries.slice(0, most));
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

/** The gaps of an operation in one dimension. Both outcomes of a keyword make one entry. */
function missingEntries(gaps: readonly Gap[], dimension: GapKindName): Entry[] {
  const wanted = gapKind(dimension);
  const bySubject = groupItems(
    gaps.filter(({ kind }) => kind === wanted),
    (gap) => gap.kind === "keyword_uncovered" ? `${parameterText(gap)}\n${gap.schema_path}` : gap,
  );
  return Array.from(bySubject.values(), (same) => {
    const [first] = same as [Gap, ...Gap[]]; // groups are never empty
    const [name, text] = entryTexts(first);
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

function entryTexts(gap: Gap): readonly [name: string, text: string] {
  switch (gap.kind) {
    case "operation_uncovered":
      return ["", "never called"];
    case "parameter_uncovered":
      return ["", parameterText(gap)];
    case "keyword_uncovered":
      return [parameterText(gap), keywordPlace(gap.schema_path)];
    case "example_uncovered":
      return [parameterText(gap), cutText(JSON.stringify(gap.value), MAX_VALUE)];
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
function joinEntries(entries: readonly Entry[]): string {
  return Array.from(groupItems(entries, ({ name }) => name), ([name, sameSubject]) => {
    const texts = sameSubject.map(({ identified }) => identified).join(", ");
    return name === "" ? texts : `${name}: ${texts}`;
  }).join("; ");
}
