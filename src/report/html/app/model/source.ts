import { appendTo, getOrAdd } from "../../../../values/collections.ts";
import { countsResponses } from "../../../gap_counts.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { type LinePosition, type PageSource, regionAt } from "../../page_data.ts";
import { keywordState, type Model, type Operation } from "./model.ts";
import { spotName } from "./route.ts";

/** The description's text, and the positions of everything in it, by schema path. */
export interface Source extends PageSource {
  readonly positions: ReadonlyMap<string, LinePosition | undefined>;
}

export function readSource(data: PageSource): Source {
  return { ...data, positions: new Map(data.paths.map((path, index) => [path, data.at[index]])) };
}

/** For a parameter that was never sent, the indexes of what it lacks. Operations that share it share the list. */
export function missedList(
  { lists, operations }: Source,
  operation: number,
  parameter: number,
): readonly number[] | undefined {
  return lists[operations[operation]?.missed[parameter] ?? -1];
}

export type LineState = "full" | "partial" | "none";

export interface LineMark {
  /** Its place in the view of the operation. Empty if that doesn't show it. */
  readonly at: string;
  readonly state: LineState;
  readonly text: string;
  readonly count: string;
}

export interface SourceLine {
  readonly line: number;
  readonly text: string;
  readonly marks: readonly LineMark[];
  readonly state: LineState | null;
}

export interface SourcePart {
  readonly region: number;
  readonly file: number;
  readonly name: string;
  readonly lines: readonly SourceLine[];
  readonly counts: Readonly<Record<LineState, number>>;
}

type AddMark = (position: LinePosition | undefined, mark: LineMark) => void;

function seenMark(at: string, what: string, hits: number, word: string): LineMark {
  return {
    at,
    state: hits > 0 ? "full" : "none",
    text: `${what}: ${hits > 0 ? `${word} ${formatAmount(hits, "time")}` : `never ${word}`}`,
    count: formatNumber(hits),
  };
}

function addParameters(add: AddMark, operation: Operation, source: Source): void {
  const { positions } = source;
  for (const parameter of operation.parameters) {
    if (parameter.excluded !== undefined || parameter.measured === false) continue;
    const { index, at, schema_path, hits } = parameter;
    const name = `${parameter.location} ${parameter.parameter}`;
    add(positions.get(schema_path), seenMark(at, name, hits, "sent"));
    for (const keyword of parameter.keywords) {
      const state = keywordState(keyword);
      if (state === "excluded") continue;
      const [valid, invalid] = [formatNumber(keyword.valid), formatNumber(keyword.invalid)];
      add(positions.get(keyword.schema_path), {
        at: keyword.at,
        state,
        text: `${keyword.keyword} in ${name}: ${valid} valid, ${invalid} invalid`,
        count: `${valid} ✓ ${invalid} ✗`,
      });
    }
    for (const { schema_path, hits, at, excluded } of parameter.examples) {
      if (excluded !== undefined) continue;
      add(positions.get(schema_path), seenMark(at, `example of ${name}`, hits, "used"));
    }
    const missed = { at, state: "none", text: `${name} was never sent`, count: "0" } as const;
    for (const number of missedList(source, operation.index, index) ?? []) {
      add(source.at[number], missed);
    }
  }
}

function lineState(marks: readonly LineMark[]): LineState | null {
  if (marks.length === 0) return null;
  if (marks.every(({ state }) => state === "full")) return "full";
  return marks.every(({ state }) => state === "none") ? "none" : "partial";
}

/** The operation's own part, then the components in the order in which the operation reaches them. */
export function sourceParts(model: Model, operation: Operation, source: Source): SourcePart[] {
  const marksByRegion = new Map<number, Map<number, LineMark[]>>();
  const add: AddMark = (position, mark) => {
    if (position === undefined) return;
    const region = regionAt(source.regions, position);
    if (region >= 0) {
      appendTo(getOrAdd(marksByRegion, region, () => new Map()), position.line, mark);
    }
  };
  const { data } = operation;
  const { schema_path = "", responses = [] } = source.operations[operation.index] ?? {};
  if (data.excluded === undefined) {
    add(
      source.positions.get(schema_path),
      seenMark(spotName("operation", 0), "the operation", data.hits, "called"),
    );
  }
  addParameters(add, operation, source);
  const isCounted = countsResponses(model.data.summary, model.data.traffic);
  data.responses.forEach(({ status_code, hits, excluded }, index) => {
    if (excluded !== undefined || !isCounted) return;
    add(
      source.positions.get(responses[index] ?? ""),
      seenMark(spotName("response", index), `response ${status_code}`, hits, "seen"),
    );
  });
  return [...marksByRegion].flatMap(([number, byLine]) => {
    const region = source.regions[number];
    if (region === undefined) return [];
    const counts = { full: 0, partial: 0, none: 0 };
    const lines = region.text.split("\n").map((text, index): SourceLine => {
      const line = region.line + index;
      const marks = byLine.get(line) ?? [];
      const state = lineState(marks);
      if (state !== null) counts[state] += 1;
      return { line, text, marks, state };
    });
    return [{ region: number, file: region.file, name: region.name, lines, counts }];
  });
}
