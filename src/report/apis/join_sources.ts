import type {
  SourceCoverage,
  SourceFile,
  SourceMark,
  SourceOperation,
} from "../source/source_coverage.ts";

/**
 * The source lines of several descriptions. Of a file that several of them share, what was seen at a place is added up.
 *
 * @example
 * ```ts
 * import { joinSources } from "./join_sources.ts";
 * import assert from "node:assert/strict";
 *
 * const mark = { kind: "response", line: 9, column: 7, hits: 2, evaluations: null } as const;
 * const files = [{ path: "common.yaml", marks: [mark], operations: [] }];
 * const source = { files, positions: new Map(), operations: [] };
 * assert.equal(joinSources([source, source]).files[0]?.marks[0]?.hits, 4);
 * ```
 */
export function joinSources(sources: readonly SourceCoverage[]): SourceCoverage {
  const files = new Map<string, SourceFile[]>();
  for (const file of sources.flatMap(({ files }) => files)) {
    const same = files.get(file.path);
    if (same === undefined) files.set(file.path, [file]);
    else same.push(file);
  }
  return {
    files: [...files.values()].map(joinFiles),
    positions: new Map(sources.flatMap(({ positions }) => [...positions])),
    operations: sources.flatMap(({ operations }) => operations),
  };
}

function joinFiles(files: readonly SourceFile[]): SourceFile {
  const [first] = files as readonly [SourceFile, ...SourceFile[]]; // each list has one
  if (files.length === 1) return first;
  const marks = joinAll(
    files.flatMap(({ marks }) => marks),
    ({ kind, line, column }) => `${line} ${column} ${kind}`,
    addMarks,
  );
  const operations = joinAll(
    files.flatMap(({ operations }) => operations),
    ({ name, line }) => `${line} ${name}`,
    (one: SourceOperation, other) => ({ ...one, hits: one.hits + other.hits }),
  );
  return {
    path: first.path,
    marks: marks.sort((a, b) => a.line - b.line || a.column - b.column),
    operations: operations.sort((a, b) => a.line - b.line),
  };
}

function joinAll<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  add: (one: Item, other: Item) => Item,
): Item[] {
  const joined = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item);
    const same = joined.get(key);
    joined.set(key, same === undefined ? item : add(same, item));
  }
  return [...joined.values()];
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
