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
  const add = (count: number, credentials: string, one: string, several = one): void => {
    if (count === 0) return;
    const subject = parts.length === 0 ? `${credentials} credentials` : credentials;
    parts.push(`${formatAmount(count, "request")} ${subject} ${count === 1 ? one : several}`);
  };
  add(counts.with_credentials_succeeded, "with", "succeeded");
  add(counts.without_credentials_refused, "without", "was refused", "were refused");
  add(counts.without_credentials_succeeded, "without", "succeeded");
  add(
    counts.without_credentials_unknown,
    "without",
    "proves nothing, because its recording shows no credentials",
    "prove nothing, because their recordings show no credentials",
  );
  return parts.length === 0 ? "" : `${sentenceList(parts)}.`;
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
  const unseen = summary.parameters.not_measured;
  if (unseen === undefined) return undefined;
  const hidden = new Set<ParameterLocation>();
  const visible = new Set<ParameterLocation>();
  for (const { parameters } of operations) {
    for (const { location, measured } of parameters) {
      (measured === false ? hidden : visible).add(location);
    }
  }
  const parts = PARTS.filter(([, locations]) => locations.some((one) => hidden.has(one)))
    .map(([part]) => part === "headers" && visible.has("header") ? "some headers" : part);
  const amounts = (["parameters", "keywords", "examples"] as const).flatMap((dimension) => {
    const { not_measured } = summary[dimension];
    return not_measured === undefined ? [] : [formatAmount(not_measured, dimension.slice(0, -1))];
  });
  const isOne = amounts.length === 1 && unseen === 1;
  return `${capitalized(sentenceList(parts))} of requests: not visible in this traffic, so ${
    sentenceList(amounts)
  } ${isOne ? "is" : "are"} not measured`;
}

const HIGHEST_TCL = 7;

export function criterionName(criterion: TclCriterion): string {
  return criterion.replaceAll("_", " ");
}

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
  const amounts: string[] = [];
  let [covered, total] = [0, 0];
  for (const dimension of DIMENSIONS) {
    const count = excluded[dimension];
    if (count.total > 0) amounts.push(formatAmount(count.total, dimension.slice(0, -1)));
    covered += coveredCount(count);
    total += count.total;
  }
  return total === 0 ? "nothing" : `${sentenceList(amounts)}, ${coveredAmount(covered, total)}`;
}

export function exclusionOrigin({ source, until }: ReportExclusion): string {
  return until === null ? source : `${source}, until ${until}`;
}

function coveredAmount(covered: number, total: number): string {
  if (covered === 0) return "not covered";
  if (covered === total) return total === 1 ? "covered" : "all of them covered";
  return `${formatNumber(covered)} of them covered`;
}

export function staleExclusions({ exclusions = [] }: Report): string[] {
  return exclusions.flatMap(({ stale }) => stale === null ? [] : [stale]);
}
