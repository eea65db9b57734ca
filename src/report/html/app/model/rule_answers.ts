import type { Finding } from "../../../../map/results.ts";
import { keywordTable } from "../../../../values/keyword_table.ts";
import { ANSWERS, KEYWORDS } from "../../page_data.ts";
import type { Keyword, Model, Operation, Parameter } from "./model.ts";

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
