import { operationName } from "../../../../values/operation_name.ts";
import type { Satisfiability } from "../../../../values/position.ts";
import { type GapCounts, gapCounts, NO_GAPS } from "../../../gap_counts.ts";
import type { ReportExclusion, TestIndexes } from "../../../report.ts";
import { type Missing, missingOutcomes } from "../../../wording/gap_wording.ts";
import {
  EXAMPLES,
  KEYWORD_TESTS,
  KEYWORDS,
  NO_TEXT,
  type PageData,
  type PageOperation,
  type PageParameter,
  REFERENCES,
  SATISFIABILITIES,
} from "../../page_data.ts";

export type OperationState = "never" | "gaps" | "complete" | "excluded";

export interface Operation {
  readonly index: number;
  /** `GET:/users/{id}`: what names it in a link. */
  readonly key: string;
  readonly data: PageOperation;
  readonly gaps: GapCounts;
  readonly state: OperationState;
  readonly haystack: string;
}

export interface Keyword {
  readonly row: number;
  /** Number of the text that is the pointer of the schema. */
  readonly place: number;
  readonly keyword: string;
  /** Its value, as {@linkcode keywordText} wrote it; null if it consists of schemas or is unknown. */
  readonly value: string | null;
  readonly valid: number;
  readonly invalid: number;
  readonly satisfiability: Satisfiability;
  readonly exclusion: ReportExclusion | null;
  /** The tests that covered it; null if unknown. */
  readonly tests: { readonly valid: TestIndexes; readonly invalid: TestIndexes } | null;
}

export interface Example {
  readonly row: number;
  readonly pointer: string;
  readonly value: string;
  readonly hits: number;
  readonly exclusion: ReportExclusion | null;
  /** The tests that sent it; null if unknown. */
  readonly tests: TestIndexes | null;
}

export interface Model {
  readonly data: PageData;
  readonly references: ReadonlyMap<string, string>;
  readonly operations: readonly Operation[];
  readonly byKey: ReadonlyMap<string, Operation>;
  readonly gaps: GapCounts;
}

export function findExclusion(
  { exclusions }: PageData,
  { excluded }: { readonly excluded?: number },
): ReportExclusion | null {
  return excluded === undefined ? null : exclusions?.[excluded] ?? null;
}

export function readKeywords(data: PageData, parameter: PageParameter): Keyword[] {
  return Array.from(
    { length: KEYWORDS.count(parameter.keywords) },
    (_, row) => keywordAt(data, parameter, row),
  );
}

export function keywordAt(
  { texts, test_lists, exclusions }: PageData,
  { keywords, keyword_tests }: PageParameter,
  row: number,
): Keyword {
  const value = KEYWORDS.get(keywords, row, "value");
  const satisfiability = KEYWORDS.get(keywords, row, "satisfiability");
  const testsOf = (tests: readonly number[], outcome: "valid" | "invalid"): TestIndexes =>
    test_lists[KEYWORD_TESTS.get(tests, row, outcome)] ?? [];
  return {
    row,
    place: KEYWORDS.get(keywords, row, "schema"),
    keyword: texts[KEYWORDS.get(keywords, row, "name")] ?? "",
    value: value === NO_TEXT ? null : texts[value] ?? null,
    valid: KEYWORDS.get(keywords, row, "valid"),
    invalid: KEYWORDS.get(keywords, row, "invalid"),
    satisfiability: SATISFIABILITIES[satisfiability] ?? "Normal",
    exclusion: exclusions?.[satisfiability - SATISFIABILITIES.length] ?? null,
    tests: keyword_tests === undefined
      ? null
      : { valid: testsOf(keyword_tests, "valid"), invalid: testsOf(keyword_tests, "invalid") },
  };
}

export function readExamples(data: PageData, parameter: PageParameter): Example[] {
  const { examples, example_tests, example_exclusions } = parameter;
  return EXAMPLES.all(examples).map(({ pointer, value, hits }, row) => ({
    row,
    pointer: data.texts[pointer] ?? "",
    value: data.texts[value] ?? "null",
    hits,
    exclusion: data.exclusions?.[example_exclusions?.[row] ?? NO_TEXT] ?? null,
    tests: example_tests === undefined ? null : data.test_lists[example_tests[row] ?? 0] ?? [],
  }));
}

/** The outcomes of a keyword that were never seen; null if both were, or if it does not count. */
export function missingAt({ keywords }: PageParameter, row: number): Missing | null {
  if (SATISFIABILITIES[KEYWORDS.get(keywords, row, "satisfiability")] !== "Normal") return null;
  return missingOutcomes(
    KEYWORDS.get(keywords, row, "valid"),
    KEYWORDS.get(keywords, row, "invalid"),
  );
}

/** True for an example that was never sent and is not excluded. */
export function isMissedExample(
  { examples, example_exclusions }: PageParameter,
  row: number,
): boolean {
  return EXAMPLES.get(examples, row, "hits") === 0 &&
    (example_exclusions?.[row] ?? NO_TEXT) === NO_TEXT;
}

function operationState(operation: PageOperation, gaps: GapCounts): OperationState {
  if (operation.excluded !== undefined) return "excluded";
  if (operation.hits === 0) return "never";
  return gaps.total === 0 ? "complete" : "gaps";
}

/** The operation of a finding or gap; undefined if the report has none. */
export function findOperation(
  { byKey }: Model,
  { method, path }: { readonly method: string; readonly path: string },
): Operation | undefined {
  return byKey.get(operationKey(method, path));
}

function operationKey(method: string, path: string): string {
  // Links are UTF-8, which has no lone surrogates; a path may hold one.
  return `${method}:${path}`.toWellFormed();
}

export function buildModel(data: PageData): Model {
  const operations = data.operations.map((operation, index): Operation => {
    const gaps = operation.excluded === undefined
      ? gapCounts(operation.summary, data.traffic)
      : NO_GAPS;
    return {
      index,
      key: operationKey(operation.method, operation.path),
      data: operation,
      gaps,
      state: operationState(operation, gaps),
      haystack: [
        operationName(operation),
        operation.operation_id ?? "",
        ...operation.tags,
        ...operation.parameters.map(({ parameter }) => parameter),
      ].join("\n").toLowerCase(),
    };
  });
  const references = new Map<string, string>();
  for (const { from, to } of REFERENCES.all(data.references)) {
    references.set(data.texts[from] ?? "", data.texts[to] ?? "");
  }
  return {
    data,
    references,
    operations,
    byKey: new Map(operations.map((operation) => [operation.key, operation])),
    gaps: gapCounts(data.summary, data.traffic),
  };
}

export interface ServerError {
  readonly status: string;
  readonly isDocumented: boolean;
  readonly hits: number;
}

export function serverErrors(
  { responses, undocumented_responses }: PageOperation,
): readonly ServerError[] {
  const errorsIn = (
    list: readonly { readonly status_code: string; readonly hits: number }[],
    isDocumented: boolean,
  ): ServerError[] =>
    list.filter(({ status_code, hits }) => hits > 0 && status_code.startsWith("5"))
      .map(({ status_code, hits }) => ({ status: status_code, isDocumented, hits }));
  return [...errorsIn(undocumented_responses, false), ...errorsIn(responses, true)];
}

export function errorText({ status, isDocumented }: ServerError): string {
  return isDocumented ? status : `${status} (undocumented)`;
}
