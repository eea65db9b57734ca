import type { Satisfiability } from "../../../../values/satisfiability.ts";
import {
  EXAMPLE_FIELDS,
  KEYWORD_FIELDS,
  NO_TEXT,
  type PageData,
  type PageOperation,
  type PageParameter,
  SATISFIABILITIES,
} from "../../page_data.ts";
import type { TestIndexes } from "../../../report.ts";

/** The kinds of gaps, in the order in which the page names them. */
export const GAP_KINDS = ["operation", "parameter", "keyword", "example", "response"] as const;

/** What kind of thing is missing. */
export type GapKind = typeof GAP_KINDS[number];

/** How many gaps there are of each kind. */
export type GapCounts = Readonly<Record<GapKind, number>> & { readonly total: number };

/** How much of an operation was exercised. */
export type OperationState = "never" | "gaps" | "complete";

/** An operation with what the page derives from it. */
export interface Operation {
  /** Counted from 0, in document order. */
  readonly index: number;
  /** `GET:/users/{id}`: what names it in a link. */
  readonly key: string;
  readonly data: PageOperation;
  readonly gaps: GapCounts;
  readonly state: OperationState;
  /** Lower-case text that a search looks through. */
  readonly haystack: string;
}

/** One keyword of a parameter, read from its row. */
export interface Keyword {
  /** Counted from 0 in the parameter. */
  readonly row: number;
  /** Number of the text that is the pointer of the schema. */
  readonly place: number;
  readonly keyword: string;
  /** What it says, as {@linkcode keywordText} wrote it; null where that is schemas or not known. */
  readonly value: string | null;
  readonly valid: number;
  readonly invalid: number;
  readonly satisfiability: Satisfiability;
  /** Which tests covered it; null where no test is known. */
  readonly tests: { readonly valid: TestIndexes; readonly invalid: TestIndexes } | null;
}

/** One example of a parameter, read from its row. */
export interface Example {
  /** Counted from 0 in the parameter. */
  readonly row: number;
  readonly pointer: string;
  /** JSON. */
  readonly value: string;
  readonly hits: number;
  /** Which tests sent it; null where no test is known. */
  readonly tests: TestIndexes | null;
}

/** Everything that the views read. */
export interface Model {
  readonly data: PageData;
  /** What schemas with a reference lead to, by pointer. */
  readonly references: ReadonlyMap<string, string>;
  readonly operations: readonly Operation[];
  readonly byKey: ReadonlyMap<string, Operation>;
  readonly gaps: GapCounts;
}

/** The keywords of a parameter. */
export function keywordsOf(data: PageData, parameter: PageParameter): Keyword[] {
  const { keywords, keyword_tests } = parameter;
  const { texts, test_lists } = data;
  const list: Keyword[] = [];
  for (let at = 0; at < keywords.length; at += KEYWORD_FIELDS) {
    const row = list.length;
    const value = keywords[at + 5] ?? NO_TEXT;
    list.push({
      row,
      place: keywords[at] ?? 0,
      keyword: texts[keywords[at + 1] ?? 0] ?? "",
      value: value === NO_TEXT ? null : texts[value] ?? null,
      valid: keywords[at + 2] ?? 0,
      invalid: keywords[at + 3] ?? 0,
      satisfiability: SATISFIABILITIES[keywords[at + 4] ?? 0] ?? "Normal",
      tests: keyword_tests === undefined ? null : {
        valid: test_lists[keyword_tests[2 * row] ?? 0] ?? [],
        invalid: test_lists[keyword_tests[2 * row + 1] ?? 0] ?? [],
      },
    });
  }
  return list;
}

/** The examples of a parameter. */
export function examplesOf(data: PageData, parameter: PageParameter): Example[] {
  const { examples, example_tests } = parameter;
  const list: Example[] = [];
  for (let at = 0; at < examples.length; at += EXAMPLE_FIELDS) {
    const row = list.length;
    list.push({
      row,
      pointer: data.texts[examples[at] ?? 0] ?? "",
      value: data.texts[examples[at + 1] ?? 0] ?? "null",
      hits: examples[at + 2] ?? 0,
      tests: example_tests === undefined ? null : data.test_lists[example_tests[row] ?? 0] ?? [],
    });
  }
  return list;
}

/** How many gaps the rows of a parameter hold; reads the numbers in place, since they are many. */
function parameterGaps(parameter: PageParameter): { keyword: number; example: number } {
  const { keywords, examples } = parameter;
  let keyword = 0;
  for (let at = 0; at < keywords.length; at += KEYWORD_FIELDS) {
    if (keywords[at + 4] !== 0) continue;
    if (keywords[at + 2] === 0) keyword += 1;
    if (keywords[at + 3] === 0) keyword += 1;
  }
  let example = 0;
  for (let at = 0; at < examples.length; at += EXAMPLE_FIELDS) {
    if (examples[at + 2] === 0) example += 1;
  }
  return { keyword, example };
}

function countGaps(operation: PageOperation): GapCounts {
  let [parameter, keyword, example, response] = [0, 0, 0, 0];
  for (const one of operation.parameters) {
    if (one.hits === 0) {
      parameter += 1;
      continue;
    }
    const counts = parameterGaps(one);
    keyword += counts.keyword;
    example += counts.example;
  }
  for (const { hits } of operation.responses) if (hits === 0) response += 1;
  const uncalled = operation.hits === 0 ? 1 : 0;
  const total = uncalled + parameter + keyword + example + response;
  return { operation: uncalled, parameter, keyword, example, response, total };
}

/** Responses that nothing measured keep no operation from being complete. */
function stateOf(operation: PageOperation, gaps: GapCounts): OperationState {
  if (operation.hits === 0) return "never";
  const unmeasured = operation.summary.responses.measured ? 0 : gaps.response;
  return gaps.total === unmeasured ? "complete" : "gaps";
}

function sumGaps(operations: readonly Operation[]): GapCounts {
  const sum = { operation: 0, parameter: 0, keyword: 0, example: 0, response: 0, total: 0 };
  for (const { gaps } of operations) {
    for (const kind of GAP_KINDS) sum[kind] += gaps[kind];
    sum.total += gaps.total;
  }
  return sum;
}

/** Derives what the views need once, when the page opens. */
export function buildModel(data: PageData): Model {
  const operations = data.operations.map((operation, index): Operation => {
    const gaps = countGaps(operation);
    return {
      index,
      // Links are UTF-8, which has no lone surrogates; a path may hold one.
      key: `${operation.method}:${operation.path}`.toWellFormed(),
      data: operation,
      gaps,
      state: stateOf(operation, gaps),
      haystack: [
        `${operation.method} ${operation.path}`,
        operation.operation_id ?? "",
        ...operation.tags,
        ...operation.parameters.map(({ parameter }) => parameter),
      ].join("\n").toLowerCase(),
    };
  });
  const references = new Map<string, string>();
  for (let at = 0; at < data.references.length; at += 2) {
    const [from = 0, to = 0] = data.references.slice(at, at + 2);
    references.set(data.texts[from] ?? "", data.texts[to] ?? "");
  }
  return {
    data,
    references,
    operations,
    byKey: new Map(operations.map((operation) => [operation.key, operation])),
    gaps: sumGaps(operations),
  };
}
