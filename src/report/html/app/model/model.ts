import type { Finding } from "../../../../map/results.ts";
import { keywordTable } from "../../../../values/keyword_table.ts";
import {
  ANSWERS,
  EXAMPLES,
  KEYWORD_TESTS,
  KEYWORDS,
  NO_TEXT,
  type PageData,
  type PageOperation,
  type PageParameter,
  REFERENCES,
  type Row,
  SATISFIABILITIES,
} from "../../page_data.ts";
import { operationName } from "../../../../values/operation_name.ts";
import type { Satisfiability } from "../../../../values/position.ts";
import { type GapCounts, gapCounts, NO_GAPS } from "../../../gap_counts.ts";
import type { ReportExclusion, TestIndexes } from "../../../report.ts";
import { type Missing, missingOutcomes } from "../../../wording/gap_wording.ts";

export type OperationState = "never" | "gaps" | "complete" | "excluded";

/** A parameter with its place, and the pointers that it travels without. */
export interface Parameter extends Omit<PageParameter, "schema_path" | "schema"> {
  readonly index: number;
  readonly schema_path: string;
  /** The pointer of its schema; null where it has none. */
  readonly schema: string | null;
  /** What its schema is called: `body`, or its own name. */
  readonly name: string;
}

export interface Operation {
  readonly index: number;
  /** `GET:/users/{id}`: what names it in a link. */
  readonly key: string;
  readonly data: Omit<PageOperation, "parameters">;
  readonly parameters: readonly Parameter[];
  readonly gaps: GapCounts;
  readonly state: OperationState;
  readonly haystack: string;
}

export interface Keyword extends Omit<Row<typeof KEYWORDS>, "status"> {
  readonly row: number;
  readonly satisfiability: Satisfiability;
  readonly exclusion: ReportExclusion | null;
  /** The tests that covered it; null if unknown. */
  readonly tests: Row<typeof KEYWORD_TESTS> | null;
}

export interface Example extends Row<typeof EXAMPLES> {
  readonly row: number;
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

export function readKeywords(data: PageData, parameter: Parameter): Keyword[] {
  return Array.from(
    { length: KEYWORDS.count(parameter.keywords) },
    (_, row) => keywordAt(data, parameter, row),
  );
}

export function keywordAt(
  data: PageData,
  { keywords, keyword_tests }: Parameter,
  row: number,
): Keyword {
  const { status, ...own } = KEYWORDS.at(keywords, row, data);
  return {
    ...own,
    row,
    satisfiability: SATISFIABILITIES[status] ?? "Normal",
    exclusion: data.exclusions?.[status - SATISFIABILITIES.length] ?? null,
    tests: keyword_tests === undefined ? null : KEYWORD_TESTS.at(keyword_tests, row, data),
  };
}

export function readExamples(data: PageData, parameter: Parameter): Example[] {
  const { examples, example_tests, example_exclusions } = parameter;
  return EXAMPLES.all(examples, data).map((own, row) => ({
    ...own,
    row,
    exclusion: data.exclusions?.[example_exclusions?.[row] ?? NO_TEXT] ?? null,
    tests: example_tests === undefined ? null : data.test_lists[example_tests[row] ?? 0] ?? [],
  }));
}

/** The outcomes of a keyword that were never seen; null if both were, or if it does not count. */
export function missingParts(
  { valid, invalid, satisfiability, exclusion }: Keyword,
): Missing | null {
  return satisfiability === "Normal" && exclusion === null ? missingOutcomes(valid, invalid) : null;
}

export function isMissed({ hits, exclusion }: Example): boolean {
  return hits === 0 && exclusion === null;
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
      parameters: operation.parameters.map((parameter, index) => ({
        ...parameter,
        index,
        schema_path: data.texts[parameter.schema_path] ?? "",
        schema: data.texts[parameter.schema] ?? null,
        name: parameter.location === "body" ? "body" : parameter.parameter,
      })),
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
  return {
    data,
    references: new Map(REFERENCES.all(data.references, data).map(({ from, to }) => [from, to])),
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
  { responses, undocumented_responses }: Operation["data"],
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

export interface RuleAnswers {
  readonly refused: number;
  readonly accepted: number;
}

export function readRuleAnswers({ answers = [] }: Parameter): ReadonlyMap<number, RuleAnswers> {
  return new Map(ANSWERS.all(answers).map(({ keyword, ...counts }) => [keyword, counts]));
}

/** The names of keywords that always can be a cause on their own. */
const ASSERTIONS: ReadonlySet<string> = new Set(
  [...keywordTable.values()].filter(({ kind }) => kind === "assertion").map(({ name }) => name),
);

/** True for a rule that values failed, while no answer tells whether the API enforces it. */
export function isNeverAlone(
  { data }: Model,
  { keyword, invalid, satisfiability, exclusion }: Keyword,
  answers: RuleAnswers | undefined,
): boolean {
  return answers === undefined && data.summary.enforcement?.measured === true && invalid > 0 &&
    satisfiability === "Normal" && exclusion === null && ASSERTIONS.has(keyword);
}

export interface FoundRule {
  readonly parameter: Parameter;
  /** The keyword's row; null for the rule that the parameter is required. */
  readonly row: number | null;
}

export function findRule(
  { data }: Model,
  operation: Operation,
  finding: Finding,
): FoundRule | null {
  if (finding.kind !== "keyword_not_enforced") return null;
  const parameter = operation.parameters.find(({ location, parameter }) =>
    location === finding.location && parameter === finding.parameter
  );
  if (parameter === undefined) return null;
  if (finding.missing === true) return { parameter, row: null };
  for (const row of readRuleAnswers(parameter).keys()) {
    const { schema, keyword } = KEYWORDS.at(parameter.keywords, row, data);
    if (`${schema}/${keyword}` === finding.schema_path) return { parameter, row };
  }
  return { parameter, row: null };
}
