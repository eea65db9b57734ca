import { getOrAdd, groupItems } from "../../values/collections.ts";
import { type Gap, isOfDimension } from "../../map/results.ts";
import { closestTestText } from "../../suggest/formats/request_title.ts";
import { expectedAnswers } from "../../suggest/formats/text_format.ts";
import type { NextRequests } from "../../suggest/suggestion.ts";
import type { ValueClassName } from "../../values/value_class_name.ts";
import { operationName } from "../../values/operation_name.ts";
import { closedGapsIn } from "../gap_counts.ts";
import type {
  Report,
  ReportOperation,
  ReportParameter,
  ReportResponse,
  ReportResponsePart,
  ReportValue,
  TestIndexes,
} from "../report.ts";
import { keywordText } from "../wording/gap_wording.ts";
import {
  type AnnotatedSource,
  ANSWERS,
  CHOSEN,
  CLASSES,
  CLOSED,
  CLOSED_KINDS,
  type DescriptionView,
  EXAMPLES,
  GAP_ID_PART,
  KEYWORD_TESTS,
  KEYWORDS,
  MISSED,
  NO_TEXT,
  type PageNextRequests,
  type PageOperation,
  type PageParameter,
  type PageRequest,
  type PageResponse,
  type PageResponsePart,
  type PageSource,
  POSITIONS,
  REFERENCES,
  RESPONSE_KEYWORDS,
  SATISFIABILITIES,
} from "./page_data.ts";

/** Gives each thing a number, the same one every time. */
class Numbers<Item> {
  readonly items: Item[] = [];
  readonly #numbers = new Map<string, number>();

