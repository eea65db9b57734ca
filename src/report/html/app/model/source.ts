import { appendTo, getOrAdd } from "../../../../values/collections.ts";
import { countsResponses } from "../../../gap_counts.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import {
  type LinePosition,
  type PageSource,
  regionAt,
  type SourceFileName,
  type SourceRegion,
} from "../../page_data.ts";
import { isCounted, missingParts, type Model, type Operation } from "./model.ts";
import { spotName } from "./route.ts";

export class Source {
  readonly #data: PageSource;
  readonly #positions: ReadonlyMap<string, LinePosition | undefined>;

  constructor(data: PageSource) {
    this.#data = data;
    this.#positions = new Map(data.paths.map((path, index) => [path, data.at[index]]));
  }

  get files(): readonly SourceFileName[] {
    return this.#data.files;
  }

  positionOf(schema_path: string): LinePosition | null {
    return this.#positions.get(schema_path) ?? null;
  }

  /** The position of an operation, and those of its responses. */
  positionsOfOperation(operation: number): readonly (LinePosition | null)[] {
    const { schema_path, responses } = this.#data.operations[operation] ?? {};
    return [schema_path ?? "", ...responses ?? []].map((path) => this.positionOf(path));
  }

  /** The positions of the missing keywords and examples of a parameter that was never sent. */
  missed(operation: number, parameter: number): LinePosition[] {
    return (this.missedList(operation, parameter) ?? []).flatMap((number) =>
      this.#data.at[number] ?? []
    );
  }

  /** The numbers of the paths that a parameter misses that was never sent; the same list for all that share it. */
  missedList(operation: number, parameter: number): readonly number[] | undefined {
    return this.#data.lists[this.#data.operations[operation]?.missed[parameter] ?? -1];
  }

  path(number: number): string | undefined {
    return this.#data.paths[number];
  }

  regionAt(position: LinePosition): number {
    return regionAt(this.#data.regions, position);
  }

  region(number: number): SourceRegion | undefined {
    return this.#data.regions[number];
  }
}

export type LineState = "full" | "partial" | "none";

export interface LineMark {
  /** Its place in the view of the operation; empty where that shows nothing of it. */
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

type AddMark = (position: LinePosition | null, mark: LineMark) => void;

function seenMark(at: string, what: string, hits: number, word: string): LineMark {
  return {
    at,
    state: hits > 0 ? "full" : "none",
    text: `${what}: ${hits > 0 ? `${word} ${formatAmount(hits, "time")}` : `never ${word}`}`,
    count: formatNumber(hits),
  };
}

function addParameters(add: AddMark, operation: Operation, source: Source): void {
  for (const parameter of operation.parameters) {
    if (parameter.excluded !== undefined) continue;
    const { index, schema_path, hits } = parameter;
    const name = `${parameter.location} ${parameter.parameter}`;
    const own = spotName("parameter", index);
    add(source.positionOf(schema_path), seenMark(own, name, hits, "sent"));
    for (const keyword of parameter.keywords) {
      if (!isCounted(keyword)) continue;
      const missing = missingParts(keyword);
      const [valid, invalid] = [formatNumber(keyword.valid), formatNumber(keyword.invalid)];
      add(source.positionOf(keyword.schema_path), {
        at: spotName("keyword", index, keyword.row),
        state: missing === null ? "full" : missing === "both" ? "none" : "partial",
        text: `${keyword.keyword} in ${name}: ${valid} valid, ${invalid} invalid`,
        count: `${valid} ✓ ${invalid} ✗`,
      });
    }
    for (const { schema_path, hits, row, excluded } of parameter.examples) {
      if (excluded !== undefined) continue;
      const at = spotName("example", index, row);
      add(source.positionOf(schema_path), seenMark(at, `example of ${name}`, hits, "used"));
    }
    const missed = { at: own, state: "none", text: `${name} was never sent`, count: "0" } as const;
    for (const position of source.missed(operation.index, index)) add(position, missed);
  }
}

function lineState(marks: readonly LineMark[]): LineState | null {
  if (marks.length === 0) return null;
  if (marks.every(({ state }) => state === "full")) return "full";
  return marks.every(({ state }) => state === "none") ? "none" : "partial";
}

/** The operation's own part comes first, then the components in the order in which it reaches them. */
export function sourceParts(model: Model, operation: Operation, source: Source): SourcePart[] {
  const marks = new Map<number, Map<number, LineMark[]>>();
  const add: AddMark = (position, mark) => {
    if (position === null) return;
    const region = source.regionAt(position);
    if (region >= 0) appendTo(getOrAdd(marks, region, () => new Map()), position.line, mark);
  };
  const { data } = operation;
  const [own = null, ...responses] = source.positionsOfOperation(operation.index);
  if (data.excluded === undefined) {
    add(own, seenMark(spotName("operation", 0), "the operation", data.hits, "called"));
  }
  addParameters(add, operation, source);
  const isCounted = countsResponses(model.data.summary, model.data.traffic);
  data.responses.forEach(({ status_code, hits, excluded }, index) => {
    if (excluded !== undefined || !isCounted) return;
    add(
      responses[index] ?? null,
      seenMark(spotName("response", index), `response ${status_code}`, hits, "seen"),
    );
  });
  return [...marks].flatMap(([number, byLine]) => {
    const region = source.region(number);
    if (region === undefined) return [];
    const counts = { full: 0, partial: 0, none: 0 };
    const lines = region.text.split("\n").map((text, index): SourceLine => {
      const line = region.line + index;
      const own = byLine.get(line) ?? [];
      const state = lineState(own);
      if (state !== null) counts[state] += 1;
      return { line, text, marks: own, state };
    });
    return [{ region: number, file: region.file, name: region.name, lines, counts }];
  });
}
