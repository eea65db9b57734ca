import {
  coveredCount,
  type CredentialCounts,
  DIMENSIONS,
  type Summary,
  type TclCount,
  type TclCriterion,
  type TestCoverageLevel,
} from "../../map/results.ts";
import type { ParameterLocation } from "../../values/position.ts";
import { capitalized, formatAmount, formatNumber, sentenceList } from "./amounts.ts";
import type { Report, ReportExclusion, ReportOperation, ReportParameter } from "../report.ts";

export const NO_RESPONSE_BODIES = "the traffic has no response bodies";

type MeasuredResponses = Pick<Summary, "response_keywords" | "responses">;

/** True if there were responses, but none with a body. */
export function lackResponseBodies({ response_keywords, responses }: MeasuredResponses): boolean {
  return response_keywords?.measured === false && responses.measured;
}

/** Undefined if the traffic shows no request without credentials. */
export function credentialsText(
  operations: readonly Pick<ReportOperation, "credentials" | "excluded">[],
): string | undefined {
  const counts = operations.flatMap(({ credentials, excluded }) =>
    credentials === undefined || excluded !== undefined ? [] : [credentials]
  );
  const refused = counts.filter((one) => one.without_credentials_refused > 0).length;
  const open = counts.filter((one) => one.without_credentials_succeeded > 0).length;
  if (refused + open === 0) return undefined;
  const need = counts.length === 1
    ? "operation that was called and needs credentials"
    : "operations that were called and need credentials";
  return `${formatNumber(refused)} of ${
    formatNumber(counts.length)
  } ${need} refused a request without${
    open === 0 ? "" : `, ${formatNumber(open)} answered one with 2xx`
  }`;
}

/** The requests to an operation with and without credentials, as a sentence. Empty if there were none. */
export function operationCredentialsText(counts: CredentialCounts): string {
  const parts: string[] = [];
  const add = (count: number, text: string): void => {
    if (count > 0) parts.push(`${formatAmount(count, "request")} ${text}`);
  };
  add(counts.with_credentials_succeeded, "with credentials succeeded");
  const addWithout = (count: number, text: string): void =>
    add(count, `${parts.length === 0 ? "without credentials" : "without"} ${text}`);
  addWithout(
    counts.without_credentials_refused,
    counts.without_credentials_refused === 1 ? "was refused" : "were refused",
  );
  addWithout(counts.without_credentials_succeeded, "succeeded");
  addWithout(
    counts.without_credentials_unknown,
    counts.without_credentials_unknown === 1
      ? "proves nothing, because its recording shows no credentials"
      : "prove nothing, because their recordings show no credentials",
  );
  return parts.length === 0 ? "" : `${sentenceList(parts, "and")}.`;
}

const PARTS: readonly (readonly [part: string, locations: readonly ParameterLocation[]])[] = [
  ["path parameters", ["path"]],
  ["queries", ["query"]],
  ["headers", ["header"]],
  ["cookies", ["cookie"]],
  ["bodies", ["body", "form_data"]],
];

/** What the traffic could not show, as a sentence without a full stop. Undefined if there is nothing. */
export function notMeasuredText({ summary, operations }: {
  readonly summary: Pick<Summary, "parameters" | "keywords" | "examples">;
  readonly operations: readonly {
    readonly parameters: readonly Pick<ReportParameter, "location" | "measured">[];
  }[];
}): string | undefined {
  const { parameters, keywords, examples } = summary;
  if (parameters.not_measured === undefined) return undefined;
  const hidden = new Set<ParameterLocation>();
  const shown = new Set<ParameterLocation>();
  for (const operation of operations) {
    for (const { location, measured } of operation.parameters) {
      (measured === false ? hidden : shown).add(location);
    }
  }
  const parts = PARTS.filter(([, locations]) => locations.some((one) => hidden.has(one)))
    .map(([part, [location]]) =>
      part === "headers" && location !== undefined && shown.has(location) ? "some headers" : part
    );
  const amounts = [
    formatAmount(parameters.not_measured, "parameter"),
    ...(keywords.not_measured === undefined
      ? []
      : [formatAmount(keywords.not_measured, "keyword")]),
    ...(examples.not_measured === undefined
      ? []
      : [formatAmount(examples.not_measured, "example")]),
  ];
  const isOne = amounts.length === 1 && parameters.not_measured === 1;
  return `${capitalized(sentenceList(parts))} of requests: not visible in this traffic, so ${
    sentenceList(amounts)
  } ${isOne ? "is" : "are"} not measured`;
}

const HIGHEST_TCL = 7;

export function criterionName(criterion: TclCriterion): string {
  return criterion.replaceAll("_", " ");
}

/** The level, and what the next level needs, in one line. */
export function tclText(
  { level, missing, not_measured }: TestCoverageLevel,
  criteria: readonly TclCount[] = [],
): string {
  const needed = [
    ...missing.map((criterion) => criterionName(criterion) + countText(criterion, criteria)),
    ...not_measured.map((criterion) => `${criterionName(criterion)} (not measured)`),
  ];
  const next = needed.length === 0 ? "" : `; level ${level + 1} needs ${needed.join(", ")}`;
  return `${level} of ${HIGHEST_TCL}${next}`;
}

function countText(criterion: TclCriterion, criteria: readonly TclCount[]): string {
  const count = criteria.find((one) => one.criterion === criterion);
  if (count === undefined || count.covered === null || count.total === null) return "";
  return ` (${formatNumber(count.covered)} of ${formatNumber(count.total)})`;
}

export function excludedAmounts({ excluded }: ReportExclusion): string {
  const amounts = DIMENSIONS.filter((dimension) => excluded[dimension].total > 0)
    .map((dimension) => formatAmount(excluded[dimension].total, dimension.slice(0, -1)));
  if (amounts.length === 0) return "nothing";
  const seen = DIMENSIONS.reduce((sum, dimension) => sum + coveredCount(excluded[dimension]), 0);
  const total = DIMENSIONS.reduce((sum, dimension) => sum + excluded[dimension].total, 0);
  return `${sentenceList(amounts)}, ${coveredAmount(seen, total)}`;
}

export function exclusionOrigin({ source, until }: ReportExclusion): string {
  return until === null ? source : `${source}, until ${until}`;
}

function coveredAmount(seen: number, total: number): string {
  if (seen === 0) return "not covered";
  if (seen === total) return total === 1 ? "covered" : "all of them covered";
  return `${formatNumber(seen)} of them covered`;
}

/** For each exclusion that should be changed or removed, a sentence with the reason. */
export function staleExclusions({ exclusions = [] }: Report): string[] {
  return exclusions.flatMap(({ stale }) => stale === null ? [] : [stale]);
}
