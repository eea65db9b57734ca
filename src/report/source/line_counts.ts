import { groupItems } from "../../values/collections.ts";
import type { SourceCoverage, SourceFile, SourceMark, SourceOperation } from "./source_coverage.ts";

export interface LineCount {
  readonly line: number;
  /** The largest count of the things on the line. */
  readonly hits: number;
  /** For each block, how often each of its branches was taken. */
  readonly branches: readonly (readonly number[])[];
}

export interface LineTotals {
  readonly lines: number;
  readonly linesHit: number;
  readonly branches: number;
  readonly branchesTaken: number;
}

/** A keyword is a block of two branches. If a line has several things, each other one is a block of one branch. */
export function lineCounts(marks: readonly SourceMark[]): LineCount[] {
  const lines: LineCount[] = [];
  for (let start = 0; start < marks.length;) {
    const line = marks[start]?.line ?? 0;
    let end = start + 1;
    while (marks[end]?.line === line) end++;
    const own = marks.slice(start, end);
    lines.push({
      line,
      hits: own.reduce((most, { hits }) => Math.max(most, hits), 0),
      branches: own.flatMap(({ hits, evaluations }) =>
        evaluations !== null
          ? [[evaluations.valid, evaluations.invalid]]
          : own.length > 1
          ? [[hits]]
          : []
      ),
    });
    start = end;
  }
  return lines;
}

export function lineTotals(lines: Iterable<LineCount>): LineTotals {
  const totals = { lines: 0, linesHit: 0, branches: 0, branchesTaken: 0 };
  for (const { hits, branches } of lines) {
    totals.lines++;
    if (hits > 0) totals.linesHit++;
    for (const block of branches) {
      for (const taken of block) {
        totals.branches++;
        if (taken > 0) totals.branchesTaken++;
      }
    }
  }
  return totals;
}

/** Joins the coverage of several descriptions. Counts at the same place in a shared file are added. */
export function joinSources(sources: readonly SourceCoverage[]): SourceCoverage {
  const files = groupItems(sources.flatMap(({ files }) => files), ({ path }) => path);
  return {
    files: [...files.values()].map(joinFiles),
    positions: new Map(sources.flatMap(({ positions }) => [...positions])),
    operations: sources.flatMap(({ operations }) => operations),
  };
}

function joinFiles(files: readonly SourceFile[]): SourceFile {
  const [first] = files as readonly [SourceFile, ...SourceFile[]]; // every group has at least one file
  if (files.length === 1) return first;
  const operations = joinAll(
    files.flatMap(({ operations }) => operations),
    ({ name, line }) => `${line} ${name}`,
    (one: SourceOperation, other) => ({ ...one, hits: one.hits + other.hits }),
  );
  return {
    path: first.path,
    marks: joinMarks(files.flatMap(({ marks }) => marks)),
    operations: operations.sort((a, b) => a.line - b.line),
  };
}

function joinAll<Item>(
  items: readonly Item[],
  itemKey: (item: Item) => string,
  add: (one: Item, other: Item) => Item,
): Item[] {
  const joined = new Map<string, Item>();
  for (const item of items) {
    const key = itemKey(item);
    const same = joined.get(key);
    joined.set(key, same === undefined ? item : add(same, item));
  }
  return [...joined.values()];
}

/** Sorts marks by position and joins those of the same thing: by several schema paths, or from several reports. */
export function joinMarks(marks: readonly SourceMark[]): SourceMark[] {
  return joinAll(marks, ({ kind, line, column }) => `${line} ${column} ${kind}`, addMarks)
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function addMarks(one: SourceMark, other: SourceMark): SourceMark {
  const { evaluations: left } = one;
  const { evaluations: right } = other;
  return {
    ...one,
    hits: one.hits + other.hits,
    evaluations: left === null || right === null
      ? left
      : { valid: left.valid + right.valid, invalid: left.invalid + right.invalid },
  };
}
