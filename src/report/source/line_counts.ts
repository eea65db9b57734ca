import { groupItems } from "../../values/collections.ts";
import type { SourceCoverage, SourceFile, SourceMark, SourceOperation } from "./source_coverage.ts";

export interface LineCount {
  readonly line: number;
  /** The largest count of the marks on the line. */
  readonly hits: number;
  /** For each block, how often each of its branches was taken. */
  readonly branches: readonly (readonly number[])[];
}

/** A keyword is a block of two branches. If a line has several marks, each other one is a block of one branch. */
export function lineCounts(marks: readonly SourceMark[]): LineCount[] {
  return Array.from(groupItems(marks, ({ line }) => line), ([line, onLine]) => ({
    line,
    hits: onLine.reduce((most, { hits }) => Math.max(most, hits), 0),
    branches: onLine.flatMap(({ hits, evaluations }) =>
      evaluations !== null
        ? [[evaluations.valid, evaluations.invalid]]
        : onLine.length > 1
        ? [[hits]]
        : []
    ),
  }));
}

export interface LineTotals {
  readonly lines: number;
  readonly linesHit: number;
  readonly branches: number;
  readonly branchesTaken: number;
}

export function lineTotals(lines: readonly LineCount[]): LineTotals {
  const totals = { lines: 0, linesHit: 0, branches: 0, branchesTaken: 0 };
  for (const { hits, branches } of lines) {
    totals.lines++;
    if (hits > 0) totals.linesHit++;
    for (const taken of branches.flat()) {
      totals.branches++;
      if (taken > 0) totals.branchesTaken++;
    }
  }
  return totals;
}

/** Joins the coverage of several descriptions. Counts at the same place in a shared file are added. */
export function joinSources(sources: readonly SourceCoverage[]): SourceCoverage {
  const files = groupItems(sources.flatMap(({ files }) => files), ({ path }) => path);
  return {
    files: Array.from(files, ([path, sameFile]) => joinFiles(path, sameFile)),
    positions: new Map(sources.flatMap(({ positions }) => [...positions])),
    operations: sources.flatMap(({ operations }) => operations),
  };
}

function joinFiles(path: string, files: readonly SourceFile[]): SourceFile {
  const [only, other] = files;
  if (only !== undefined && other === undefined) return only;
  const operations = joinAll(
    files.flatMap(({ operations }) => operations),
    ({ name, line }) => `${line} ${name}`,
    (one: SourceOperation, other) => ({ ...one, hits: one.hits + other.hits }),
  );
  return {
    path,
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
  const [first, second] = [one.evaluations, other.evaluations];
  return {
    ...one,
    hits: one.hits + other.hits,
    evaluations: first && second && {
      valid: first.valid + second.valid,
      invalid: first.invalid + second.invalid,
    },
  };
}