  number(item: Item, key: string): number {
    return getOrAdd(this.#numbers, key, () => this.items.push(item) - 1);
  }
}

class Texts extends Numbers<string> {
  override number(text: string): number {
    return super.number(text, text);
  }
}

class TestLists extends Numbers<TestIndexes> {
  override number(list: TestIndexes = []): number {
    return super.number(list, list.join());
  }
}

function* writeItems<T>(
  items: readonly T[],
  encode: (item: T, index: number) => unknown = (item) => item,
): Generator<string> {
  for (const [index, item] of items.entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(encode(item, index))}`;
  }
}

/** The members that all rows of a keyword share. */
type KeywordRow = Readonly<Record<"schema" | "keyword" | "value", number>>;

interface Shared {
  readonly texts: Texts;
  readonly tests: TestLists;
  /** By schema path: operations share components, so most keywords come many times. */
  readonly keywords: Map<string, KeywordRow>;
  /** By the names of operations. */
  readonly gaps: ReadonlyMap<string, readonly Gap[]>;
  readonly view: DescriptionView | undefined;
}

function keywordRow(
  { keyword, schema_path }: Pick<ReportParameter["keywords"][number], "keyword" | "schema_path">,
  { texts, keywords, view }: Shared,
): KeywordRow {
  const known = keywords.get(schema_path);
  if (known !== undefined) return known;
  // All keywords of one schema share its pointer, so the page can group them by that number.
  const ending = `/${keyword}`;
  const text = keywordText(view?.valueOf(schema_path));
  const place = schema_path.endsWith(ending) ? schema_path.slice(0, -ending.length) : schema_path;
  const row = {
    schema: texts.number(place),
    keyword: texts.number(keyword),
    value: text === undefined ? NO_TEXT : texts.number(text),
  };
  keywords.set(schema_path, row);
  return row;
}

function encodeTests(
  { keywords, examples }: ReportParameter,
  tests: TestLists,
): Pick<PageParameter, "keyword_tests" | "example_tests"> {
  const keyword_tests: number[] = [];
  for (const { covered_by: { valid, invalid } = {} } of keywords) {
    KEYWORD_TESTS.add(keyword_tests, {
      valid: tests.number(valid),
      invalid: tests.number(invalid),
    });
  }
  const example_tests = examples.map(({ covered_by }) => tests.number(covered_by));
  return {
    ...(keywords.some(({ covered_by }) => covered_by !== undefined) && { keyword_tests }),
    ...(examples.some(({ covered_by }) => covered_by !== undefined) && { example_tests }),
  };
}

/** Classes that a keyword names, which ends their pointer. */
const OF_KEYWORDS: ReadonlySet<ValueClassName> = new Set([
  ...["enum", "minimum", "maximum", "min_length", "max_length", "max_items"] as const,
  "default_left_out",
]);

function encodeClasses(values: readonly ReportValue[], texts: Texts): number[] {
  const rows: number[] = [];
  for (const { schema_path, class: name, value, hits } of values) {
    CLASSES.add(rows, {
      schema: texts.number(
        OF_KEYWORDS.has(name) ? schema_path.replace(/\/(?:enum\/\d+|[^/]+)$/, "") : schema_path,
      ),
      class: texts.number(name),
      value: value === undefined ? NO_TEXT : texts.number(JSON.stringify(value)),
      hits,
    });
  }
  return rows;
}

function encodeParameter(
  parameter: ReportParameter,
  root: string | undefined,
  shared: Shared,
): PageParameter {
  const { texts, tests } = shared;
  const keywords: number[] = [];
  for (const one of parameter.keywords) {
    const { valid, invalid, satisfiability, excluded } = one;
    const status = excluded === undefined
      ? SATISFIABILITIES.indexOf(satisfiability)
      : SATISFIABILITIES.length + excluded;
    KEYWORDS.add(keywords, { ...keywordRow(one, shared), valid, invalid, status });
  }
  const answers: number[] = [];
  const choices: number[] = [];
  parameter.keywords.forEach(({ refused = 0, accepted = 0, chosen = [] }, keyword) => {
    if (refused + accepted > 0) ANSWERS.add(answers, { keyword, refused, accepted });
    chosen.forEach((hits, alternative) => CHOSEN.add(choices, { keyword, alternative, hits }));
  });
  const examples: number[] = [];
  for (const { schema_path, value, hits } of parameter.examples) {
    EXAMPLES.add(examples, {
      pointer: texts.number(schema_path),
      value: texts.number(JSON.stringify(value)),
      hits,
    });
  }
  const { values, value_total, ...rest } = parameter;
  return {
    ...rest,
    ...(values !== undefined && value_total !== undefined && value_total > 0 && {
      classes: {
        seen: values.filter(({ hits }) => hits > 0).length,
        total: value_total,
        rows: encodeClasses(values, texts),
      },
    }),
    schema_path: texts.number(parameter.schema_path),
    schema: root === undefined ? NO_TEXT : texts.number(root),
    keywords,
    examples,
    ...(answers.length > 0 && { answers }),
    ...(choices.length > 0 && { chosen: choices }),
    ...(parameter.examples.some(({ excluded }) => excluded !== undefined) && {
      example_exclusions: parameter.examples.map(({ excluded = NO_TEXT }) => excluded),
    }),
    ...encodeTests(parameter, tests),
  };
}

function encodePart(part: ReportResponsePart, shared: Shared): PageResponsePart {
  const keywords: number[] = [];
  for (const one of part.keywords) {
    const { schema_path, seen, violated = 0 } = one;
    const keyword = schema_path.slice(schema_path.lastIndexOf("/") + 1);
    const row = keywordRow({ keyword, schema_path }, shared);
    RESPONSE_KEYWORDS.add(keywords, { ...row, seen, violated });
  }
  return { ...part, schema_path: shared.texts.number(part.schema_path), keywords };
}

function encodeResponse(response: ReportResponse, shared: Shared): PageResponse {
  const { media_types, headers, ...rest } = response;
  const encode = (part: ReportResponsePart) => encodePart(part, shared);
  return {
    ...rest,
    ...(media_types && { media_types: media_types.map(encode) }),
    ...(headers && { headers: headers.map(encode) }),
  };
}

function encodeOperation(operation: ReportOperation, index: number, shared: Shared): PageOperation {
  const roots = shared.view?.roots[index];
  const ids = shared.gaps.get(operationName(operation))?.map(({ id = "" }) => id);
  return {
    ...operation,
    ...(ids !== undefined && {
      gap_ids: (ids[0] ?? "").slice(0, GAP_ID_PART) +
        ids.map((id) => id.slice(GAP_ID_PART)).join(""),
    }),
    parameters: operation.parameters.map((parameter, position) =>
      encodeParameter(parameter, roots?.[position], shared)
    ),
    responses: operation.responses.map((response) => encodeResponse(response, shared)),
  };
}

/** A `PageData` as JSON, in pieces: the whole may be longer than the longest string. */
export function* encodePageData(
  report: Report,
  view?: DescriptionView,
  next?: NextRequests,
): Generator<string> {
  const { operations, gaps, ...rest } = report;
  const shared = {
    texts: new Texts(),
    tests: new TestLists(),
    keywords: new Map<string, KeywordRow>(),
    gaps: groupItems(gaps.filter(isOfDimension), operationName),
    view,
  };
  const { texts, tests } = shared;
  tests.number(); // the empty list comes first
  yield `${JSON.stringify(rest).slice(0, -1)},"operations":[`;
  yield* writeItems(operations, (one, index) => encodeOperation(one, index, shared));
  const references: number[] = [];
  for (const [from, to] of view?.references ?? []) {
    REFERENCES.add(references, { from: texts.number(from), to: texts.number(to) });
  }
  const source = view === undefined ? null : view.source !== undefined;
  if (next !== undefined) {
    yield `],"next":${JSON.stringify(encodeNextRequests(report, next))}`;
  } else yield "]";
  yield `,"references":${JSON.stringify(references)},"has_source":${source},"test_lists":${
    JSON.stringify(tests.items)
  },"texts":[`;
  yield* writeItems(texts.items);
  yield "]}";
}

/** The length of all requests in a page, in characters, after which only the first ones are kept. */
const MOST_TEXT = 300_000;

function encodeNextRequests(report: Report, next: NextRequests): PageNextRequests {
  const indexes = new Map(
    report.operations.map((operation, index) => [operationName(operation), index]),
  );
  const closedGaps = closedGapsIn(report);
  const rows = new Map<number, ReadonlyMap<string, number>>();
  const requests: PageRequest[] = [];
  const { command, tests } = next;
  const told = {
    ...(command !== undefined && { command }),
    ...(tests !== undefined && { test_format: tests.format }),
  };
  let length = 0;
  for (const [at, suggestion] of next.requests.entries()) {
    const test = tests?.texts[at];
    const { request, path, placeholders, expects, breaks, closes } = suggestion;
    const index = indexes.get(`${request.method} ${path}`);
    const operation = index === undefined ? undefined : report.operations[index];
    if (index === undefined || operation === undefined) continue;
    length += suggestion.request.url.length + (suggestion.request.body ?? "").length +
      (test?.length ?? 0);
    if (length > MOST_TEXT) return { requests, complete: false, ...told };
    requests.push({
      operation: index,
      request,
      placeholders,
      expects: expectedAnswers(expects, breaks === null),
      ...closedGaps(closes),
      breaks: breaks?.schema_path ?? null,
      ...(suggestion.closest_test !== undefined && { closest: closestTestText(suggestion) }),
      ...(test !== undefined && { test }),
      closes: closedRows(closes, operation, getOrAdd(rows, index, () => parameterRows(operation))),
    });
  }
  return { requests, complete: next.complete, ...told };
}

function parameterRows({ parameters }: ReportOperation): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  parameters.forEach(({ keywords, examples }, index) => {
    keywords.forEach(({ schema_path }, row) => rows.set(gapKey(index, "k", schema_path), row));
    examples.forEach(({ schema_path }, row) => rows.set(gapKey(index, "e", schema_path), row));
  });
  return rows;
}

function gapKey(parameter: number, kind: "k" | "e", pointer: string): string {
  return `${parameter} ${kind} ${pointer}`;
}

function closedRows(
  closes: readonly Gap[],
  { parameters }: ReportOperation,
  rows: ReadonlyMap<string, number>,
): readonly number[] {
  const list: number[] = [];
  const known = new Set<string>();
  const add = (kind: typeof CLOSED_KINDS[number], parameter: number, row: number) => {
    const key = `${kind} ${parameter} ${row}`;
    if (known.has(key)) return;
    known.add(key);
    CLOSED.add(list, { kind: CLOSED_KINDS.indexOf(kind), parameter, row });
  };
  for (const gap of closes) {
    if (gap.kind === "operation_uncovered") add("operation", 0, NO_TEXT);
    if (!("parameter" in gap)) continue;
    const index = parameters.findIndex(({ location, parameter }) =>
      location === gap.location && parameter === gap.parameter
    );
    if (index < 0) continue;
    if (gap.kind === "keyword_uncovered" || gap.kind === "example_uncovered") {
      const isKeyword = gap.kind === "keyword_uncovered";
      const row = rows.get(gapKey(index, isKeyword ? "k" : "e", gap.schema_path));
      // A parameter that was never sent has no rows yet.
      if (row !== undefined) add(isKeyword ? "keyword" : "example", index, row);
    } else add("parameter", index, NO_TEXT);
  }
  return list;
}

/** Writes the description's text as the JSON text of a `PageSource`, in pieces. */
export function* encodePageSource(source: AnnotatedSource): Generator<string> {
  const numbers = new Map<string, number>();
  const at: number[] = [];
  for (const [path, { file, line }] of source.positions) {
    numbers.set(path, numbers.size);
    POSITIONS.add(at, { file, line });
  }
  const number = (path: string): number => numbers.get(path) ?? -1;
  const lists = new Map<readonly string[], number>();
  const missed: number[] = [];
  source.operations.forEach((operation, index) =>
    operation.missed.forEach((paths, parameter) => {
      if (paths === undefined) return;
      if (!lists.has(paths)) lists.set(paths, lists.size);
      MISSED.add(missed, { operation: index, parameter, list: lists.get(paths) ?? 0 });
    })
  );
  const rest: Omit<PageSource, "regions"> = {
    files: source.files,
    paths: [...numbers.keys()],
    at,
    operations: source.operations.map(({ schema_path, responses }) => [
      number(schema_path),
      ...responses.map(number),
    ]),
    lists: [...lists.keys()].map((paths) => paths.map(number).filter((one) => one >= 0)),
    missed,
  };
  yield `${JSON.stringify(rest).slice(0, -1)},"regions":[`;
  yield* writeItems(source.regions);
  yield "]}";
}
